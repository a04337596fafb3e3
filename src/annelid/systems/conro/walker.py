"""Roles chosen by a module's place, with a delay for each connector (002 §8).

The loop of ``tree.py``, and two things more: a signal says who sent it through which connector,
from which the receiver takes its role; and a module whose own connectors tell that it is a root
begins by itself.  Legs that are docked while the robot walks fall in with their first signal, and a
piece that is cut off goes on by itself.
"""

from __future__ import annotations

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program
from annelid.motion.casts import WAITING, Cast


def walker(board: Board, cast: Cast, step_s: float) -> Program:
    role, t = WAITING, 0
    while True:
        if t == 0 and not board.latches[cast.root.parent].closed:
            docked = {name for name, latch in board.latches.items() if latch.closed}
            role = cast.local(docked) or role
        for connector, delay in role.delays.items():
            if t == delay:
                board.ports[connector].send(Frame(cast.signal(role, connector)))
        for connector in cast.parents:
            for heard in board.ports[connector].received.drain():
                role, t = cast.chosen(heard.data, connector) or role, 0
        for servo, angle in role.action(t).items():
            board.servos[servo].target = angle
        t = (t + 1) % cast.root.period
        yield board.tick(step_s)
