"""Reach a landmark (000 §6.1.6): walks to a thing that stands out until it is near.

*Activation*: outside pipes, the operator has asked for one (RPL landmark, an extension), or the
robot explores and the last picture shows one that has not been reached yet.  *Stimuli*: its bearing
and how bright it is.  *Proposals*: a destination towards it; asked for and not in sight, one to the
side, to look round.  At hand, the operator is told.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin
from typing import Final

import numpy as np

from annelid.behaviour import Proposal, Proposals
from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    DESTINATION,
    GOAL,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.protocol import Destination

FAR_M: Final = 0.5
LOOK_ROUND: Final = "no landmark in sight: look round"
SEARCH_NS: Final = seconds(90)
"""So long it looks round; a turn on the spot takes a minute."""


class ReachLandmark(CentralBehaviour):
    name = "reach a landmark"
    level = GOAL

    def __init__(self) -> None:
        self._round = {
            side: (self.proposal(DESTINATION, np.array([0.0, side * FAR_M]), reason=LOOK_ROUND),)
            for side in (1, -1)
        }
        self._side = 1
        """Where one was last in sight, 1 left, -1 right: there it is looked for."""
        self._done: Task | None = None
        """The task in which a landmark was reached already."""
        self._sighted_ns: tuple[Task, int] | None = None
        """For which task, and when one was last in sight or the search began."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        task, view = knowledge.task, knowledge.view
        if not task.going_on or knowledge.in_pipe is not False or task is self._done:
            return False
        in_sight = view is not None and view.landmark is not None
        if view is not None and in_sight and view.landmark_near:
            self._done = task
            if task.place is Destination.LANDMARK:
                task.end(telling.landmark(), success=True)
            else:
                task.tell(telling.landmark())
            return False
        if task.place is Destination.LANDMARK:
            self._watch(knowledge, in_sight=in_sight)
            return task.going_on
        return in_sight and task.want is Want.EXPLORE

    def _watch(self, knowledge: Knowledge, *, in_sight: bool) -> None:
        task = knowledge.task
        if in_sight or self._sighted_ns is None or self._sighted_ns[0] is not task:
            self._sighted_ns = (task, knowledge.now_ns)
        elif knowledge.now_ns - self._sighted_ns[1] > SEARCH_NS:
            task.end("no landmark in sight", success=False)

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is None or (bearing := view.landmark) is None:
            return self._round[self._side]
        self._side = 1 if bearing >= 0 else -1
        return self.kept(view, make=lambda: self._towards(bearing))

    def _towards(self, bearing: float) -> Proposals:
        value = FAR_M * np.array([cos(bearing), sin(bearing)])
        return (self.proposal(DESTINATION, value, reason="a landmark in sight"),)
