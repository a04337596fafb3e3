"""Tries a place again at which the robot stuck going ahead, before it gives the leg behind it up.

What wedges a nose, a joint or a wheel at an edge is often how the robot happened to come there.
So it goes back until it is well out of the place, and comes once more: a nose that has rolled a
little, joints that are straight again.  A place at which it has stuck three times is given up.
"""

from __future__ import annotations

from typing import Final

from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge

TRIES: Final = 3
"""At one place, the first one included."""
BACK_M: Final = 0.15
"""From so far before it, or from before the bifurcation that it is in."""
STEEP: Final = 0.65
"""Of the slope that this chain climbs in this bore: steeper, a drive that struggles again gets hot,
and what was forced in does not come back."""
SAME_M: Final = 0.08
"""Places nearer to each other are one."""


class OnceMore:
    """Of one task of exploring."""

    def __init__(self, bifurcations: Bifurcations) -> None:
        self._bifurcations = bifurcations
        self._tried: list[tuple[float, tuple[str, ...]]] = []
        """Where it stuck, m, and by which legs it had come; a place as often as it stuck there."""
        self._from: float | None = None
        """The way from which it goes ahead again; None: nothing is tried again."""

    @property
    def pending(self) -> bool:
        return self._from is not None

    def begin(self, knowledge: Knowledge) -> bool:
        """The robot stands: whether this place is worth another try."""
        way, seen = knowledge.way, self._bifurcations.seen
        legs = tuple(each.leg for each in seen if each.junction.reached(way))
        here = [at for at, by in self._tried if abs(at - way) < SAME_M and by == legs]
        self._tried.append((way, legs))
        back = min(knowledge.way - BACK_M, self._bifurcations.before(knowledge.way))
        pitch = knowledge.pitch or 0.0
        steep = abs(pitch) > STEEP * knowledge.steepest(rises=pitch > 0)
        if steep or len(here) + 1 >= TRIES or back <= 0.0:
            return False
        self._from = back
        return True

    def due(self, knowledge: Knowledge) -> bool:
        """Whether it is far enough back to go ahead again; once."""
        if self._from is None or knowledge.way > self._from:
            return False
        self._from = None
        self._bifurcations.come_again()
        return True
