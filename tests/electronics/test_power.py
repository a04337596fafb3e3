"""Where the power comes from, what it costs, and what happens when there is not enough."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from tests.electronics.circuits import Rig, idle, rig

from annelid.electronics.board import Board, Firmware
from annelid.electronics.devices import SimCup
from annelid.electronics.node import NodeState
from annelid.electronics.power import Power, PowerSpec
from annelid.electronics.supply import BatterySupply, TetherSupply
from annelid.kernel import Program
from annelid.kernel.trace import Trace
from annelid.physics import damage
from annelid.trial.load import load
from annelid.trial.run import Trial


def strain(board: Board) -> Program:
    """Push against a jammed gear."""
    board.servos["yaw"].target = 1.5
    yield board.sleep(1e6)


def powered(firmware: Firmware = idle, **spec: Any) -> tuple[Rig, Power]:
    setup = rig()
    for module in setup.sim.robot.modules:
        setup.add(module.name, firmware)
        damage.stick(setup.sim, f"{module.name}.yaw")
    power = setup.circuit.supply(PowerSpec.parse(spec, where="power"))
    setup.circuit.start()
    return setup, power


def test_idle_boards_draw_their_current_and_no_more() -> None:
    setup, power = powered(idle_ma=20, supply={"kind": "tether", "length_m": 0})
    setup.run(2.05)
    assert power.amperes == pytest.approx(0.040)
    assert power.energy == pytest.approx([0.2, 0.2])
    assert power.source.drawn == pytest.approx(power.total)


def test_a_tether_sags_under_stalled_servos() -> None:
    supply = {"kind": "tether", "length_m": 10, "ohm_per_m": 0.1}
    setup, power = powered(firmware=strain, idle_ma=0, supply=supply)
    setup.run(1.05)
    assert power.amperes == pytest.approx(2 * 5.0 / 12.0, rel=0.02)  # 001 Table 1: V/R each
    assert power.volts == pytest.approx(5.0 - power.amperes)


def test_motors_count_for_their_own_board() -> None:
    setup = rig()
    setup.add("R1", strain)
    setup.add("R2")
    damage.stick(setup.sim, "R1.yaw")
    power = setup.circuit.supply(PowerSpec(idle_ma=0, port_ma=0))
    setup.circuit.start()
    setup.run(1.05)
    assert power.energy[0] == pytest.approx(setup.sim.actuators.energy()[:2].sum(), rel=0.1)
    assert power.energy[1] == pytest.approx(0, abs=1e-3)
    setup.sim.cut("R1.back", "R2.front")
    setup.run(2.05)
    assert power.energy[0] == pytest.approx(setup.sim.actuators.energy()[:2].sum(), rel=0.05)


def test_a_cell_sags_and_runs_empty_as_its_curve_says() -> None:
    cell = BatterySupply(capacity_mah=100, ohms=0.2, converter_volts=None).source()
    assert cell.load(0.0, 1.0) == pytest.approx(4.2)
    assert cell.load(1.0, 1e-9) == pytest.approx(4.0)
    volts = [cell.load(0.1, 36.0) for _ in range(100)]  # one hour at 1 C
    assert np.all(np.diff(volts) <= 1e-12)
    assert cell.charge == pytest.approx(0.0, abs=1e-6)
    assert volts[50] == pytest.approx(3.82 - 0.02, abs=0.01)
    assert cell.load(0.1, 1.0) == 0.0


def test_a_converter_keeps_the_rail_and_takes_more_from_the_cell() -> None:
    spec = BatterySupply(ohms=0.1, efficiency=0.8, charge=0.5)
    cell = spec.source()
    assert cell.load(0.2, 1.0) == 5.0
    current = 5.0 * 0.2 / 0.8 / cell.volts
    assert cell.charge == pytest.approx(0.5 - current / (180 * 3.6))
    assert cell.life(1.0) == pytest.approx(cell.charge * 180 * 3.6 / current)
    assert cell.load(50.0, 1e-6) == pytest.approx(5.0 * (3.82 / 2) / 3.0, rel=0.01)  # collapse


def test_a_brown_out_resets_the_boards_again_and_again() -> None:
    supply = {"kind": "battery", "capacity_mah": 5, "charge": 0.02, "ohms": 1.0}
    setup, power = powered(firmware=strain, idle_ma=20, brown_out_v=4.5, supply=supply)
    nodes = list(setup.circuit.nodes.values())
    setup.run(0.15)
    assert all(node.state is NodeState.OFF for node in nodes)
    assert power.volts < 4.5
    assert "brown-out" in setup.details("off")[0]["reason"]
    setup.run(1.0)
    assert power.brown_outs >= 4
    assert nodes[0].resets >= 2
    setup.run(60.0)
    assert power.source.charge < 0.005


def test_a_dead_board_is_not_revived_by_a_recovering_battery() -> None:
    supply = {"kind": "battery", "capacity_mah": 5, "charge": 0.02, "ohms": 1.0}
    setup, _ = powered(firmware=strain, brown_out_v=4.5, supply=supply)
    setup.run(0.15)
    setup.circuit.nodes["R1"].kill()
    setup.run(1.0)
    assert setup.circuit.nodes["R1"].state is NodeState.DEAD


def test_servos_feel_the_rail_when_asked_to() -> None:
    supply = {"kind": "tether", "length_m": 10, "ohm_per_m": 0.2}
    efforts = []
    for weaken in (False, True):
        setup, _ = powered(firmware=strain, supply=supply, weaken_servos=weaken)
        setup.run(1.0)
        efforts.append(float(setup.sim.actuators.effort()[0]))
    assert efforts[1] < 0.8 * efforts[0]


def test_life() -> None:
    setup, power = powered(idle_ma=100, supply={"kind": "battery", "capacity_mah": 180})
    setup.run(10.05)
    # 2 x 100 mA at 5 V, 88 % efficiency, from a cell of about 4.1 V: 277 mA
    assert power.life_s() / 3600 == pytest.approx(0.180 / 0.277, rel=0.03)
    assert TetherSupply().source().life(1.0) == float("inf")


def test_the_trace_has_the_rail() -> None:
    setup = rig()
    setup.add("R1")
    trace, sink = Trace.in_memory()
    setup.circuit.supply(PowerSpec(), trace=trace)
    setup.circuit.start()
    setup.run(1.05)
    trace.close()
    table = sink.read("power")
    assert len(table["voltage"]) == 10
    assert table["energy[R1]"][-1] > 0


def test_motors_without_boards_empty_a_battery_and_feel_it() -> None:
    setup = rig()
    damage.stick(setup.sim, "R1.yaw")
    setup.sim.actuators.write_one("R1.yaw", 1.5)
    supply = {"kind": "battery", "capacity_mah": 5, "charge": 0.02, "ohms": 1.0}
    spec = PowerSpec.parse({"supply": supply, "weaken_servos": True}, where="power")
    power = setup.circuit.supply(spec)
    setup.circuit.start()
    setup.run(2.05)
    assert power.boards == 0
    assert power.total == pytest.approx(setup.sim.actuators.energy().sum(), rel=0.1)
    assert power.lowest < 5.0
    assert setup.sim.damage.supply < 1.0


def test_the_total_goes_on_between_two_looks() -> None:
    setup, power = powered(idle_ma=20, supply={"kind": "tether", "length_m": 0})
    setup.run(1.05)
    assert power.total == pytest.approx(0.2)
    assert power.total_now() == pytest.approx(0.21)
    assert power.boards == pytest.approx(0.2)


def test_a_board_without_power_lets_go_and_takes_hold_again_when_told() -> None:
    setup = Rig(Trial(load("climber-wall")).sim)
    cup = SimCup(setup.circuit.grid, "L1.cup")
    cup.attach()
    assert cup.gripping
    cup.power(False)
    assert not cup.gripping
    cup.attach()
    assert not cup.gripping
    cup.power(True)
    assert not cup.gripping
    cup.attach()
    assert cup.gripping
