"""Hormone control, which 002 §2 compares its roles with: a message goes through the body first.

The head emits a hormone that says which step is due; a module that gets it does that step, and
passes on the one that is due behind it, d earlier.  One way, the head goes on by its clock (the
earlier work that 002 cites); both ways, every module answers when all behind it have, and the head
begins the next action only then (the later work).  So each action costs a way through the whole
body and back, and a hormone that is lost stops it for good.

Modules act the moment a hormone comes, which is the best they can do.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program, Receive
from annelid.motion.roles import Role
from annelid.systems.conro.step_frame import step_frame, step_in

DONE: Final = Frame(b"\x06")
"""All behind me have acted."""


def hormone(board: Board, role: Role, step_s: float, *, both_ways: bool) -> Program:
    head, t = not board.latches[role.parent].closed, 0
    while True:
        if not head:
            heard = yield Receive(board.ports[role.parent].received)
            t = (step_in(heard.data) or 0) % role.period
        behind = [connector for connector in role.delays if board.latches[connector].closed]
        for connector in behind:
            board.ports[connector].send(step_frame((t - role.delays[connector]) % role.period))
        for servo, angle in role.action(t).items():
            board.servos[servo].target = angle
        if both_ways:
            for connector in behind:
                yield Receive(board.ports[connector].received)
            if not head:
                board.ports[role.parent].send(DONE)
        if head:
            t = (t + 1) % role.period
            yield board.sleep(step_s)
