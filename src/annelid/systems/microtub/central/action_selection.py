"""Chooses the walking behaviour by situation and destination (000 §6.2.1).

How well a behaviour suits a destination is a table: by the angle to it, by how far it is, and by
whether the robot is in a pipe, where only along the pipe and round a bend make sense.  The grade
that the rules give its movement (1 to 3) scales it, so that what the robot does well wins over
what it hardly can; a movement that suits badly still wins where there is no other.
"""

from __future__ import annotations

from math import atan2, degrees
from typing import Final, NamedTuple

from annelid.behaviour import Option
from annelid.systems.microtub.central.knowledge import Knowledge

NEAR_M: Final = 0.15
"""Within this a destination is near: half a body."""


class Suits(NamedTuple):
    """One row: angles to the destination (0 ahead, 180 behind), and points near and far."""

    behaviour: str
    low_deg: float
    high_deg: float
    near: float
    far: float
    in_pipe: bool
    """Whether the row holds in pipes, too."""


# fmt: off
TABLE: Final = (
    Suits("move straight",   0.0,  25.0, 1.0, 1.0, True),
    Suits("move straight", 155.0, 180.0, 1.0, 1.0, True),
    Suits("turn",           25.0, 110.0, 0.5, 0.9, True),
    Suits("turn",          110.0, 180.0, 0.2, 0.5, False),
    Suits("move laterally", 60.0, 120.0, 0.9, 0.4, False),
    Suits("use the tool",    0.0, 180.0, 1.0, 1.0, True),
    Suits("rotate",         60.0, 180.0, 0.4, 0.8, False),
)
# fmt: on
LAST_RESORT: Final = 0.02
"""For a movement that suits no row: better than to stand, in open air."""


def points(behaviour: str, knowledge: Knowledge) -> float:
    """How well a behaviour suits the destination, 0 to 1, whatever the robot can do.

    In a pipe a bend may lead upwards, which no direction on the floor can say: there, turning is
    what suits while the robot negotiates one, and nothing else.
    """
    ahead, left = knowledge.destination
    angle = abs(degrees(atan2(left, ahead)))
    in_pipe = knowledge.in_pipe is True
    if in_pipe and (behaviour == "turn" or knowledge.turning):
        return float(behaviour == "turn" and knowledge.turning)
    near = knowledge.far < NEAR_M
    found = [
        row.near if near else row.far
        for row in TABLE
        if row.behaviour == behaviour
        and row.low_deg <= angle <= row.high_deg
        and (row.in_pipe or not in_pipe)
    ]
    return max(found, default=0.0 if in_pipe else LAST_RESORT)


def score(option: Option, knowledge: Knowledge) -> float | None:
    """For :class:`annelid.behaviour.Select`; None: unsuitable."""
    found = points(option.winners[0], knowledge) * option.strength
    return found or None
