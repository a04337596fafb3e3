"""Runs two programs on one board in turns: a module and the central control (000 §6).

Each goes on when what it waits for has come; a board that hangs or dies takes both along.
"""

from __future__ import annotations

from collections.abc import Sequence

from annelid.electronics.board import Board, Firmware
from annelid.kernel import AnyOf, Program, Wait


def side_by_side(board: Board, *, programs: Sequence[Firmware]) -> Program:
    """Until all of them have returned."""
    running = [program(board) for program in programs]
    waits: dict[int, Wait] = {}
    try:
        for place, program in enumerate(running):
            _go_on(place, program, None, waits)
        while waits:
            places = list(waits)
            fired = yield AnyOf(*waits.values())
            place = places[fired.index]
            _go_on(place, running[place], fired.value, waits)
    finally:
        for program in running:
            program.close()


def _go_on(place: int, program: Program, value: object, waits: dict[int, Wait]) -> None:
    """To its next wait, or to its end."""
    try:
        waits[place] = program.send(value)
    except StopIteration:
        waits.pop(place, None)
