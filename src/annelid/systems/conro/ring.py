"""Role-based control in a loop, where the highest number leads (002 §5.3).

A loop has no root.  Every module draws a number, and its signals carry the number of the module
that they come from in the end.  Whoever hears a higher one than its own is synchronised and passes
that number on; whoever hears a lower one takes itself for the conductor and ignores it.

Beyond the paper (FACTS §2): the number heard is forgotten as soon as it was passed on, so that a
lost leader is followed for no longer than its last signal travels; and a signal counts its hops,
so that the number of a leader that is gone does not go round for ever.  Hops also tell when one's
own number should be back; if it comes at another time another module has it too, and a new one is
drawn.

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
"""As many modules as a loop may have."""
LATE, EARLY = 2, 0.9
"""Steps that a hop may cost beyond d, and where in the cycle a number that comes by clocks that are
fast is rather early than late."""


def ring(board: Board, role: Role, step_s: float) -> Program:
    parent = board.ports[role.parent].received
    ((child, delay),) = role.delays.items()
    own = int(board.random.integers(1 << 16))
    leader, hops, moving, t = own, 0, False, 0
    while True:
        if t == delay:
            board.ports[child].send(Frame(leader.to_bytes(2, "big") + bytes([hops + 1])))
            leader, hops = own, 0
        for heard in parent.drain():
            number, passed = int.from_bytes(heard.data[:2], "big"), heard.data[2]
            if own < number and passed < HOPS_MAX:
                leader, hops, moving, t = number, passed, True, 0
            elif number == own:
                moving = True
                if LATE * passed < (t - passed * delay) % role.period < EARLY * role.period:
                    own = leader = int(board.random.integers(1 << 16))
        if moving:
            for servo, angle in role.action(t).items():
                board.servos[servo].target = angle
        t = (t + 1) % role.period
        yield board.sleep(step_s)
