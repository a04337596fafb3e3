"""The central control feels an elbow by the joints of a robot that gives way."""

from __future__ import annotations

from math import radians
from typing import cast

import pytest
from tests.systems.microtub.central.test_elbows import SilentEar, asker

from annelid.kernel import seconds
from annelid.systems.microtub.central.behaviours.walking import in_pipe
from annelid.systems.microtub.central.catalogue import catalogue
from annelid.systems.microtub.central.giving_way import BENT, NONE_S, GivingWay
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Executive, Movement, Order
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import LLC1, LLC2, Message, WorkingMode

THINK_S = 0.2


class Snake:
    """T and four R whose joints answer what a test says."""

    def __init__(self) -> None:
        self.knowledge = Knowledge(mode=WorkingMode.PIPE, heading=1, gait="MO1")
        ids = "crrrr"
        self.knowledge.parts = tuple(
            KnownModule(place, each, "0" * 17, kind=catalogue()[each])
            for place, each in enumerate(ids, 1)
        )
        self.ear = SilentEar()
        self.joints = asker(self.ear, self.knowledge)
        self.watch = GivingWay(self.joints, self.knowledge, self.ear.log)

    def go(self, time_s: float, *yaws_deg: int) -> None:
        for _ in range(round(time_s / THINK_S)):
            self.knowledge.now_ns += seconds(THINK_S)
            for _ in self.joints.ask(self.watch.wants()):
                pass
            for address, yaw in enumerate(yaws_deg, 2):
                for command, angle in ((LLC1.SS1, yaw), (LLC1.SS2, 0)):
                    self.joints.learn(Message(command, (angle,), sender=address, to=63))
            self.watch.look()


def test_a_zigzag_is_no_bend_and_a_bend_is_told_with_its_direction_and_angle():
    snake = Snake()
    snake.go(5.0, 40, -40, 20, 90)
    assert snake.knowledge.bend_deg is None, "it cancels, and the last joint lies as it likes"
    snake.go(5.0, -30, -25, -25, 0)
    assert snake.knowledge.bend_deg == 180
    snake.knowledge.turning = True  # as the obstacle behaviour does
    snake.go(5.0, -30, -25, -25, 0)
    assert snake.knowledge.turning
    assert snake.knowledge.bent == pytest.approx(radians(80), abs=0.1)
    snake.go(5.0, 0, 0, -20, 0)
    assert (snake.knowledge.turning, snake.knowledge.turn_ended) == (False, True)


def test_a_touch_that_bends_nothing_was_no_elbow():
    snake = Snake()
    snake.knowledge.turning = True
    snake.go(NONE_S / 2, 0, 0, 0, 0)
    assert snake.knowledge.turning
    snake.go(NONE_S, 0, 10, 10, 0)
    assert (snake.knowledge.turning, snake.knowledge.turn_ended) == (False, False)
    assert radians(20) < BENT


def test_a_robot_that_pushes_asks_nobody():
    snake = Snake()
    snake.knowledge.gait = "MHE"
    snake.go(5.0, 30, 30, 30, 0)
    assert snake.ear.said == []
    assert snake.knowledge.bend_deg is None


def test_round_an_elbow_only_the_turn_is_said_and_the_movement_goes_on():
    ear, knowledge = SilentEar(), Knowledge()
    executive = Executive(cast(Ear, ear), knowledge)
    wave = Movement("snake", (Order(LLC2.SPD, (100,)), Order(LLC2.MO1)), heading=1, gait="MO1")
    turn = in_pipe(wave, 90)

    def said(movement: Movement) -> list[str]:
        ear.said.clear()
        for _ in executive.carry_out(movement):
            pass
        return [command.name for command, _ in ear.said if command is not LLC2.CM]

    assert said(turn) == ["SPD", "MO1", "TUP"], "from standing"
    assert said(wave) == ["TSF"]
    assert said(turn) == ["TUP"]
    assert said(in_pipe(wave, 180)) == ["TSF", "SPD", "MO1", "TUP"]
    assert knowledge.waving
