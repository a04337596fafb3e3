"""Boards, bus and sync lines as a robot's docks want them, and MICROTUB in a scenario."""

from __future__ import annotations

from typing import Any

import pytest
from tests.electronics.circuits import Rig
from tests.rigs import WEIGHTLESS, robot_from, simulation
from tests.systems.microtub.robots import findings

from annelid.errors import InputError
from annelid.systems import SYSTEMS
from annelid.systems.microtub.discovery import FoundChain
from annelid.systems.microtub.network import MicrotubNetwork, build
from annelid.systems.microtub.spec import MicrotubSpec


def found_in(robot: Any, **options: Any) -> tuple[MicrotubNetwork, FoundChain]:
    rig = Rig(simulation(robot, WEIGHTLESS))
    spec = MicrotubSpec.parse(options, where="control.options")
    network = build(spec, rig.circuit)
    rig.circuit.start()
    rig.kernel.run(2_500_000_000)
    return network, findings(rig)[0]


def test_the_order_is_that_of_the_docks_not_of_the_list() -> None:
    robot = robot_from(
        {
            "modules": [{"type": "S"}, {"type": "R"}, {"type": "E"}],
            "docks": [{"a": "E1.back", "b": "S1.front"}, {"a": "S1.back", "b": "R1.front"}],
        }
    )
    network, found = found_in(robot, addresses=(7, 40, 12))
    assert [(m.address, m.id) for m in found.members] == [(12, "e"), (7, "s"), (40, "r")]
    assert [line.name for line in network.sync] == ["sync/E1-S1", "sync/S1-R1"]


def test_modules_docked_head_to_head_are_no_chain_and_that_is_said() -> None:
    robot = robot_from(
        {
            "modules": [{"type": "R"}, {"type": "R"}, {"type": "S"}],
            "docks": [{"a": "R1.front", "b": "R2.front"}, {"a": "R2.back", "b": "S1.front"}],
        }
    )
    _, found = found_in(robot, attempts=2)
    assert found.error
    assert not found.members


def test_the_table_of_systems_has_it() -> None:
    system = SYSTEMS.table()["microtub"]
    assert system.framed
    assert system.options is MicrotubSpec
    rig = Rig(simulation("TRS", WEIGHTLESS))
    network = system.build(MicrotubSpec(), rig.circuit)
    assert isinstance(network, MicrotubNetwork)
    rig.circuit.start()
    rig.kernel.run(1_000_000_000)
    told = next(detail for _, _, kind, detail in rig.events if kind == "configuration")
    assert (told["ids"], told["error"]) == ("crs", None)
    assert told["order"] == list(network.addresses)


def test_addresses_are_one_for_each_module() -> None:
    rig = Rig(simulation("TRS", WEIGHTLESS))
    with pytest.raises(InputError, match="addresses: expected 3, one for each module, got 2"):
        build(MicrotubSpec(addresses=(1, 2)), rig.circuit)
