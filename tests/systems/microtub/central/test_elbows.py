"""The joints of a pushed robot tell where elbows are, and set the way right on the way back."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from math import degrees, radians
from typing import Any, cast

import pytest
from tests.systems.microtub.central.test_bifurcations import on_the_way

from annelid.systems.microtub.central.elbows import Elbows
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.joints import JointAngles
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.mapping import PlaceKind
from annelid.systems.microtub.protocol import LLC1, LLC2, Command, Message

JOINT = 3
"""The second R of T R R H R R V P: its address."""
STEP_M = 0.006
"""Way between two decisions."""


class SilentEar:
    """Says nothing on a bus, and keeps what was said."""

    def __init__(self) -> None:
        self.said: list[tuple[Command, int]] = []
        self.board = self
        self.logged: list[tuple[str, Any]] = []

    def say(self, command: Command, *_: object, to: int = 0) -> Any:
        self.said.append((command, to))
        yield from ()
        return True

    def log(self, kind: str, detail: Any) -> None:
        self.logged.append((kind, detail))


def asker(ear: SilentEar, knowledge: Knowledge) -> JointAngles:
    attentive = cast(Ear, ear)
    return JointAngles(attentive, Inquiry(attentive, knowledge), knowledge)


class Robot:
    """T R R H R R V P in a pipe with elbows, (where the middle is, m; angle, degrees)."""

    def __init__(self, *elbows: tuple[float, float]) -> None:
        self.knowledge, self.bifurcations = on_the_way()
        self.ear = SilentEar()
        self.joints = asker(self.ear, self.knowledge)
        self.elbows = Elbows(self.joints, self.knowledge, self.bifurcations, self.ear.log)
        self.truth = elbows
        self.at = 0.0
        self.lean_deg = 0.0
        """Of the nose against the pipe, to and fro."""
        self.early_deg = 0.0
        """By so much the nose is turned into an elbow before it is there."""

    def heading_deg(self, way: float) -> float:
        """Of the pipe there: elbows are arcs of 90 mm."""
        return sum(
            angle * min(max((way - middle + 0.045) / 0.09, 0.0), 1.0)
            for middle, angle in self.truth
        )

    def go(self, to: float, *, counts: float = 1.0) -> None:
        """The traveller counts so much per true metre."""
        knowledge, body = self.knowledge, self.bifurcations.backbone
        sense = 1 if to > self.at else -1
        if (sense > 0) is not knowledge.pipes.forwards:
            knowledge.pipes.reversed()
        knowledge.heading = sense
        places = (0.0, *body.joints, body.length)
        links = [(front + back) / 2 for front, back in pairwise(places)]
        while sense * (to - self.at) > 0:
            self.ask()
            self.at += sense * STEP_M
            before = knowledge.way
            knowledge.way += counts * sense * STEP_M
            self.lean_deg = -self.lean_deg
            headings = [self.heading_deg(self.at - behind) for behind in links]
            headings[0] += self.lean_deg + self.turned_early_deg(headings[0])
            self.answer([front - back for front, back in pairwise(headings)])
            knowledge.pipes.advance(abs(knowledge.way - before))
            self.elbows.look()

    def turned_early_deg(self, heading: float) -> float:
        ahead = self.heading_deg(self.at + 0.06)
        return self.early_deg if abs(ahead) > 5.0 and abs(heading) < self.early_deg else 0.0

    def ask(self) -> None:
        for _ in self.joints.ask(self.elbows.wants()):
            pass

    def answer(self, bends_deg: list[float]) -> None:
        """Of the joints, head first."""
        for address, yaw in zip(self.bifurcations.joints, bends_deg, strict=True):
            for command, angle in ((LLC1.SS1, round(yaw)), (LLC1.SS2, 0)):
                self.joints.learn(Message(command, (angle,), sender=address, to=0))


def test_an_elbow_goes_on_the_map_with_its_middle_and_its_angle():
    robot = Robot((0.5, 55.0))
    robot.lean_deg = 6.0
    robot.go(0.9)
    (elbow,) = robot.knowledge.elbows
    assert elbow.middle == pytest.approx(0.5, abs=0.012)
    assert degrees(elbow.angle) == pytest.approx(55, abs=6)
    graph = robot.knowledge.pipes.graph
    (place,) = (each for each in graph.places.values() if each.kind is PlaceKind.TURN)
    assert graph.along(*graph.centre(place)) == pytest.approx(0.5, abs=0.02)
    assert degrees(graph.stretches[place.onward[0]].way.angle) == pytest.approx(55, abs=6)
    robot.lean_deg = 0.0
    robot.go(0.3)
    onward = graph.stretches[place.onward[0]]
    assert degrees(onward.way.angle) == pytest.approx(55, abs=2), "drawn, not bent"
    assert LLC2.SIM in {command for command, _ in robot.ear.said}, "the way of the same moment"


def test_a_nose_that_is_turned_ahead_of_the_pipe_does_not_bring_the_elbow_nearer():
    """As the dialogue turns it: half of the sum is there 45 mm before the elbow's middle."""
    robot = Robot((0.5, 84.0))
    robot.early_deg = 50.0
    robot.go(0.9)
    (elbow,) = robot.knowledge.elbows
    assert elbow.middle == pytest.approx(0.5, abs=0.015)


