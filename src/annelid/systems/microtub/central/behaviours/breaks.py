"""Find a break of the pipe wall (000 §6.1.6): looks at the wall while wandering, and looks twice.

*Activation*: a picture shows a break that the map does not have yet.  *Stimuli*: what the camera
shows, the map.  *Proposals*: to stay here, above wandering and following, until a second picture,
taken at rest, has shown it again; then it goes on the map and the operator is told.  A spot that
the second picture does not show was none.  What a tool does about it is in ``tools``.
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
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import KnownBreak

SAME_M: Final = 0.04
"""Two sightings along the pipe that are one break."""
PICTURES: Final = 2
"""After so many more pictures at rest the matter is settled."""


class FindBreak(CentralBehaviour):
    name = "find a pipe break"
    level = GOAL

    def __init__(self) -> None:
        self._stay = (
            self.proposal(DESTINATION, np.zeros(2), reason="something in the wall: look again"),
        )
        self._since: int | None = None
        """Number of pictures when it began to look closer."""
        self._at = 0.0

    def condition(self, knowledge: Knowledge, /) -> bool:
        seen = knowledge.broken
        if self._since is not None:
            self._judge(knowledge)
            return self._since is not None
        if not knowledge.task.going_on or seen is None or knowledge.heading < 0:
            return False
        at = knowledge.broken_way + seen.ahead
        if any(abs(known.at - at) < SAME_M for known in knowledge.breaks):
            return False
        self._since = knowledge.pictures
        self._at = at
        return True

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._stay

    def reset(self) -> None:
        self._since = None

    def _judge(self, knowledge: Knowledge) -> None:
        since = self._since
        if since is None or knowledge.pictures < since + PICTURES:
            return
        self._since = None
        seen = knowledge.broken
        if seen is None or abs(knowledge.broken_way + seen.ahead - self._at) > SAME_M:
            return
        ahead = knowledge.broken_way + seen.ahead - knowledge.way
        knowledge.pipes.break_seen(ahead, seen.direction)
        at = knowledge.broken_way + seen.ahead
        knowledge.breaks.append(KnownBreak(at, seen.aim + knowledge.roll))
        knowledge.task.tell(telling.broken(knowledge, at, seen.direction))
