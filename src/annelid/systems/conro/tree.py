"""Role-based control in a tree (002 §3), the paper's loop line by line::

    t = 0
    while(1) {
    if (t=d) then <send signal to child connectors>
    if <signal received from parent> then t=0
    <perform action A(t)>
    t = (t+1) modulus T
    }

No module moves before its first signal; one whose parent connector is free is a root, and begins by
itself.  A signal is seen at the next step, half a step later on the average; so a module waits half
a step after its first one as well.  If it began at once, first periods would be longer than the
others, the more so along a chain, and would be taken for a wrong timer.  A step is a tick of the
board's timer, so that a pass that took long does not make the cycle longer (§7); what timers still
drift apart in a period, the next signal mends.  From the steps that it counts between two signals,
which are whole periods of its parent, a module also learns how many of its own steps a period has
(ours, not the paper's).  It takes the mean over the periods that it has counted, so that a parent
which jumps when it is set right itself counts for little.  Where a signal does not come it begins
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
MEMORY, WRONG = 16, 0.05
"""Periods over which a module takes the mean of its count; and how far two timers may be off each
other.  What is farther is no matter of timers: another parent, or a cycle that was closed.  Who
knows its period asks that of the whole count; so does a root, which counts from no signal."""


def tree(board: Board, role: Role, step_s: float) -> Program:
    if board.latches[role.parent].closed:
        yield Receive(board.ports[role.parent].received)
        yield board.sleep(step_s / 2)
    t, since, known, cycle = 0, 0, 1 - board.latches[role.parent].closed, float(role.period)
    while True:
        for connector, delay in role.delays.items():
            if t == min(delay, int(cycle) - 1):
                board.ports[connector].send(SIGNAL)
        if board.ports[role.parent].received.drain():
            periods = max(1, round(since / cycle))
            if abs(since - periods * cycle) < WRONG * role.period * (1 if known else periods):
                cycle += (since - periods * cycle) / (known := min(known, MEMORY) + periods)
            t = since = 0
        for servo, angle in role.action(t).items():
            board.servos[servo].target = angle
        since += 1
        t = int(since % cycle)
        yield board.tick(step_s)
