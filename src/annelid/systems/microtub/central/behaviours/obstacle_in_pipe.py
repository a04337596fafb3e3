"""Obstacle negotiation inside a pipe (000 §6.1.3): a touch there is an elbow or a bifurcation.

*Activation*: inside a pipe, something was touched that leaves a way on, or the robot is turning
already.  *Stimuli*: touch (TS) with the direction that is free, the end of the turn (TSF).
*Proposals*: a destination to that side, above all others, until the modules say that the turn is
over.  How they turn is their own business (TUP, over the sync lines).
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin

import numpy as np

from annelid.behaviour import Behaviour, Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import DESTINATION, OBSTACLE
from annelid.systems.microtub.protocol import Touch

SIDE_M = 0.1
LONGEST_NS = seconds(90)
"""A turn that has not ended by then is given up."""
TOWARDS_DEG = {Touch.LEFT: 180, Touch.RIGHT: 0, Touch.ABOVE: 270, Touch.BELOW: 90}
"""Where it is free when one side is touched, from the left towards up; the nose tells nothing."""


class ObstacleInPipe(Behaviour[Knowledge]):
    name = "obstacle negotiation"
    level = OBSTACLE

    def __init__(self) -> None:
        self._since_ns = 0
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        if not knowledge.in_pipe or not knowledge.task.going_on:
            return False
        if knowledge.turning:
            if knowledge.now_ns - self._since_ns > LONGEST_NS:
                knowledge.turning = False
                knowledge.task.end("stuck in a turn", success=False)
            return knowledge.turning
        felt = knowledge.felt
        if felt is None or knowledge.heading < 0:
            return False
        towards = felt.direction_deg
        if towards is None:
            towards = TOWARDS_DEG.get(felt.side)
        knowledge.felt = None
        if towards is None:
            knowledge.dead_end = True
            return False
        self._begin(knowledge, towards)
        return True

    def _begin(self, knowledge: Knowledge, towards_deg: int) -> None:
        knowledge.turning = True
        knowledge.turn_deg = towards_deg
        self._since_ns = knowledge.now_ns
        side = radians(towards_deg)
        value = np.array([SIDE_M * abs(sin(side)), SIDE_M * cos(side)])
        words = f"touched something; it goes on at {towards_deg} deg from the left"
        self._last = (self.proposal(DESTINATION, value, reason=words),)

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._last
