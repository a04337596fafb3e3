"""Find a break of the pipe wall (000 §6.1.6): looks at the wall while wandering, from two places.

*Activation*: a picture shows a break that the map does not have yet.  *Stimuli*: what the camera
shows, the map.  *Proposals*: to stay here, above wandering and following, until a picture taken at
rest has shown it again.  A little farther on it does the same.  Where both say the same place there
is a break: it goes on the map and the operator is told.  Shadows seem to move with the robot.  What
is in a bend is looked at in the same way, and placed when the bend is on the map (``bend_looks``).
What a tool does about a break is in ``tools``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from annelid.behaviour import Proposal
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    DESTINATION,
    GOAL,
    CentralBehaviour,
)
from annelid.systems.microtub.central.bend_looks import BendLooks
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import SAME_M, KnownBreak

AGREE_M: Final = 0.008
"""Two looks from different places that say the same."""
APART_M: Final = 0.02
"""The next look is so much farther on."""
MOST: Final = 4
FORGET_M: Final = 0.15
"""No more looks than this without agreement, on so long a way."""
PICTURES: Final = 2
"""After so many more pictures at rest the look is done."""


class FindBreak(CentralBehaviour):
    name = "find a pipe break"
    level = GOAL

    def __init__(self) -> None:
        self._stay = (
            self.proposal(DESTINATION, np.zeros(2), reason="something in the wall: look again"),
        )
        self._since: int | None = None
        """Number of pictures when it began to look closer."""
        self._looks: list[tuple[float, float]] = []
        """At rest: the way, and where the break seemed to be."""
        self._bends = BendLooks()

    def condition(self, knowledge: Knowledge, /) -> bool:
        self._bends.see(knowledge)
        if self._since is not None:
            self._look(knowledge, self._since)
            return self._since is not None
        if self._seen_ahead(knowledge) or self._bends.closer(knowledge):
            self._since = knowledge.pictures
            return True
        return False

    def _seen_ahead(self, knowledge: Knowledge) -> bool:
        """Whether there is something in a straight pipe to look at again, here."""
        seen = knowledge.broken
        if not knowledge.task.exploring or seen is None or knowledge.heading < 0:
            return False
        if not seen.straight:
            return False
        if _known(knowledge, knowledge.broken_way + seen.ahead):
            return False
        self._looks = [it for it in self._looks if abs(it[0] - knowledge.way) < FORGET_M]
        near = any(abs(way - knowledge.way) < APART_M for way, _ in self._looks)
        return not near and len(self._looks) < MOST

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._stay

    def reset(self) -> None:
        self._since = None

    def _look(self, knowledge: Knowledge, since: int) -> None:
        """Two pictures later: is it still there, and where it seemed to be before?"""
        if knowledge.pictures < since + PICTURES:
            return
        self._since = None
        seen = knowledge.broken
        if seen is None or not seen.straight:
            return
        at = knowledge.broken_way + seen.ahead
        agreed = any(abs(other - at) <= AGREE_M for _, other in self._looks)
        if not agreed:
            self._looks.append((knowledge.way, at))
        elif not _known(knowledge, at):
            self._looks.clear()
            knowledge.pipes.break_seen(at - knowledge.way, seen.direction)
            knowledge.breaks.append(KnownBreak(at, seen.aim + knowledge.roll))
            knowledge.task.tell(telling.broken(knowledge, at, seen.direction))


def _known(knowledge: Knowledge, at: float) -> bool:
    return any(abs(known.at - at) < SAME_M for known in knowledge.breaks)
