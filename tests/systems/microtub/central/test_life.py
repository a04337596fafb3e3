"""The central control through a robot's troubles: boards and wires alone, and on a module."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from tests.systems.microtub.robots import Chain, boards

from annelid.errors import UnknownName
from annelid.systems.microtub.central.operator import OPERATOR_NAME


def test_a_dead_board_in_the_middle_is_noticed_and_the_order_remembered():
    chain = boards("TRHRV", environment="pipe")
    chain.run(2.0)
    chain.network.modules[1].kill()
    chain.run(6.0)
    assert chain.details("module lost")[0]["id"] == "r"
    (remembered,) = chain.details("chain as remembered")
    assert remembered == {"ids": "crhrv", "alive": 4}


@pytest.mark.parametrize("place", range(5))
def test_a_dead_board_is_noticed_within_a_round_and_two_calls(place: int):
    chain = boards("TRHRV", environment="pipe")
    chain.run(2.0)
    chain.network.modules[place].kill()
    chain.run(2.0 + 5 * 0.5 + 1.2)
    assert len(chain.details("module lost")) == 1


def test_a_dead_board_at_the_end_leaves_a_shorter_robot():
    chain = boards("TRHRV", environment="pipe")
    chain.run(2.0)
    chain.network.modules[-1].kill()
    chain.run(6.0)
    assert chain.ids in ("crhr", "crhrv")
    assert chain.details("module lost")[0]["id"] == "v"


def test_losing_the_only_drive_ends_the_task_with_a_reason():
    chain = boards("THV", environment="pipe", operator=[{"at_s": 1.5, "say": "EXP"}])
    chain.run(2.0)
    chain.network.modules[1].kill()
    chain.run(9.0)
    told = [detail["words"] for detail in chain.details("answer", OPERATOR_NAME)]
    assert any("is lost" in words for words in told)
    assert any("given up, this robot has no way" in words for words in told)


def cut_behind(chain: Chain, place: int) -> list[Any]:
    """Take the dock behind that module apart; brings all docks as they were."""
    names = [node.name for node in chain.network.modules]
    docks = [((a, "back"), (b, "front")) for a, b in pairwise(names)]
    chain.network.harness.follow([dock for k, dock in enumerate(docks) if k != place])
    return docks


def test_a_piece_that_comes_back_is_noticed_and_belongs_to_the_chain_again():
    for letters in ("TRHV", "TBHV"):  # dark while it is away, or running on by its own battery
        chain = boards(letters, environment="pipe")
        chain.run(2.0)
        docks = cut_behind(chain, 1)
        chain.run(7.0)
        assert chain.ids == "hv"
        chain.network.harness.follow(docks)
        chain.run(13.0)
        assert len(chain.ids) == 4, letters


def test_one_that_stays_out_of_the_chain_is_not_looked_for_for_ever():
    """A board that hears the bus and whose sync lines are dead."""
    chain = boards("TRHV", environment="pipe")
    chain.run(2.0)
    chain.network.modules[0].kill()
    chain.run(8.0)
    before = len(chain.found)
    chain.run(16.0)
    assert len(chain.found) == before


def test_the_clocks_are_set_every_two_seconds():
    chain = boards("TR", clock_log=True)
    chain.run(9.0)
    times = [t for t, name, kind, d in chain.rig.events if kind == "clock" and name == "M2"]
    gaps = [round((b - a) / 1e9, 1) for a, b in pairwise(times)]
    assert gaps
    assert set(gaps[1:]) == {2.0}


def test_it_can_run_on_a_module_and_dies_with_it():
    chain = boards("THV", central="M1", environment="pipe", operator=[{"at_s": 2.0, "say": "EXP"}])
    chain.run(3.0)
    told = [detail["words"] for detail in chain.details("answer", OPERATOR_NAME)]
    assert told == ["ANS 'explore: begun, without: turn'"]
    assert "PC" not in chain.rig.circuit.nodes
    chain.network.modules[0].kill()
    terminal = chain.rig.circuit.nodes[OPERATOR_NAME].board.ports["terminal"]
    terminal.type("STP")
    chain.run(3.5)
    told = [detail["words"] for detail in chain.details("answer", OPERATOR_NAME)]
    assert told[-1] == "the central control does not answer (nack)"


def told_to(chain: Chain, name: str) -> list[str]:
    """The movement commands that a module has obeyed."""
    return [detail["command"] for detail in chain.details("walking", name)]


@pytest.mark.parametrize("back_s", [None, 1.0, 9.0])
@pytest.mark.parametrize("central", ["PC", "M1"])
def test_a_robot_that_nobody_controls_stops(central: str, back_s: float | None) -> None:
    """For good, or until the board starts anew, sooner or later than modules lose their patience:
    then a check makes them stop."""
    typed = [{"at_s": 2.0, "say": "EXP"}]
    chain = boards("THHV", central=central, environment="pipe", operator=typed)
    chain.run(3.0)
    assert told_to(chain, "M2")[-1] == "MHE"
    chain.network.pc.kill()
    chain.run(3.0 + (back_s or 9.0))
    if back_s is not None:
        chain.network.pc.start()
        chain.run(5.0 + back_s)
        assert len(chain.found) >= 2
    assert {told_to(chain, name)[-1] for name in ("M2", "M3")} == {"STP"}
    assert bool(chain.details("unheard")) is (back_s != 1.0)


def test_one_that_hung_goes_on_when_the_robot_has_been_looked_at_anew() -> None:
    typed = [{"at_s": 2.0, "say": "EXP"}]
    chain = boards("THV", environment="pipe", operator=typed)
    chain.run(3.0)
    chain.network.pc.hang()
    chain.run(9.0)
    assert told_to(chain, "M2")[-1] == "STP"
    chain.network.pc.resume()
    chain.run(11.0)
    assert any("has heard nothing" in each["reason"] for each in chain.details("look anew"))
    assert told_to(chain, "M2")[-1] == "MHE"


def test_a_central_control_that_is_busy_does_not_make_a_long_chain_stop() -> None:
    """Two boards fall silent: it waits for answers, and checks several times."""
    typed = [{"at_s": 3.0, "say": "SIR modules"}]
    chain = boards("T" + "RH" * 30 + "V", environment="pipe", operator=typed)
    chain.run(2.0)
    for place in (20, 40):
        chain.network.modules[place].kill()
    chain.run(9.0)
    assert not chain.details("unheard")


def test_a_board_that_is_not_there_is_refused():
    with pytest.raises(UnknownName, match="board for the central control 'X9'"):
        boards("TH", central="X9")
