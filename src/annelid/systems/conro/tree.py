"""Role-based control in a tree (002 §3), the paper's loop line by line::

    t = 0
    while(1) {
    if (t=d) then <send signal to child connectors>
    if <signal received from parent> then t=0
    <perform action A(t)>
    t = (t+1) modulus T
    }

No module moves before its first signal; one whose parent connector is free is a root, and begins
by itself.  A step is a tick of the board's timer, so that a pass that took long does not make the
cycle longer (§7); what timers still drift apart in a period, the next signal mends.  From the steps
that it counts between two signals, which are whole periods of its parent, a module also learns how
many of its own steps a period has (ours, not the paper's): where a signal does not come it begins
its next cycle then, and so stays in step when most signals are lost.  A cycle that did begin with a
signal goes on as in the paper.  If its steps were stretched too, one late signal would make the
next one later, and a chain of 64 would pass on a growing error.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program, Receive
from annelid.motion.roles import Role

SIGNAL: Final = Frame(b"\x01")
"""One byte; that it comes is all it says."""
LEARN, WRONG = 0.5, 0.05
"""How much of what its timer seems to be off a module believes at a time, as counts are whole
steps; and how far two timers may be off each other.  What is farther is no matter of timers:
another parent, or a cycle that was closed."""


def tree(board: Board, role: Role, step_s: float) -> Program:
    parent = board.ports[role.parent].received
    if board.latches[role.parent].closed:
        yield Receive(parent)
    t, since, cycle = 0, 0, float(role.period)
    while True:
        for connector, delay in role.delays.items():
            if t == delay:
                board.ports[connector].send(SIGNAL)
        if parent.drain():
            own = since / max(1, round(since / role.period))
            if abs(own / role.period - 1) < WRONG:
                cycle = max((cycle + LEARN * (own - cycle), *(1 + d for d in role.delays.values())))
            t = since = 0
        for servo, angle in role.action(t).items():
            board.servos[servo].target = angle
        since += 1
        t = int(since % cycle)
        yield board.tick(step_s)
