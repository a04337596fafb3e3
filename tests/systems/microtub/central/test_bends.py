"""An elbow that was touched on the way out sets the way right on the way back."""

from __future__ import annotations

from math import radians
from typing import Any, cast

import pytest
from tests.systems.microtub.central.test_bifurcations import on_the_way

from annelid.systems.microtub.central.bends import Bends
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.joints import JointAngles
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, LLC2, Command, Message

JOINT, BEHIND_M = 3, 0.079
"""The second R of T R R H R R V P: its address, and how far behind the nose it is."""


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


class Robot:
    """T R R H R R V P on its way."""

    def __init__(self) -> None:
        self.knowledge, bifurcations = on_the_way()
        self.ear = SilentEar()
        self.joints = asker(self.ear, self.knowledge)
        self.bends = Bends(self.joints, self.knowledge, bifurcations, self.ear.log)

    def ask(self) -> None:
        for _ in self.joints.ask(self.bends.wants()):
            pass

    def back(self, way: float, bend_deg: int, *, who: int = JOINT) -> None:
        """One decision on the way back: the joint is asked, answers, and is looked at."""
        self.knowledge.heading = -1
        self.ask()
        self.knowledge.way = way
        for command, angle in ((LLC1.SS1, bend_deg), (LLC1.SS2, 0)):
            self.joints.learn(Message(command, (angle,), sender=who, to=0))
        self.bends.look()


def asker(ear: SilentEar, knowledge: Knowledge) -> JointAngles:
    attentive = cast(Ear, ear)
    return JointAngles(attentive, Inquiry(attentive, knowledge), knowledge)


def test_the_joint_that_straightens_tells_where_the_robot_is():
    robot = Robot()
    knowledge, ear = robot.knowledge, robot.ear
    knowledge.elbows.append(0.300)
    for way, bend in ((0.45, 50), (0.44, 40), (0.43, 30)):
        robot.back(way, bend)
        assert knowledge.way == way
    robot.back(0.42, 10)
    assert knowledge.way == pytest.approx(0.300 + BEHIND_M - 0.005, abs=1e-3), "20° was between"
    assert knowledge.elbows == [], "once"
    assert ear.logged[0][1]["miscounted_m"] == pytest.approx(0.425 - 0.379, abs=1e-3)
    assert {(LLC1.GS1, JOINT), (LLC1.GS2, JOINT)} <= set(ear.said)
    assert LLC2.SIM in {command for command, _ in ear.said}, "the way of the same moment"


def test_of_two_elbows_the_nearer_and_what_is_behind_it_is_kept():
    robot = Robot()
    knowledge = robot.knowledge
    knowledge.elbows += [0.1, 0.5]
    robot.back(0.60, 40)
    robot.back(0.58, 0)
    assert knowledge.elbows == [0.1]


def test_a_bend_that_nobody_knows_of_changes_nothing():
    robot = Robot()
    knowledge = robot.knowledge
    knowledge.elbows.append(0.9)
    robot.back(0.45, 50)
    robot.back(0.42, 0)
    assert (knowledge.way, knowledge.elbows) == (0.42, [0.9])


@pytest.mark.parametrize("case", ["ahead", "rocking", "no elbow", "another module"])
def test_what_tells_nothing_is_not_asked_or_not_heard(case: str):
    robot = Robot()
    knowledge, ear = robot.knowledge, robot.ear
    if case != "no elbow":
        knowledge.elbows.append(0.3)
    knowledge.rocking = case == "rocking"
    who = 5 if case == "another module" else JOINT
    robot.back(0.45, 50, who=who)
    if case == "ahead":
        knowledge.heading = 1
        ear.said.clear()
        robot.ask()
        assert ear.said == []
    if case != "another module":
        assert (LLC1.GS1, JOINT) not in ear.said
    robot.back(0.42, 0, who=who)
    if case != "ahead":
        assert knowledge.way == 0.42


def test_a_joint_that_several_want_is_asked_once_and_an_old_answer_is_forgotten():
    robot = Robot()
    for _ in robot.joints.ask([JOINT, 2, JOINT]):
        pass
    assert robot.ear.said.count((LLC1.GS1, JOINT)) == 1
    for command, angle in ((LLC1.SS1, 30), (LLC1.SS2, -10)):
        robot.joints.learn(Message(command, (angle,), sender=JOINT, to=0))
    bend = robot.joints.of(JOINT)
    assert bend is not None
    assert bend == pytest.approx((radians(30), radians(-10)))
    assert robot.joints.total([JOINT, 2]) is None, "the other has not answered"
    for _ in robot.joints.ask([JOINT]):
        pass
    assert robot.joints.of(JOINT) is None