def test_the_nose_is_known_to_look_aside_in_an_elbow_and_not_in_a_straight_pipe():
    robot = Robot((0.5, 60.0))
    robot.go(0.3)
    assert not robot.knowledge.askew
    robot.go(0.56)
    assert robot.knowledge.askew
    robot.go(0.9)
    assert not robot.knowledge.askew


def test_elbows_that_follow_each_other_are_two():
    robot = Robot((0.5, 60.0), (0.65, -45.0))
    robot.go(1.1)
    first, second = robot.knowledge.elbows
    assert (round(degrees(first.towards)), round(degrees(second.towards))) == (0, 180)
    assert second.middle == pytest.approx(0.65, abs=0.02)


@pytest.mark.parametrize("lean_deg", [0.0, 12.0])
def test_the_tail_that_comes_out_of_one_does_not_begin_the_next(lean_deg: float):
    """The first is thought to be farther on than it is: when the tail is out of it already the sum
    lacks its angle, long before the nose comes to the second."""
    robot = Robot((0.4, 60.0), (0.72, 70.0))
    robot.lean_deg = lean_deg
    robot.go(0.6)
    (first,) = robot.knowledge.elbows
    robot.knowledge.elbows[:] = [replace(first, middle=first.middle + 0.05)]
    robot.go(1.2)
    _, second = robot.knowledge.elbows
    assert second.middle == pytest.approx(0.72, abs=0.02)


def test_the_play_of_a_straight_pipe_is_no_elbow():
    robot = Robot()
    robot.lean_deg = 15.0
    robot.go(0.9)
    assert robot.knowledge.elbows == []


@pytest.mark.parametrize("counts", [0.85, 1.0, 1.12])
def test_on_the_way_back_an_elbow_sets_the_way_right(counts: float):
    robot = Robot((0.4, 70.0))
    robot.go(0.95)
    robot.knowledge.off = 0.2
    robot.go(0.3, counts=counts)
    assert robot.knowledge.way == pytest.approx(0.3, abs=0.035)
    assert robot.knowledge.off < 0.1
    assert {kind for kind, _ in robot.ear.logged} == {"elbow passed", "milestone"}
    assert robot.knowledge.elbows == [], "it has been left"


def test_a_bend_that_nobody_knows_of_changes_nothing():
    robot = Robot((0.4, 70.0))
    robot.go(0.95)
    robot.knowledge.elbows.clear()
    robot.go(0.3, counts=0.9)
    assert robot.knowledge.way == pytest.approx(0.95 - 0.9 * 0.65, abs=0.01)


def test_a_robot_that_waves_asks_nobody():
    robot = Robot((0.4, 70.0))
    robot.knowledge.gait = "MO1"
    robot.go(0.9)
    assert robot.ear.said == []
    assert robot.knowledge.elbows == []


def test_a_joint_that_several_want_is_asked_once_and_an_old_answer_is_forgotten():
    robot = Robot()
    for _ in robot.joints.ask([JOINT, 2, JOINT]):
        pass
    assert robot.ear.said.count((LLC1.GS1, JOINT)) == 1
    for command, angle in ((LLC1.SS1, 30), (LLC1.SS2, -10)):
        robot.joints.learn(Message(command, (angle,), sender=JOINT, to=0))
    assert robot.joints.of(JOINT) == pytest.approx((radians(30), radians(-10)))
    assert robot.joints.total([JOINT, 2]) is None, "the other has not answered"
    for _ in robot.joints.ask([JOINT]):
        pass
    assert robot.joints.of(JOINT) is None
