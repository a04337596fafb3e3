"""Obstacle negotiation in pipes (000 §6.1.3), above all other behaviours.

A touch in a pipe is an elbow or a bifurcation.  *Activation*: inside a pipe,
something was touched that leaves a way on, the robot is turning already, or it is in a bifurcation.
*Stimuli*: touch (TS) with the direction that is free, the end of the turn (TSF), sides that are
open, the way.  *Proposals*: a destination to that side until the modules say that the turn is over;
in a bifurcation, along the leg that was chosen.  How an elbow is turned is the modules' own
business (TUP, over the sync lines); how a bifurcation is passed is ``bifurcations``'.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, radians, sin
from typing import Self

import numpy as np

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    DESTINATION,
    OBSTACLE,
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.central.seen_bifurcation import SeenBifurcation
from annelid.systems.microtub.protocol import Destination, TouchSide

SIDE_M = 0.1
USUAL_M = 0.06
"""Radius that an elbow is taken to have where nobody can measure it."""
LONGEST_NS = seconds(90)
"""A turn that has not ended by then is given up."""
LONGEST_CHAINS = 3.0
"""The same for who guesses its way, by that: T S E R E S and T R R R R R R in bends of 60 and 90°
came round in 0.5 to 1.0 lengths of the chain."""
AFTER_NS = seconds(4)
"""A bifurcation is over when it has been over for so long: straightening moves the robot, too."""
CAP_NS, AGAIN_NS = seconds(1.5), seconds(3)
"""A nose at a cap tells it again after the one and by the other."""
TURNING_CAP_NS, STANDS_M = seconds(5), 0.01
"""In a bend it tells it for so long, and gets no farther."""
BEYOND_M = 0.15
"""So far behind where it touched a nose is out of every bend."""
TOUCHES = (Destination.TOUCH, Destination.CORNER)
"""Places that end with a touch."""
TOWARDS_DEG = {TouchSide.LEFT: 180, TouchSide.RIGHT: 0, TouchSide.ABOVE: 270, TouchSide.BELOW: 90}
"""Where it is free when one side is touched, from the left towards up; the nose tells nothing."""


class ObstacleInPipe(CentralBehaviour):
    name = "obstacle negotiation"
    level = OBSTACLE

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.bifurcations)

    def __init__(self, bifurcations: Bifurcations) -> None:
        self._bifurcations = bifurcations
        self._since_ns = 0
        self._turn_began = 0.0
        self._until_ns = 0
        self._last: tuple[Proposal, ...] = ()
        self._inside: tuple[SeenBifurcation, bool] | None = None
        self._cap: tuple[int, int, float] | None = None
        """When a wall ahead of every ray was felt first and last, and where on the way."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        if not knowledge.in_pipe or not knowledge.task.going_on or knowledge.resting:
            return False
        if knowledge.task.place in TOUCHES and not knowledge.turning:
            return self._leave_the_touch(knowledge)
        if knowledge.turn_ended:
            knowledge.turn_ended = False
            self._round_the_bend(knowledge)
        if knowledge.turning and knowledge.task.homewards:
            knowledge.turning = False  # the pipe ended in it
        if knowledge.turning:
            self._beyond_the_bend(knowledge)
            if self._too_long(knowledge):
                knowledge.turning = False
                if knowledge.task.exploring:
                    knowledge.blocked = telling.bend_takes_long(knowledge)
                else:
                    knowledge.task.end(telling.bend_takes_long(knowledge), success=False)
            return knowledge.turning
        bend_deg, knowledge.bend_deg = knowledge.bend_deg, None
        if bend_deg is not None and self._bifurcations.counts_touch():
            self._begin(knowledge, bend_deg)
            return True
        felt, knowledge.felt = knowledge.felt, None
        if felt is not None and knowledge.heading >= 0 and not knowledge.way_out:
            if felt.opens:
                self._opening(knowledge, felt)
            elif felt.side is TouchSide.CLOSED:
                self._closed(knowledge)
            elif self._touched(knowledge, felt):
                return True
        return self._retreats(knowledge) or self._in_bifurcation(knowledge)

    def _leave_the_touch(self, knowledge: Knowledge) -> bool:
        """A touch is what is wanted; but openings, and edges of a bifurcation, are none."""
        felt = knowledge.felt
        if felt is not None and felt.opens:
            self._opening(knowledge, felt)
            knowledge.felt = None
        elif felt is not None and not self._bifurcations.counts_touch():
            knowledge.felt = None
        return self._in_bifurcation(knowledge)

    def _retreats(self, knowledge: Knowledge) -> bool:
        """A branch that the nose has passed is entered from a little before it."""
        if knowledge.task.homewards or knowledge.way_out or not self._bifurcations.retreats:
            return False
        self._last = self.kept(
            *("retreat",),
            make=lambda: (
                self.proposal(
                    DESTINATION, np.array([-SIDE_M, 0.0]), reason="a bifurcation: back a little"
                ),
            ),
        )
        return True

    def _beyond_the_bend(self, knowledge: Knowledge) -> None:
        """A nose in a bend touches all the time; one that is far beyond it may pass a branch while
        the tail still turns, and that comes first.  What opens and is touched then is the next
        bend."""
        felt, knowledge.felt = knowledge.felt, None
        if felt is not None and felt.side is TouchSide.CLOSED:
            self._closed(knowledge, turning=True)
            knowledge.turning = not knowledge.dead_end
            return
        if felt is None or knowledge.way - self._turn_began <= BEYOND_M or knowledge.waving:
            return
        if not felt.opens:
            self._bifurcations.touched()
        elif self._bifurcations.opening(felt) is not None:
            knowledge.turning = False

    def _too_long(self, knowledge: Knowledge) -> bool:
        """Whether the turn does not end.  A way that is guessed has then not grown since it began,
        as far as anybody knows."""
        guessed = knowledge.way - self._turn_began
        if not knowledge.counted and guessed > LONGEST_CHAINS * knowledge.length:
            knowledge.way -= guessed
            knowledge.covered -= guessed
            return True
        return knowledge.now_ns - self._since_ns > LONGEST_NS

    def _opening(self, knowledge: Knowledge, felt: TouchReport) -> None:
        """A nose that a wave swings about sees openings where there are none: such a robot goes
        straight on, and does not say afterwards that it has seen everything.  Eyes farther back
        see what the foremost has seen."""
        eyes = knowledge.able("Sense_front")
        if knowledge.waving:
            knowledge.openings_doubted = True
        elif eyes and felt.sender == eyes[0].address:
            self._bifurcations.opening(felt)

    def _closed(self, knowledge: Knowledge, *, turning: bool = False) -> None:
        """A wall ahead of every ray, told again and again: a dead end, in a branch too.  Nobody has
        to measure the way; a way that is only guessed has not grown since the first touch.  A nose
        that turns in a bend looks at its wall, so there it has to stand as well."""
        now_ns, last = knowledge.now_ns, self._cap
        went_on = turning and last is not None and abs(knowledge.way - last[2]) > STANDS_M
        if last is None or now_ns - last[1] > AGAIN_NS or went_on:
            self._cap = (now_ns, now_ns, knowledge.way)
            return
        first_ns, _, way = last
        self._cap = (first_ns, now_ns, way)
        if now_ns - first_ns > (TURNING_CAP_NS if turning else CAP_NS):
            self._cap = None
            knowledge.dead_end = True
            if not knowledge.measured:
                knowledge.way = way

    def _touched(self, knowledge: Knowledge, felt: TouchReport) -> bool:
        """Whether that is an elbow to be turned in."""
        if knowledge.rocking or not self._bifurcations.counts_touch():
            return False
        self._bifurcations.touched()
        towards = felt.direction_deg
        if towards is None:
            towards = TOWARDS_DEG.get(felt.side)
        if towards is None:
            return False  # an edge, or a bend too gentle to show: who does not get on is stuck
        self._begin(knowledge, towards)
        return True

    def _in_bifurcation(self, knowledge: Knowledge) -> bool:
        if knowledge.situation is Situation.OPEN_AIR and knowledge.heading >= 0:
            self._bifurcations.end()
        inside = self._bifurcations.at(knowledge.way)
        knowledge.at_bifurcation = inside is not None and self._bifurcations.deep_in(inside)
        knowledge.rocking = self._bifurcations.rocks(inside)
        if inside is not None:
            self._until_ns = knowledge.now_ns + AFTER_NS
        elif self._inside is not None and knowledge.now_ns < self._until_ns:
            inside = self._inside[0]
        else:
            self._inside = None
            return False
        back = knowledge.task.homewards or knowledge.task.back
        back = knowledge.way_out < 0 if knowledge.way_out else back
        if (inside, back) != self._inside:
            self._inside = (inside, back)
            value = np.array([-SIDE_M if back else SIDE_M, 0.0])
            words = f"through a bifurcation, by the {inside.taken}"
            self._last = (self.proposal(DESTINATION, value, reason=words),)
        return True

    def _begin(self, knowledge: Knowledge, towards_deg: int) -> None:
        knowledge.turning, knowledge.bent, knowledge.bend_deg = True, None, None
        knowledge.rocking = False
        self._turn_began = knowledge.way
        knowledge.turn_deg = towards_deg
        self._since_ns = knowledge.now_ns
        side = radians(towards_deg)
        value = np.array([SIDE_M * abs(sin(side)), SIDE_M * cos(side)])
        words = f"touched something; it goes on at {towards_deg} deg from the left"
        self._last = (self.proposal(DESTINATION, value, reason=words),)

    def _round_the_bend(self, knowledge: Knowledge) -> None:
        """Onto the map, where the joints give way (``giving_way``): the nose was half through the
        bend when it was felt.  Elbows of a robot that is pushed are mapped by ``elbows``."""
        if knowledge.bent is None:
            return
        arc = USUAL_M * knowledge.bent
        past = knowledge.way - self._turn_began - arc / 2
        towards = radians(knowledge.turn_deg or 0)
        knowledge.pipes.turned(towards, knowledge.bent, arc, past_m=past)

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._last
