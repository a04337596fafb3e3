"""Role-based control in a loop, where the highest number leads (002 §5.3).

A loop has no root.  Every module draws a number, and its signals carry the number of the module
that they come from in the end.  A module that hears a higher one than its own is synchronised and
passes that number on; one that hears a lower one takes itself for the conductor and ignores it.

Beyond the paper (FACTS §2): the number heard is forgotten as soon as it was passed on, so that a
lost leader is followed for no longer than its last signal travels; and a signal counts its hops,
so that the number of a leader that is gone does not go round for ever.  Hops also tell when one's
own number should be back; if it comes at another time another module has it too, and a new one is
drawn.

Nobody is told how many modules there are, on which A(t) and d depend: as 002 proposes, the leader
finds out by the hops after which its number is back, and its signals say so.  Until then signals
are passed on at once, and no module moves.
"""

from __future__ import annotations

from collections.abc import Mapping
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


def ring(board: Board, roles: Mapping[int, Role], step_s: float) -> Program:
    role = roles[min(roles)]
    parent = board.ports[role.parent].received
    (child,) = role.delays
    own = int(board.random.integers(1 << 16))
    leader, hops, size, t = own, 0, 0, 0
    while True:
        role = roles.get(size, role)
        delay = role.delays[child] if size else 1
        if t == delay:
            board.ports[child].send(Frame(leader.to_bytes(2, "big") + bytes([size, hops + 1])))
            leader, hops = own, 0
        for heard in parent.drain():
            number, (told, passed) = int.from_bytes(heard.data[:2], "big"), heard.data[2:]
            if own < number and passed < HOPS_MAX:
                leader, hops, size, t = number, passed, told or size, 0
            elif number == own:
                size = passed
                if LATE * passed < (t - passed * delay) % role.period < EARLY * role.period:
                    own = leader = int(board.random.integers(1 << 16))
        if size in roles:
            for servo, angle in role.action(t).items():
                board.servos[servo].target = angle
        t = (t + 1) % role.period
        yield board.tick(step_s)
