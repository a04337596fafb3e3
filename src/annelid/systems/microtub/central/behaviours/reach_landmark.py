"""Reach a landmark (000 §6.1.6): go to what stands out, until it is at hand.

*Activation*: exploring outside pipes, and the last picture shows a landmark that has not been
reached yet.  *Stimuli*: its bearing and how bright it is.  *Proposals*: a destination towards it;
at hand, the operator is told.  Table 8 has no place of that name, so exploring is what brings the
robot to landmarks.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin
from typing import Final

import numpy as np

from annelid.behaviour import Behaviour, Proposal
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import DESTINATION, GOAL
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.central.view import View

FAR_M: Final = 0.5


class ReachLandmark(Behaviour[Knowledge]):
    name = "reach a landmark"
    level = GOAL

    def __init__(self) -> None:
        self._seen: View | None = None
        self._last: tuple[Proposal, ...] = ()
        self._done: Task | None = None
        """The task in which a landmark was reached already."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        task, view = knowledge.task, knowledge.view
        exploring = task.going_on and task.want is Want.EXPLORE and knowledge.in_pipe is False
        if not exploring or view is None or view.landmark is None or task is self._done:
            return False
        if view.landmark_near:
            self._done = task
            task.news.append("a landmark is reached")
            return False
        return True

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is not self._seen and view is not None and view.landmark is not None:
            self._seen = view
            value = FAR_M * np.array([cos(view.landmark), sin(view.landmark)])
            self._last = (self.proposal(DESTINATION, value, reason="a landmark in sight"),)
        return self._last
