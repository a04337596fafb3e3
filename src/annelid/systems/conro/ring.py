"""Role-based control in a loop, where the highest number leads (002 §5.3).

A loop has no root.  Every module draws a number, and its signals carry the number of the module
that they come from in the end.  One that conducts and hears a higher number follows it; a lower one
it ignores.  One that follows passes on what it hears.

Nobody is told how many modules there are, on which A(t) and d depend.  As 002 proposes, the leader
finds out by the hops after which its number is back.  Then nobody moves before the leader's word
that everybody knows; servos hold what they have till then, for a limp loop would sag and fall:

1. The leader's signals say the size; that its number comes back with the size means that all have
   passed it on.
2. Then they say in how many steps all begin.  Everybody counts down for itself, so a word that gets
   lost costs nothing as long as a later one arrives; till then signals are sent every other step.
3. All begin at once, each as far behind the leader as its hops say, and bring their servos from
   where they are into the wave within a quarter of a cycle.  A module that missed the beginning
   falls in with the first signal of a neighbour that moves.

If the number comes back after another number of hops, the loop has changed: all stop and begin
anew.  A leader also counts its rounds.  A signal that comes by a second time, after more hops, has
passed the place of its leader, who is gone: everybody takes itself for the conductor until it hears
a higher number.  While the loop is open there, the module behind the gap goes on by its own clock,
and all others follow it.  A leader that hears its number in a later round than its own has a twin,
and draws another.
"""

from __future__ import annotations

from collections.abc import Mapping
from struct import Struct
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame
from annelid.kernel import Program
from annelid.motion.roles import Role

HOPS_MAX: Final = 64
"""As many modules as a loop may have."""
NEVER: Final = 0xFFFF
"""In place of the steps that are left: nobody has said yet that all know."""
SIGNAL: Final = Struct(">HBBBH")
"""Number, round, size (0: not known), hops, steps left (0: they move)."""
ROUNDS, HASTE, COUNT, EASE = 256, 2, 16, 4
"""Rounds that are told apart; steps between signals before all move; steps counted down for each
module of the loop; as this part of a cycle, how long servos are brought into the wave."""


def ring(board: Board, roles: Mapping[int, Role], step_s: float) -> Program:
    role, (child,) = roles[min(roles)], roles[min(roles)].delays
    heard, held, gone = board.ports[role.parent].received, dict[str, float](), (0, -1)
    own, rounds = (int(board.random.integers(sides)) for sides in (1 << 16, ROUNDS))
    leader, hops, size, wait, t, eased = own, 0, 0, NEVER, 0, 0.0
    for servo in role.motion:
        board.servos[servo].target = board.servos[servo].angle
    while True:
        role = roles.get(size, role)
        if t == role.delays[child] if wait == 0 else t % HASTE == 0:
            board.ports[child].send(Frame(SIGNAL.pack(leader, rounds, size, hops + 1, wait)))
        for signal in heard.drain():
            number, said, told, passed, left = SIGNAL.unpack(signal.data)
            resized = told not in (0, size)
            if number == own == leader and 0 < (said - rounds) % ROUNDS < ROUNDS / 2:
                own = leader = int(board.random.integers(1 << 16))
            elif number == own == leader and passed != size:
                size, wait = passed, NEVER
            elif number == own == leader and told == size and wait == NEVER:
                wait = COUNT * size
            elif passed >= HOPS_MAX or (number == leader != own and passed > hops):
                leader, hops, gone = own, 0, (number, said)
            elif number == own or gone == (number, said) or (own == leader > number and left):
                continue
            elif wait or ((leader != own or number > own) and (left != NEVER or resized)):
                leader, rounds, hops = number, said, passed
                size, wait = (told, NEVER) if resized else (size, wait)
                wait = left and max(left - 1, 1) if left != NEVER and wait else wait
                t = t if left else 0
        if wait == 0 and size in roles:
            held = held if eased else {servo: board.servos[servo].target for servo in role.motion}
            eased = min(1.0, eased + EASE / role.period)
            for servo, angle in role.action(t).items():
                board.servos[servo].target = held[servo] + eased * (angle - held[servo])
        eased, t = 0.0 if wait else eased, (t + 1) % role.period
        if 0 < wait < NEVER:
            t, wait = (t, wait - 1) if wait > 1 else (-hops * role.delays[child] % role.period, 0)
        if t == 0 and leader == own:
            rounds = (rounds + 1) % ROUNDS
        yield board.tick(step_s)
