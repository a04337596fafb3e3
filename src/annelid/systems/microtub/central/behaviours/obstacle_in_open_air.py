"""Obstacle negotiation in the open (000 §6.1.3): go back, turn a little, go on; repeat if needed.

*Activation*: outside pipes, on the way somewhere, the head has touched something (TS).  *Stimuli*:
the touch and on which side it was.  *Proposals*: a destination behind for a while, then one ahead
and to the side, above all others.  The side is the one away from the touch; where that tells
nothing, left and right in turn, so that a wall is not met twice at the same place.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    DESTINATION,
    OBSTACLE,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge, TouchReport
from annelid.systems.microtub.protocol import Destination, TouchSide

BACK_NS: Final = seconds(3.0)
TURN_NS: Final = seconds(5.0)
BACK_M, AHEAD_M, ASIDE_M = -0.3, 0.3, 0.35


class ObstacleInOpenAir(CentralBehaviour):
    name = "obstacle in the open"
    level = OBSTACLE

    def __init__(self) -> None:
        self._since_ns: int | None = None
        self._side = 1.0
        self._back: tuple[Proposal, ...] = (
            self.proposal(DESTINATION, np.array([BACK_M, 0.0]), reason="touched something: back"),
        )
        self._turn: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        place = knowledge.task.place
        wanted = place is Destination.TOUCH or (
            place is Destination.CORNER and knowledge.wall_beside
        )
        if knowledge.in_pipe is True or wanted or not knowledge.task.going_on:
            self._since_ns = None
            return False
        felt = knowledge.felt
        if felt is not None and felt.side is not TouchSide.OPENING:
            knowledge.felt = None
            self._begin(knowledge, felt)
        if self._since_ns is None:
            return False
        if knowledge.now_ns - self._since_ns > BACK_NS + TURN_NS:
            self._since_ns = None
        return self._since_ns is not None

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        since_ns = knowledge.now_ns if self._since_ns is None else self._since_ns
        return self._back if knowledge.now_ns - since_ns < BACK_NS else self._turn

    def _begin(self, knowledge: Knowledge, felt: TouchReport) -> None:
        self._since_ns = knowledge.now_ns
        self._side = {TouchSide.LEFT: -1.0, TouchSide.RIGHT: 1.0}.get(felt.side, -self._side)
        value = np.array([AHEAD_M, self._side * ASIDE_M])
        words = f"round it to the {'left' if self._side > 0 else 'right'}"
        self._turn = (self.proposal(DESTINATION, value, reason=words),)
