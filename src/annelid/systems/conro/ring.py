"""Role-based control in a loop, where the highest number leads (002 §5.3).

A loop has no root.  Every module draws a number, and its signals carry the number of the module
that they come from in the end.  Whoever hears a higher one than its own is synchronised and passes
that number on; whoever hears a lower one takes itself for the conductor and ignores it.

Beyond the paper (FACTS §2): the number heard is forgotten as soon as it was passed on, so that a
lost leader is followed for no longer than its last signal travels; and a signal counts its hops,
so that the number of a leader that is gone does not go round for ever.  Hops also tell the leader
how many modules there are.

No module moves before its first signal: a follower when it hears its first, the leader when its
own comes back.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program
from annelid.motion.roles import Role

HOPS_MAX: Final = 64
"""More than there are modules in any loop."""


def ring(board: Board, role: Role, step_s: float) -> Program:
    parent = board.ports[role.parent].received
    own = int(board.random.integers(1 << 16))
    leader, hops, moving, t = own, 0, False, 0
    while True:
        for connector, delay in role.delays.items():
            if t == delay:
                signal = leader.to_bytes(2, "big") + bytes([hops + 1])
                board.ports[connector].send(Frame(signal))
                leader, hops = own, 0
        for heard in parent.drain():
            number, passed = int.from_bytes(heard.data[:2], "big"), heard.data[2]
            if own < number and passed < HOPS_MAX:
                leader, hops, moving, t = number, passed, True, 0
            elif number == own:
                moving = True
        if moving:
            for servo, angle in role.action(t).items():
                board.servos[servo].target = angle
        t = (t + 1) % role.period
        yield board.sleep(step_s)
