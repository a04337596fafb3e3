"""The gait control table, in both forms that 002 §2 compares its roles with.

A column is what one module does, row by row.  Either a master counts the rows, and every module
relays the number and does its part of it (``triggered``); or modules are taken to be in time, and
each goes through its column by itself (``open_loop``).

On CONRO there is no bus: the master is the root, and its numbers go from neighbour to neighbour.
That is the best such a master can do here; writing to every module in turn would put as many
messages through its first connector as there are modules, for each row.

Which column is whose must be told (``lineage.py``), and anew when the body changes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from annelid.electronics.board import Board
from annelid.kernel import Program, Receive
from annelid.motion.roles import Role
from annelid.systems.conro.step_frame import step_frame, step_in

Column = tuple[Mapping[str, float], ...]
"""By row: the angle of each servo, rad."""


def column(role: Role, behind: int) -> Column:
    """The role's motion for a module that is so many steps behind the first."""
    return tuple(role.action((row - behind) % role.period) for row in range(role.period))


def triggered(
    board: Board, parent: str, children: Sequence[str], own: Column, step_s: float, *, master: bool
) -> Program:
    row = 0
    while True:
        if not master:
            heard = yield Receive(board.ports[parent].received)
            row = (step_in(heard.data) or 0) % len(own)
        for connector in children:
            board.ports[connector].send(step_frame(row))
        for servo, angle in own[row].items():
            board.servos[servo].target = angle
        if master:
            row = (row + 1) % len(own)
            yield board.tick(step_s)


def open_loop(board: Board, own: Column, step_s: float) -> Program:
    while True:
        for angles in own:
            for servo, angle in angles.items():
                board.servos[servo].target = angle
            yield board.tick(step_s)
