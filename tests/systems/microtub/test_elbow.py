"""Elbows on boards and wires: who turns when, what ends it, and whose the line is meanwhile."""

from __future__ import annotations

from typing import Any

import pytest
from tests.systems.microtub.robots import boards
from tests.systems.microtub.test_agent import robot_that_hears

from annelid.electronics.port import EVERYONE, Frame
from annelid.papers import Bench
from annelid.papers.b09_elbow import CELLS, case, judge
from annelid.systems.microtub.protocol import LLC1, LLC2, Command, Message, WorkingMode
from annelid.systems.microtub.protocol import encode as encoded


def encode(command: Command, *values: Any) -> Frame:
    """Said to all."""
    return encoded(command, *values, to=EVERYONE)


CHECK = [(0.1, encode(LLC1.GPS)), (0.6, encode(LLC1.GPF))]


@pytest.mark.parametrize("cell", CELLS[1:], ids=str)
def test_a_robot_goes_round_an_elbow_one_joint_after_another(cell):
    (went,) = Bench(workers=1, seed=1).trials({"": case(*cell)}, judge)[""]
    assert went.passed
    assert went.in_order


def test_joints_turn_in_order_towards_where_it_was_said_and_the_last_says_so():
    says = [
        *CHECK,
        (1.0, encode(LLC2.CM, WorkingMode.PIPE)),
        (1.1, encode(LLC2.TUP, 90)),
        *((1.2 + 0.5 * k, encode(LLC2.PO)) for k in range(24)),
    ]
    chain = robot_that_hears("TRHRP", says)
    chain.run(3.0)
    turning = [
        name
        for _, name, kind, detail in chain.rig.events
        if kind == "elbow" and detail["phase"] == "turning"
    ]
    assert turning == ["R1", "R2"]
    chain.run(12.0)
    told = [said for said in chain.heard if getattr(said, "command", None) is LLC1.TSF]
    assert [said.sender for said in told] == [4]


def test_without_a_direction_it_is_to_the_left_and_tsf_ends_it_while_the_push_goes_on():
    says = [*CHECK, (1.0, encode(LLC2.TUP)), (1.15, encode(LLC1.TSF))]
    chain = robot_that_hears("TRHRP", says)
    sim = chain.rig.circuit.sim
    chain.run(1.1)
    chain.rig.circuit.grid.sync()
    assert sim.actuators.targets[sim.actuators.place("R1.yaw")] > 0.5
    assert abs(sim.actuators.targets[sim.actuators.place("R1.pitch")]) < 0.01
    chain.run(1.6)
    chain.rig.circuit.grid.sync()
    assert sim.actuators.targets[sim.actuators.place("R1.yaw")] == pytest.approx(0.0, abs=0.01)
    assert sim.actuators.targets[sim.actuators.place("H1.drive")] == 1.0
    pins = [pin for node in chain.network.modules for pin in node.board.pins.values()]
    assert not any(pin.driven for pin in pins)


def test_a_check_takes_the_line_from_an_elbow_and_ends_it():
    says = [
        *CHECK,
        (1.0, encode(LLC2.TUP, 180)),
        (2.0, encode(LLC1.GPS)),
        (3.0, encode(LLC1.GPF)),
    ]
    chain = boards("TPHP", says=says)
    chain.run(1.5)
    first = chain.network.modules[0].board
    assert first.pins["sout"].driven
    chain.heard.clear()
    chain.run(3.5)
    messages = [said for said in chain.heard if isinstance(said, Message)]
    turns = [said.command for said in messages if said.to != EVERYONE]
    assert turns == [LLC1.PC1] * 3 + [LLC1.PCL]
    assert [detail["command"] for detail in chain.details("walking")][4:] == ["STP"] * 4
    assert not any(p.driven for node in chain.network.modules for p in node.board.pins.values())
