"""Which walk a movement command of LLC2 is (000, Table 6), for any module.

The command is the same for all modules; each behaviour takes from the walk what concerns its own
servos, and a module that no behaviour can move with it takes the pose of least friction.  TUP, the
turn inside a pipe, is a dialogue over the sync lines and no walk.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from annelid.motion.inchworm import Inchworm
from annelid.motion.snake import SNAKE, SnakeRow
from annelid.systems.microtub.behaviours.walk import Walk, Worm
from annelid.systems.microtub.protocol import LLC2, Command, InchwormPart

SNAKES: Final[Mapping[Command, SnakeRow]] = MappingProxyType(
    {
        LLC2.MO1: SNAKE["forward"],
        LLC2.MOS: SNAKE["serpentine"],
        LLC2.MRO: SNAKE["roll"],
        LLC2.MSW: SNAKE["lateral"],
        LLC2.TUR: SNAKE["turn"],
    }
)


def walk_of(
    command: Command, *, part: InchwormPart | None = None, cycle: Inchworm | None = None
) -> Walk | None:
    """The walk of ``command``; None where it is none.

    ``part`` is what the module has been given in the inchworm (INH); without one it rests.
    """
    if command in SNAKES:
        return Walk.snake(SNAKES[command])
    if command is LLC2.MWO:
        worm = None if part is None else Worm(part, cycle or Inchworm())
        return Walk(worm=worm, rest=True)
    if command is LLC2.MHE:
        return Walk(push=1.0, rest=True)
    return None
