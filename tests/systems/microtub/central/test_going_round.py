"""What stands in the open is gone round: one side, kept until the way is free."""

from __future__ import annotations

import pytest
from tests.systems.microtub.central.test_mind import Head

from annelid.systems.microtub.central.behaviours.base import DESTINATION
from annelid.systems.microtub.central.behaviours.going_round import TRIES
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.pace import Pace
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.protocol import Destination, TouchSide, WorkingMode
from annelid.trial.load import load, parse
from annelid.trial.run import Trial

OBSTACLE = ("obstacle in the open",)


class Walker(Head):
    """On its way to a point 2 m ahead, told to be where its movements would carry it."""

    def __init__(self) -> None:
        super().__init__("TRRRRRR", WorkingMode.OPEN_AIR)
        self.knowledge.task = Task(Want.REACH, Destination.COORDINATES, point=(2.0, 0.0, 0.0))
        self.knowledge.place.half = self.knowledge.length / 2

    def walk(self, decisions: int) -> set[str]:
        """Names of the movements of these decisions."""
        names = set()
        for _ in range(decisions):
            movement = self.think()
            self.knowledge.gait = "" if movement is None else movement.gait
            self.knowledge.place.walk(Pace() if movement is None else movement.pace, 0.2)
            names.add("" if movement is None else movement.name)
        return names

    def touch(self, side: TouchSide) -> None:
        self.knowledge.felt = TouchReport(1, side, None, self.knowledge.now_ns)

    @property
    def around(self) -> bool:
        return self.winners(DESTINATION) == OBSTACLE


@pytest.mark.parametrize(("side", "goes"), [(TouchSide.LEFT, -1), (TouchSide.RIGHT, 1)])
def test_it_goes_back_then_beside_it_and_on_to_the_goal(side: TouchSide, goes: int) -> None:
    robot = Walker()
    robot.walk(5)
    assert not robot.around
    robot.touch(side)
    x, _, _ = robot.knowledge.pose
    assert robot.walk(15) == {"snake backwards"}
    assert robot.knowledge.pose[0] < x - 0.05
    robot.walk(45)
    assert robot.around
    assert goes * robot.knowledge.pose[1] > 0.05
    robot.walk(120)
    assert not robot.around
    assert robot.winners(DESTINATION) == ("reach a place",)


def test_the_side_is_kept_until_the_way_is_free_and_each_try_goes_farther() -> None:
    """A wall: it is felt on either side of the nose, and is as long as it takes."""
    robot, out = Walker(), list[float]()
    for touch in range(3):
        robot.touch((TouchSide.RIGHT, TouchSide.LEFT, TouchSide.NOSE)[touch])
        robot.walk(2)
        while robot.around and len(out) < 1000:
            robot.walk(1)
        out.append(robot.knowledge.pose[1])
    assert 0 < out[0] < out[1] < out[2]


def test_what_cannot_be_gone_round_ends_the_task() -> None:
    robot, sides = Walker(), set()
    task = robot.knowledge.task
    for _ in range(2 * TRIES + 1):
        robot.touch(TouchSide.LEFT)
        robot.walk(2)
        while task.going_on and robot.walk(1) == {"snake backwards"}:
            pass
        if task.going_on:
            sides.add(robot.mind.guidance.decision(DESTINATION).value[1] > 0)
    assert sides == {True, False}, "the other side was tried, too"
    assert not task.success
    assert "no way round" in str(task.ended)


def test_a_touch_that_is_wanted_is_not_gone_round() -> None:
    robot = Walker()
    robot.knowledge.task = task = Task(Want.REACH, Destination.TOUCH)
    robot.touch(TouchSide.NOSE)
    robot.walk(1)
    assert task.success


@pytest.mark.slow
def test_a_robot_gets_past_a_box_that_stands_in_its_way() -> None:
    """Rates over drawn boxes and chains are in ``docs/central-control.md``."""
    box = {"shape": "box", "at_mm": [260, 20], "size_mm": [60, 140, 80]}
    says = [{"at_s": 1.5, "say": "RPL 0 700 0 0"}]
    trial = Trial(
        parse(
            {
                "duration_s": 50.0,
                "seed": 4,
                "robot": {"chain": "TRRRRRRR"},
                "world": {"kind": "open-air", "obstacles": [box]},
                "tolerances": {"draw": True},
                "physics": {"timestep_ms": 1.0},
                "control": {"system": "microtub", "options": {"operator": says}},
            }
        )
    )
    farthest = [0.0]
    trial.every(10**8, lambda: farthest.append(max(farthest[-1], trial.sim.poses()[0][0])))
    assert trial.measure().statements_false == ()
    assert farthest[-1] > 0.33, "the box ends at 0.29"


@pytest.mark.slow
def test_a_floor_leads_into_a_pipe_that_is_then_explored() -> None:
    trial, said = Trial(load("floor-into-pipe", overrides={"duration_s": 46.0})), list[str]()
    trial.listeners.append(
        lambda _t, _source, kind, detail: said.append(detail["words"]) if kind == "answer" else None
    )
    assert trial.measure().statements_false == ()
    words = "\n".join(said)
    assert "done, inside a pipe" in words
    assert "the nose is out of the pipe" in words, "nobody measures whether it has slid back"
