"""Role-based control of any configuration: the module with the highest number leads (002 §6).

Signals go up as well as down.  Down, one is sent at t = d and sets the child to 0, as in
``tree.py``; up, it is sent at t = 0 and sets the parent to the d of the connector it came by: the
child is so far behind it either way.  A module that hears a higher number than the one it follows
takes the sender for its source, and passes the number on to all others; in a tree none comes back.

As in ``ring.py``, hops end what goes round for ever, and nobody moves before the first signal.
A module that has heard no leader for two periods takes itself for the conductor, and moves: so the
number of a lost leader is forgotten.  Where there is no loop to come round, the number one follows
is passed on whichever side it comes from, and a conductor that hears its own draws another:
somebody else has it too.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program
from annelid.motion.casts import WAITING, Cast

HOPS_MAX: Final = 64
"""More than there are modules in any robot."""


def general(board: Board, cast: Cast, step_s: float) -> Program:
    own = int(board.random.integers(1 << 16))
    docked = {name for name, latch in board.latches.items() if latch.closed}
    role, moving, t = cast.local(docked) or WAITING, False, 0
    leader, hops, source, silent = own, 0, "", 0
    while True:
        for connector, port in board.ports.items():
            for heard in port.received.drain():
                number, passed = int.from_bytes(heard.data[:2], "big"), heard.data[2]
                role, moving = cast.chosen(heard.data[3:], connector) or role, True
                again = number == leader != own and (connector == source or not role.loop)
                if (number > leader or again) and passed < HOPS_MAX:
                    leader, hops, source, silent = number, passed, connector, 0
                    t = role.delays.get(connector, 0)
                elif number == own == leader and not role.loop:
                    own = leader = int(board.random.integers(1 << 16))
        silent += 1
        if silent > 2 * cast.root.period:
            leader, hops, source, moving = own, 0, "", True
        for connector in role.connectors:
            if t == role.delays.get(connector, 0) and connector != source:
                signal = leader.to_bytes(2, "big") + bytes([hops + 1])
                board.ports[connector].send(Frame(signal + cast.signal(role, connector)))
        if moving:
            for servo, angle in role.action(t).items():
                board.servos[servo].target = angle
        t = (t + 1) % cast.root.period
        yield board.tick(step_s)
