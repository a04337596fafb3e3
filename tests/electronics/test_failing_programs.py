"""Whatever a user's program does, its board fails alone, and the line is told."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from typing import Any

import pytest
from tests.electronics.circuits import rig

from annelid.electronics.board import Board
from annelid.electronics.node import NodeState
from annelid.kernel import Program


class Own(BaseException):
    pass


def leaves(board: Board) -> Program:
    yield board.sleep(0.01)
    raise SystemExit


def exits(board: Board) -> Program:
    yield board.sleep(0.01)
    sys.exit("enough")


def throws_own(board: Board) -> Program:
    yield board.sleep(0.01)
    raise Own


def sleeps_for_ever(board: Board) -> Program:
    yield board.sleep(math.inf)


def sleeps_not_at_all(board: Board) -> Program:
    yield board.sleep(math.nan)


def sleeps_too_long(board: Board) -> Program:
    yield board.sleep(1e300)


def turns_nowhere(board: Board) -> Program:
    yield board.sleep(0.01)
    board.servos["yaw"].target = math.nan


def calls_itself(board: Board) -> Program:
    yield from calls_itself(board)


def waits_for_a_number(board: Board) -> Program:
    yield 3  # type: ignore[misc]


def asks_for_much(board: Board) -> Program:
    yield board.sleep(0.01)
    bytearray(1 << 62)


def is_no_program(board: Board) -> Any:
    return 7


def fails_at_once(board: Board) -> Any:
    return board.servos["nose"]


@pytest.mark.parametrize(
    "bad",
    [
        *(leaves, exits, throws_own, sleeps_for_ever, sleeps_not_at_all, sleeps_too_long),
        *(turns_nowhere, calls_itself, waits_for_a_number, asks_for_much, is_no_program),
        fails_at_once,
    ],
    ids=lambda bad: bad.__name__,
)
def test_a_program_that_fails_fails_alone(bad: Callable[[Board], Program]) -> None:
    setup = rig()
    ticks: list[int] = []

    def good(board: Board) -> Program:
        while True:
            yield board.sleep(0.010)
            ticks.append(board.now)

    node = setup.started("R1", bad)
    setup.started("R2", good)
    setup.run(0.105)
    assert node.state is NodeState.CRASHED
    assert node.error is not None
    assert len(ticks) == 10
    (crash,) = setup.details("crash")
    if bad is not is_no_program:
        assert crash["where"].startswith("test_failing_programs.py:")
