"""Role-based control of any configuration: the module with the highest number leads (002 §6).

Signals go up as well as down.  Down, one is sent at t = d and sets the child to 0, as in
``tree.py``; up, it is sent at t = 0 and sets the parent to the d of the connector it came by: the
child is so far behind it either way.  A module that hears a higher number than the one it follows
takes the sender for its source, and passes the number on to all others; in a tree none comes back.

The leader counts its rounds, and a module follows a number only in a new round: so a signal goes
round no cycle twice, and a leader that is gone is heard no more.  One that has heard no new round
for two periods takes itself for the conductor, and moves.  Nobody else moves before its first
signal.  A leg that has the highest number cannot say so before it has heard where it hangs; nobody
follows it yet, so it begins its cycle there and answers at once.  A conductor that hears its own
number in a later round than its own draws another: somebody else has it too.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program
from annelid.motion.casts import WAITING, Cast

ROUNDS: Final = 64
"""Counted in six bits; of two, the later one is less than half of this ahead."""
SLOTS: Final = 4
"""Two that look at each other and signal at once hear nothing (light is half duplex).  So everybody
signals by chance up to three steps late, and says how many in the two bits that are left."""


def general(board: Board, cast: Cast, step_s: float) -> Program:
    own, rounds = (int(board.random.integers(sides)) for sides in (1 << 16, ROUNDS))
    docked = {name for name, latch in board.latches.items() if latch.closed}
    role, moving, t, late = cast.local(docked) or WAITING, False, 0, 0
    leader, source, silent = own, "", 0
    while True:
        fresh = False
        for connector, port in board.ports.items():
            for heard in port.received.drain():
                number, told = int.from_bytes(heard.data[:2], "big"), heard.data[2] // SLOTS
                t = 0 if role is WAITING else t
                role, moving = cast.chosen(heard.data[3:], connector) or role, True
                later = 0 < (told - rounds) % ROUNDS < ROUNDS / 2
                if number > leader or (number == leader != own and later):
                    leader, rounds, source, silent, fresh = number, told, connector, 0, True
                    late = int(board.random.integers(SLOTS))
                    t = role.delays.get(connector, 0) + heard.data[2] % SLOTS
                elif number == own == leader and later:
                    own = leader = int(board.random.integers(1 << 16))
        silent += 1
        if silent > 2 * cast.root.period:
            leader, source, moving = own, "", True
        for connector in role.connectors:
            behind = (t - role.delays.get(connector, 0)) % role.period
            if connector != source and (behind == late or (fresh and late < behind < SLOTS)):
                signal = leader.to_bytes(2, "big") + bytes([rounds * SLOTS + behind])
                board.ports[connector].send(Frame(signal + cast.signal(role, connector)))
        if moving:
            for servo, angle in role.action(t).items():
                board.servos[servo].target = angle
        t = (t + 1) % cast.root.period
        if t == 0 and leader == own:
            rounds, late = (rounds + 1) % ROUNDS, int(board.random.integers(SLOTS))
        yield board.tick(step_s)
