"""Explores (000 §6.1.4, §6.1.5): along the pipe and home again, or just ahead.

``PipeFollowing`` goes forward along the pipe, and home the same way.  *Activation*: inside a pipe,
with something to explore.  *Stimuli*: working mode, the task, the way covered, what the head sees.
*Proposals*: a destination along the pipe, ahead until the pipe ends, then back, and ahead again
where a bifurcation has a leg to be entered yet.  The end of a pipe shows as open air before the
nose, or as a touch that leaves no way on; either is when exploring turns homewards.

``Wandering`` goes on when nothing more specific is to be done.  *Activation*: the operator has said
explore, and not everything has been seen.  *Stimuli*: the task.  *Proposals*: a destination
straight ahead, far away.  The lowest level: a behaviour that knows better takes over.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from annelid.behaviour import Proposal
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    DESTINATION,
    PATH,
    WANDERING,
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.statement import Statement

STEP_M = 0.5
LATE_M = 0.030
"""How far the nose is out of a pipe when it is sure of the open air: six of seven looks at 5 Hz."""
HOME_M = 0.005
"""This near to where it began is home."""


class PipeFollowing(CentralBehaviour):
    name = "pipe following"
    level = PATH

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.bifurcations)

    def __init__(self, bifurcations: Bifurcations) -> None:
        self._bifurcations = bifurcations
        self._on = (self.proposal(DESTINATION, np.array([STEP_M, 0.0]), reason="along the pipe"),)
        self._back = (
            self.proposal(DESTINATION, np.array([-STEP_M, 0.0]), reason="the pipe ends: back"),
        )

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.in_pipe) and knowledge.task.exploring

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        if not task.homewards and (reason := self.end_of_pipe(knowledge)) is not None:
            task.homewards = True
            knowledge.dead_end = False
            late = knowledge.situation is Situation.OPEN_AIR
            knowledge.pipes.dead_end(-LATE_M if late else 0.0)
            after = telling.way(knowledge, words=" after {} mm")
            task.tell(reason, after, "; going home")
        elif (
            task.homewards
            and not task.cut_short
            and (again := self._bifurcations.next_leg()) is not None
        ):
            task.homewards = False
            corner = telling.way(knowledge, again.junction.corner)
            task.tell(f"ahead again, by the {again.taken} ", corner)
        if not task.homewards:
            return self._on
        if knowledge.way <= HOME_M:
            seen = telling.seen(self._bifurcations.left_out, cut_short=task.cut_short)
            all_of_it = () if knowledge.openings_doubted else (seen,)
            home = telling.home(knowledge, "home again")
            task.end(*all_of_it, home, success=not task.cut_short)
            return ()
        return self._back

    @staticmethod
    def end_of_pipe(knowledge: Knowledge) -> Statement | None:
        """None: the pipe goes on."""
        if knowledge.situation is Situation.OPEN_AIR:
            return telling.pipe_end("open")
        if knowledge.dead_end:
            return telling.pipe_end("closed")
        return None


AHEAD_M = 1.0


class Wandering(CentralBehaviour):
    name = "wandering"
    level = WANDERING

    def __init__(self) -> None:
        self._ahead = (self.proposal(DESTINATION, np.array([AHEAD_M, 0.0]), reason="exploring"),)

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.task.exploring and not knowledge.task.homewards

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._ahead
