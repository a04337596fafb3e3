"""Goes round what stands in the open (000 §6.1.3): back a little, aside, on; again if needed.

*Activation*: outside pipes, on the way somewhere, the head has felt something (TS).  *Stimuli*: the
touch and on which side it was, the reckoned pose, where the goal is.  *Proposals*: a destination
behind until the nose has room to turn, then a point beside what stands there.

One decision is kept until the way is free:

========  =================================================================================
free      nothing was felt since the robot has gone ``FORGET`` chains; the side is open
back      half a chain behind the touch, so that nothing holds the nose when it turns
beside    a point off the way, to the chosen side; there the goal decides again
========  =================================================================================

The side is the one away from the touch; straight ahead the one on which the goal is.  It stays the
same until the robot is free, and each touch before that sends it farther out, so a wall is followed
to its end.  After ``TRIES`` touches the other side is tried, after as many again the task ends.
This is edge following, too, for a robot without a camera: its eyes keep it off a wall beside it.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from math import cos, hypot, radians, sin
from typing import Final, Self

import numpy as np

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.base import (
    DESTINATION,
    OBSTACLE,
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.knowledge import Knowledge, Vector
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.protocol import Destination, TouchSide

BACK: Final = 0.5
OUT: Final = 1.0
FORGET: Final = 2.0
"""Ways, in lengths of the chain: back, beside, and free again after."""
FARTHER: Final = 1.4
"""Times as far out at every touch."""
AHEAD_DEG, BESIDE_DEG, MOST_DEG = 65.0, 35.0, 100.0
"""Where the point beside is, off the heading: for a touch ahead, for one beside, and at most."""
MORE_DEG: Final = 12.0
TRIES: Final = 6
NEAR_M: Final = 0.05
LONGEST_NS: Final = seconds(40)
"""For one leg: a robot that is held goes by its clock."""
MOUTH_NS: Final = seconds(15)


class Detour(StrEnum):
    FREE = "free"
    BACK = "back"
    BESIDE = "beside"


class GoRound(CentralBehaviour):
    name = "obstacle in the open"
    level = OBSTACLE

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._leg = Detour.FREE
        self._side = 0.0
        """1 left, -1 right, 0 none: the way is free."""
        self._touches = 0
        self._from = (0.0, 0.0, 0.0)
        """The pose in which the leg began."""
        self._since_ns = 0
        self._point = (0.0, 0.0)
        self._pressed_ns: int | None = None
        """Since when the nose has been in what may be a mouth."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        place = knowledge.task.place
        wanted = place is Destination.TOUCH or (
            place is Destination.CORNER and knowledge.wall_beside
        )
        wanted = wanted or (place is Destination.LANDMARK and knowledge.landmark_ahead)
        if knowledge.in_pipe is True or wanted or not knowledge.task.going_on:
            self._forget()
            return False
        felt = knowledge.felt
        if felt is not None and not felt.opens:
            knowledge.felt = None
            if not self._in_a_mouth(knowledge):
                self._felt(knowledge, felt)
        self._go_on(knowledge)
        return self._leg is not Detour.FREE and knowledge.task.going_on

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        if self._leg is Detour.BACK:
            value, words = np.array([-knowledge.length, 0.0]), "touched something: back"
        else:
            value = towards(knowledge, *self._point)
            words = f"round it to the {'left' if self._side > 0 else 'right'}"
        return (self.proposal(DESTINATION, value, reason=words),)

    def _forget(self) -> None:
        self._leg, self._side, self._touches = Detour.FREE, 0.0, 0

    def _in_a_mouth(self, knowledge: Knowledge) -> bool:
        """Whether what is felt may be the mouth of the pipe that is looked for: it narrows, so the
        nose is to try for a while."""
        if knowledge.task.place is not Destination.PIPE or self._leg is not Detour.FREE:
            return False
        if knowledge.situation is Situation.OPEN_AIR:
            self._pressed_ns = None
            return False
        self._pressed_ns = self._pressed_ns or knowledge.now_ns
        return knowledge.now_ns - self._pressed_ns < MOUTH_NS

    # -- legs ----------------------------------------------------------------------------------

    def _felt(self, knowledge: Knowledge, felt: TouchReport) -> None:
        """The side that was chosen stands, whatever is felt later."""
        if self._leg is Detour.BACK:
            return
        self._touches += 1
        if self._touches > 2 * TRIES:
            words = "found no way round what stands there"
            knowledge.task.end(telling.of_itself("no way", words), success=False)
            return
        if self._touches == TRIES + 1:
            self._side = -self._side
        away = {TouchSide.LEFT: -1.0, TouchSide.RIGHT: 1.0}.get(felt.side)
        if felt.held and felt.direction_deg is not None:
            away = 1.0 if felt.direction_deg == 0 else -1.0
        if not self._side:
            aside = 1.0 if knowledge.to_the_left else -1.0
            self._side = aside if away is None else away
        grazes = away is not None and self._touches == 1
        turn = BESIDE_DEG if grazes else AHEAD_DEG + MORE_DEG * (self._touches - 1)
        x, y, yaw = knowledge.pose
        towards = yaw + self._side * radians(min(turn, MOST_DEG))
        farther = FARTHER ** ((self._touches - 1) % TRIES)
        out = OUT * knowledge.length * farther
        self._point = (x + out * cos(towards), y + out * sin(towards))
        back = self._abilities.ways("backward")
        self._begin(Detour.BACK if back else Detour.BESIDE, knowledge)

    def _go_on(self, knowledge: Knowledge) -> None:
        """To the next leg, where this one is over."""
        x, y, _ = knowledge.pose
        gone = hypot(x - self._from[0], y - self._from[1])
        late = knowledge.now_ns - self._since_ns > LONGEST_NS
        if self._leg is Detour.BACK and (late or gone > BACK * knowledge.length):
            self._begin(Detour.BESIDE, knowledge)
        elif self._leg is Detour.BESIDE:
            left = towards(knowledge, *self._point)
            if late or hypot(*left) < NEAR_M:
                self._begin(Detour.FREE, knowledge)
        elif self._leg is Detour.FREE and self._side and gone > FORGET * knowledge.length:
            self._forget()

    def _begin(self, leg: Detour, knowledge: Knowledge) -> None:
        self._leg, self._from, self._since_ns = leg, knowledge.pose, knowledge.now_ns


def towards(knowledge: Knowledge, x: float, y: float) -> Vector:
    """A point in the frame of home, as the robot sees it: forward and left, m."""
    here_x, here_y, yaw = knowledge.pose
    dx, dy = x - here_x, y - here_y
    return np.array([dx * cos(yaw) + dy * sin(yaw), dy * cos(yaw) - dx * sin(yaw)])
