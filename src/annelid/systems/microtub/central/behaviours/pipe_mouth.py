"""Stands to look whether the pipe ends, for a robot that a wave carries.

A nose that swings about is sure of open air only when the robot hangs far out of the pipe: 7 of 7
waves fell out of open ends.

*Activation*: inside a narrow pipe, a wave carries the robot ahead, and its nose says that it is
perhaps out.  *Stimuli*: what the head sees, the movement under way.  *Proposals*: to stand straight
until the nose has had time to be sure, above all walking.  What follows from a pipe that ends is
decided by those who know where to go.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.behaviours.base import (
    ACTION,
    LOOKING,
    CentralBehaviour,
)
from annelid.systems.microtub.central.behaviours.by_sight import straight
from annelid.systems.microtub.central.knowledge import Knowledge

SURE_NS: Final = seconds(2.4)
"""Joints are straight after 0.4 s, the nose is sure after six looks more, and its word has come
0.7 s later at the latest."""
AGAIN_NS: Final = seconds(0.8)
"""A robot that has stood in vain first goes on by a swing of its wave."""


class LookOut(CentralBehaviour):
    name = "look out"
    level = LOOKING

    def __init__(self) -> None:
        self._until_ns = 0
        """So long it stands."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        now_ns, seen = knowledge.now_ns, knowledge.situation
        if not knowledge.in_pipe or not knowledge.task.going_on or seen is Situation.OPEN_AIR:
            self._until_ns = min(self._until_ns, now_ns)
            return False
        ahead = knowledge.heading > 0 and knowledge.waving and not knowledge.wide
        if ahead and seen is Situation.PERHAPS_OUT and now_ns > self._until_ns + AGAIN_NS:
            self._until_ns = now_ns + SURE_NS
        return now_ns < self._until_ns

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        reason = "the pipe may end here"
        return self.kept(
            knowledge.parts,
            make=lambda: (self.proposal(ACTION, straight(knowledge.parts), reason=reason),),
        )
