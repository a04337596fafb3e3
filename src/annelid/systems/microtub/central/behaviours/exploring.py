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
from math import degrees, radians
from typing import Self

import numpy as np

from annelid.behaviour import Proposal
from annelid.kernel import seconds, to_seconds
from annelid.modules.shells import RADIUS
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
from annelid.systems.microtub.central.catalogue import USUAL_BORE
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.once_more import OnceMore
from annelid.systems.microtub.protocol import ModuleInfo
from annelid.systems.statement import Statement

STEP_M = 0.5
LATE_NS = seconds(1.4)
"""Since when the nose sees the open air when its module is sure of it: six of seven looks at 5 Hz,
and the way of its word over the bus."""
DOUBTED_NS = seconds(0.6)
"""The same of a robot that stood at once to look (``pipe_mouth``)."""
MARGIN = radians(4)
"""By so much the foremost joint may lean more than the pipe: its play."""
STEEP_NS, TOLD = seconds(0.8), 2
"""So long, and in so many answers, a pipe is told steep before it is believed: on a disturbed bus
one may be garbled."""
SLIDES = 2.0
"""Times as steep as it may go down, a pipe may let the robot slide: in 43.6 mm one did at 3.0."""
HOME_M, SHARE, FARTHER_M = 0.005, 0.25, 0.050
"""This near to where it began is home.  A robot whose way may be off goes farther back, by this
share of that, up to this: noses stop rather before home than behind it, by 28 mm where the way may
be off by 112.  One that only guesses its way stops before home (``Knowledge.short``)."""


class PipeFollowing(CentralBehaviour):
    name = "pipe following"
    level = PATH

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.bifurcations)

    def __init__(self, bifurcations: Bifurcations) -> None:
        self._bifurcations = bifurcations
        self._once_more = OnceMore(bifurcations)
        self._gentle_ns = 0
        """When the pipe ahead was last not too steep."""
        self._steep: list[object] = []
        """What the foremost module has told of it since."""
        self._on = (self.proposal(DESTINATION, np.array([STEP_M, 0.0]), reason="along the pipe"),)
        self._stay = (self.proposal(DESTINATION, np.zeros(2), reason="a drive has to cool"),)
        self._back = (
            self.proposal(DESTINATION, np.array([-STEP_M, 0.0]), reason="the pipe ends: back"),
        )

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.in_pipe) and knowledge.task.exploring

    def reset(self) -> None:
        super().reset()
        self._once_more = OnceMore(self._bifurcations)

    def _watch_the_slope(self, knowledge: Knowledge) -> None:
        """A pipe that rises or falls too steeply for this robot is not entered: falling, it would
        get down and not back."""
        ahead, now_ns = knowledge.steep_ahead, knowledge.now_ns
        steep = ahead is not None and abs(ahead) > knowledge.steepest(rises=ahead > 0) + MARGIN
        if ahead is None or not steep or knowledge.at_bifurcation or knowledge.task.homewards:
            self._gentle_ns = now_ns
            self._steep.clear()
            return
        last = knowledge.answers(ModuleInfo.ORIENTATION)[0]
        if not any(last is each for each in self._steep):
            self._steep.append(last)
        sure = len(self._steep) >= TOLD and now_ns - self._gentle_ns > STEEP_NS
        if sure and not knowledge.blocked:
            knowledge.blocked = telling.too_steep(knowledge, ahead)

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        self._watch_the_slope(knowledge)
        knowledge.openings_doubted |= knowledge.waving  # a nose that swings may miss a branch
        if not task.homewards and (reason := self.end_of_pipe(knowledge)) is not None:
            task.homewards = True
            knowledge.dead_end, knowledge.blocked = False, None
            late = self._beyond(knowledge)
            self._bifurcations.settle()
            knowledge.pipes.dead_end(-late)
            task.tell(reason, telling.ended_after(knowledge, late), "; going home")
        elif not task.homewards and knowledge.blocked:
            self._turn_back(knowledge, knowledge.blocked)
        elif knowledge.way_out or not task.homewards or task.cut_short:
            pass
        elif self._once_more.pending:
            if self._once_more.due(knowledge):
                task.homewards, knowledge.blocked = False, None
        elif (again := self._bifurcations.next_leg()) is not None:
            task.homewards, knowledge.blocked = False, None
            words = f"ahead again, by the {again.taken} {{}} mm from home"
            task.tell(telling.way(knowledge, again.junction.middle, words))
        if knowledge.resting:
            return self._stay
        if knowledge.way_out:
            return self._on if knowledge.way_out > 0 else self._back
        if not task.homewards:
            return self._on
        farther = min(SHARE * knowledge.off, FARTHER_M) if knowledge.counted else -knowledge.short
        if knowledge.way <= HOME_M - farther and not knowledge.crooked:
            legs = self._bifurcations
            seen = telling.seen(
                legs.left_out,
                cut_short=task.cut_short,
                doubtful=legs.doubtful,
                age_s=to_seconds(knowledge.now_ns),
            )
            all_of_it = () if knowledge.openings_doubted else (seen,)
            home = telling.home(knowledge, "home again")
            task.end(*all_of_it, home, success=not task.cut_short)
            return ()
        return self._back

    def _turn_back(self, knowledge: Knowledge, why: Statement) -> None:
        """The robot does not get on: it goes back, to try again or for good."""
        task = knowledge.task
        task.homewards = True
        if why.what == "nowhere" and self._once_more.begin(knowledge):
            task.tell(telling.way(knowledge, words="trying again {} mm from home"))
        else:
            self._bifurcations.give_up()
            lost = knowledge.hangs or why.what == "nowhere or out" or self._slides(knowledge, why)
            where = () if lost else (telling.way(knowledge, words=" {} mm from home"),)
            task.tell(why, *where, "; going back")
        knowledge.blocked, knowledge.dead_end, knowledge.turning = None, False, False

    @staticmethod
    def _slides(knowledge: Knowledge, why: Statement) -> bool:
        """Whether the pipe falls so steeply that drives may not hold the robot; wheels that slide
        do not count the way."""
        holds = SLIDES * degrees(knowledge.steepest(rises=False))
        return why.what == "steep" and why.value < -holds

    @staticmethod
    def _beyond(knowledge: Knowledge) -> float:
        """How far the nose is out of the end that was found, m.  Its rays, which leave 45° ahead,
        miss the wall before it is there."""
        if knowledge.situation is not Situation.OPEN_AIR:
            return 0.0
        ahead = (knowledge.bore or USUAL_BORE) / 2 - RADIUS
        stood_ns = knowledge.standing_since_ns
        late_ns = LATE_NS if stood_ns is None else knowledge.now_ns - stood_ns + DOUBTED_NS
        return knowledge.way - knowledge.way_before(late_ns) - ahead

    @staticmethod
    def end_of_pipe(knowledge: Knowledge) -> Statement | None:
        """None: the pipe goes on."""
        if knowledge.situation is Situation.OPEN_AIR:
            if knowledge.wide:
                return telling.out_of_sight()
            slides = knowledge.came_in and not knowledge.counted
            return telling.out_of_pipe() if slides else telling.pipe_end("open")
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
