"""Single things that the central control knows: a module, a touch, an elbow."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import pi
from typing import Final

from annelid.robot.capabilities import Capabilities
from annelid.systems.microtub.central.catalogue import KnownType
from annelid.systems.microtub.protocol import TouchSide

NOTHING: Final = "0" * 17
"""The MDL of a module that does not answer any more."""
OPENINGS: Final = frozenset({TouchSide.OPENING, TouchSide.SLIGHT, TouchSide.CROSS})

ROUND: Final = (TouchSide.LEFT, TouchSide.ABOVE, TouchSide.RIGHT, TouchSide.BELOW)
"""Sides, quarter by quarter."""


@dataclass(frozen=True, slots=True)
class KnownModule:
    """One module as the central control knows it."""

    address: int
    id: str
    mdl: str
    alive: bool = True
    kind: KnownType | None = None
    """Its type, by its id; None: nobody here has heard of it."""

    def can(self, indicator: str) -> int:
        """Its grade, 0 to 3."""
        return Capabilities(self.mdl)[indicator]

    @property
    def whole(self) -> bool:
        """Whether it can do what its type can."""
        known = self.kind is None or self.mdl == self.kind.module.capabilities.digits
        return self.alive and known

    def dead(self) -> KnownModule:
        return replace(self, mdl=NOTHING, alive=False)


@dataclass(frozen=True, slots=True)
class TouchReport:
    """A touch: who felt it, where, and in which direction it is free to go on."""

    sender: int
    side: TouchSide
    direction_deg: int | None
    at_ns: int

    def rolled(self, roll: float) -> TouchReport:
        """As it lies there of a robot that is rolled by so much, its left side up positive, rad."""
        if self.side not in ROUND:
            return self
        quarters = ROUND.index(self.side) + round(roll / (pi / 2))
        return replace(self, side=ROUND[quarters % len(ROUND)])

    @property
    def opens(self) -> bool:
        """Whether a side is open there: that is no touch."""
        return self.side in OPENINGS

    @property
    def held(self) -> bool:
        """Whether it was felt in a swing and by no eye, which proves nothing at the first time."""
        return self.side is TouchSide.HELD

    @property
    def crosses(self) -> bool:
        """Whether the side across is open, too."""
        return self.side is TouchSide.CROSS

    @property
    def slight(self) -> bool:
        """Whether no ray saw far into it: how long it was tells little of its angle."""
        return self.side is TouchSide.SLIGHT


@dataclass(frozen=True, slots=True)
class KnownElbow:
    """An elbow, or the bend into a branch, that the robot has come round."""

    middle: float
    """Way of the nose when it is there, m."""
    angle: float
    """By which it turns, rad."""
    towards: float
    """Where it leads, from the left towards up, rad."""
    arc: float
    """Its length along the middle of the pipe, m."""
    off: float
    """How far off ``middle`` may be, in 95 of 100, m."""
    place: int | None = None
    """Its number on the map; None: it is none of its own there."""

    @property
    def begin(self) -> float:
        return self.middle - self.arc / 2

    @property
    def end(self) -> float:
        return self.middle + self.arc / 2
