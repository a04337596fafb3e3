"""Estimates how far the robot has come: by its travellers, else by the speed of its gait.

A traveller's count (001 §3.3.6) is the measure.  A robot without one goes by guessed speeds
(``movements``), which is better than nothing and told as such.  Walking without getting anywhere
is noticed here, too; dead reckoning cannot see it.
"""

from __future__ import annotations

from math import copysign, sin
from typing import Final

from annelid.kernel import seconds, to_seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.catalogue import stroke_before_traveller
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.central.pace import STANDING, UNKNOWN, WAVE_CLIMBS, on_slope
from annelid.systems.microtub.protocol import ModuleInfo

COUNTED: Final = 0.965
"""True way per count of a traveller's middle wheel, of which there are three.  With it the way is
off by -3 to 6 % behind a drive in bores of 38.5 to 45 mm, up to 8 % at 47 mm; by -10 to 3 % in an
inchworm up to 43.5 mm, by -36 to 35 % at 45 to 47 mm (five chains).  The largest of the three,
which the paper adds up, runs ahead with every sway: by 1 to 11 % behind a drive, the middle one by
0 to 10.  The more the pipe is wider than the robot, the more it counts: a wheel of a robot that
lies on the floor rolls on its flank."""
MISCOUNT: Final = {"MHE": 0.05, "MWO": 0.10, "TUP": 0.08, "": 0.08}
"""By which share of the way that is off in 95 of 100, by gait."""
INCHING: Final = "MWO"
SWUNG: Final = 1.12
"""How much farther a robot gets that rocks in a bifurcation than its middle wheel counts, which
hangs in the mouth now and then: 0.86 to 1.29 in eleven passages, 1.12 in all (three runs with bores
of 40.5 to 41.5 mm).  The largest wheel counts every swing, of a robot that is stuck as well."""
ROCKING: Final = 0.12
"""The same for a robot that rocks in a bifurcation."""
WAVING: Final = 0.66
"""True way per count of a robot that waves, halfway between the two wheels; it may be off by half
their difference."""
EVEN: Final = 0.55
"""The middle wheel is believed where it has counted so much of the largest one's way in a straight
pipe; else only one of them may touch, and the truth lies anywhere between the two."""
EVEN_M: Final = 0.15
"""Way over which that is averaged, m."""
USUAL: Final = 0.3
"""Share of the largest wheel's way by which the middle one may lag behind in any gait that pushes
or stretches; beyond that nobody knows at once which of them is right."""
ROLLED_M: Final = 0.02
"""A largest wheel that has rolled so far in the last seconds says that the robot moves, though the
others stand; swaying makes it roll more slowly."""
HOT_NS: Final = seconds(15)
"""So long a drive that was too hot may be off."""
MOVED_M: Final = 0.003
"""Less than this is not getting anywhere."""
HOME_M, HOME_SHARE = 0.06, 0.05
"""This near to home, or within this share of the farthest way, wheels that stand still on the way
back have come home: rocking and bends make a traveller miscount by some percent."""
HOME_OFF_M: Final = 0.12
"""The same within what the way may be off by, up to this."""
HOME_BACK: Final = 0.5
"""Who has come back by less than this share of the farthest way stands there for another reason."""
HOME_S: Final = 1.0
"""So long they have to stand still there.  The launch tube may be open: the traveller is then out
of it, and the robot must not push on."""
STUCK_S: Final = 4.0
"""So long without getting anywhere, and a way of moving counts as failed."""
IN_BEND_S: Final = 24.0
"""The same in a bend, where a robot struggles."""
ROCKED_M, ROCKED_S = 0.020, 18.0
"""Less than this in this time is not getting anywhere for a robot that rocks through a bifurcation:
its wheels turn with its body, and a drive that stalls is too hot after twice the time."""


PITCH_S: Final = 3.0
"""Over so long a pitch is smoothed: a wave swings the module that feels it."""
BLIND_M: Final = 5.0
"""So far by guess a robot goes on when it meets nothing: two minutes by a wave, five by inching."""
GAINED_M, LATELY_NS = 0.012, seconds(4)
"""Who has come on by more in the last seconds is not told to be stuck now, whatever went before."""


class Reckoning:
    """Keeps ``way``, ``height``, ``place`` and ``stuck_s`` of the knowledge."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._before_ns: int | None = None
        self._counts: list[tuple[int, ...]] | None = None
        """The travellers' last by their largest and their middle wheels, mm; None: nobody
        measures."""
        self._even = 1.0
        """How much of the largest wheel's way the middle one counts, lately, in straight pipes."""
        self._lag = 0.0
        """What the middle wheel has counted less than the largest, lately, m."""
        self._lately = 0.0
        """How far the largest wheel has rolled in that time, m."""
        self._rolled = 0.0
        """Way of the largest wheel in the last ``STUCK_S``, about, m."""
        self._mark = 0.0
        """Where it last moved for certain; of a robot that nobody measures, set out."""
        self._begun_ns = 0
        """When such a robot set out."""
        self._headed = 0
        """Which way it was going at the last look; who turns round has not been stuck that way."""
        self._pitch = 0.0
        """Of the robot, smoothed, rad."""
        self._far = 0.0
        """The farthest it has been from home, m."""

    @property
    def measured(self) -> bool:
        """Whether somebody measures the way."""
        return self._counts is not None

    def update(self, movement: Movement | None) -> None:
        """``movement`` is what the modules have been doing since the last time."""
        knowledge = self._knowledge
        before_ns, self._before_ns = self._before_ns, knowledge.now_ns
        passed_s = 0.0 if before_ns is None else to_seconds(knowledge.now_ns - before_ns)
        pace = STANDING if movement is None else movement.pace
        measured = self._measured(movement)
        if measured is None:
            gone = pace.ahead * self._on_slope(movement, passed_s) * passed_s
            miscounted = UNKNOWN * abs(gone)
        else:
            gone, miscounted = measured
        knowledge.way += gone
        knowledge.lately.append((knowledge.now_ns, knowledge.way))
        knowledge.covered += abs(gone)
        knowledge.doubted += miscounted
        knowledge.off += miscounted
        if knowledge.pitch is not None:
            knowledge.height = (knowledge.height or 0.0) + gone * sin(knowledge.pitch)
        if movement is not None and movement.gait == INCHING:
            knowledge.nose_ahead = stroke_before_traveller(knowledge.kinds) / 2
        self._far = max(self._far, knowledge.way)
        knowledge.place.half = knowledge.length / 2
        if not knowledge.in_pipe:
            knowledge.place.walk(pace, passed_s)
            knowledge.place.lost |= pace != STANDING and not knowledge.whole
        self._watch(passed_s, movement)

    def _on_slope(self, movement: Movement | None, passed_s: float) -> float:
        """What the slope of a pipe leaves of the gait's speed."""
        knowledge = self._knowledge
        self._pitch += min(passed_s / PITCH_S, 1.0) * ((knowledge.pitch or 0.0) - self._pitch)
        if movement is None or not knowledge.in_pipe:
            return 1.0
        rise = copysign(self._pitch, self._pitch * movement.pace.ahead)
        if movement.gait == "MHE":
            return on_slope(rise, knowledge.steepest(rises=True))
        return on_slope(rise, WAVE_CLIMBS) if movement.gait == "MO1" else 1.0

    def _measured(self, movement: Movement | None) -> tuple[float, float] | None:
        """The way since the last time, and by how much it may be off; None: nobody measures."""
        told = self._knowledge.answers(ModuleInfo.DISTANCE)
        if not told or self._knowledge.silent or not self._knowledge.reached:
            self._counts = None
            return None
        before, self._counts = self._counts, told
        if before is None or len(before) != len(told):
            return 0.0, 0.0
        largest, middle = _advance(before, told)
        self._rolled += largest
        between = abs(largest - middle) / 2
        if self._rocks:
            return SWUNG * middle, ROCKING * abs(middle)
        gait = "" if movement is None else movement.gait
        if gait not in MISCOUNT:
            return WAVING * (largest + middle) / 2, between
        if self._knowledge.turning or self._knowledge.at_bifurcation:
            # on the inside of a bend a wheel goes the shorter way
            return (largest + middle) / 2, MISCOUNT[gait] * abs(largest)
        return self._compared(largest, middle, MISCOUNT[gait])

    def _compared(self, largest: float, middle: float, miscount: float) -> tuple[float, float]:
        """The middle wheel's way, as long as it counts nearly as much as the largest one; when it
        is found not to, half of what it has lagged behind lately is made up for."""
        if largest:
            share = min(abs(largest) / EVEN_M, 1.0)
            self._even += share * (min(max(middle / largest, 0.0), 1.0) - self._even)
            self._lag += largest - middle - share * self._lag
            self._lately += abs(largest) - share * self._lately
        if self._even >= EVEN:
            lag = abs(self._lag)
            self._knowledge.wheels_apart = lag if lag > USUAL * self._lately else 0.0
            return middle, miscount * abs(middle)
        made_up, self._lag, self._knowledge.wheels_apart = self._lag / 2, 0.0, 0.0
        return middle + made_up, abs(made_up)

    @property
    def _rocks(self) -> bool:
        return self._knowledge.rocking or self._knowledge.shaking

    @property
    def _hangs_loose(self) -> bool:
        """Whether wheels may stand in the air of a robot that walks: outside of pipes."""
        knowledge = self._knowledge
        return knowledge.in_pipe is False or (knowledge.waving and not knowledge.in_pipe)

    @property
    def _hot(self) -> bool:
        """Whether a drive has given way to its heat: then the movement is not to blame."""
        hot_ns = self._knowledge.hot_ns
        return hot_ns is not None and self._knowledge.now_ns - hot_ns < HOT_NS

    def _watch(self, passed_s: float, movement: Movement | None) -> None:
        knowledge = self._knowledge
        rocks = knowledge.rocking or knowledge.at_bifurcation or knowledge.shaking
        least = ROCKED_M if rocks else MOVED_M
        self._rolled *= max(1 - passed_s / STUCK_S, 0.0)
        rolls = not rocks and abs(self._rolled) > ROLLED_M
        turned_round = knowledge.heading != self._headed
        moved = abs(knowledge.way - self._mark) > least or turned_round or rolls
        self._headed = knowledge.heading
        if not self.measured:
            self._watch_the_guess(moved=not knowledge.heading or turned_round)
        elif moved or not knowledge.heading or self._hangs_loose:
            knowledge.stuck_s = 0.0
            self._mark = knowledge.way
        else:
            knowledge.stuck_s += passed_s
            off = min(knowledge.off, HOME_OFF_M)
            near = knowledge.way < min(
                max(HOME_M, HOME_SHARE * self._far, off), HOME_BACK * self._far
            )
            if knowledge.heading < 0 and near and not knowledge.crooked:
                if knowledge.stuck_s > HOME_S:
                    knowledge.stuck_s = knowledge.way = knowledge.off = self._mark = 0.0
                return
            patience = IN_BEND_S if knowledge.turning else ROCKED_S if rocks else STUCK_S
            lately = knowledge.heading * (knowledge.way - knowledge.way_before(LATELY_NS))
            if knowledge.stuck_s > patience and movement is not None and lately < GAINED_M:
                knowledge.stuck_s = 0.0
                if knowledge.task.exploring and knowledge.in_pipe:
                    knowledge.jammed = True  # ways_out tries what can be tried, and tells
                    return
                knowledge.failed.add(movement.way)
                if not (self._hot or knowledge.hangs):
                    words = movement.way or movement.name
                    knowledge.task.tell(telling.gets_nowhere(knowledge, words))

    def _watch_the_guess(self, *, moved: bool) -> None:
        """Nobody measures the way: a drive that gets too hot is the first that tells of a jam.  How
        far it is home the robot does not know then, so it stays."""
        knowledge, task = self._knowledge, self._knowledge.task
        knowledge.stuck_s = 0.0
        if moved or not knowledge.in_pipe or not task.going_on:
            self._mark, self._begun_ns = knowledge.way, knowledge.now_ns
            return
        hot = knowledge.hot_ns is not None and knowledge.hot_ns > self._begun_ns
        if hot or abs(knowledge.way - self._mark) > BLIND_M:
            task.end(telling.perhaps_stuck(hot=hot), success=False)


def _advance(before: list[tuple[int, ...]], now: list[tuple[int, ...]]) -> tuple[float, float]:
    """By the largest and the middle wheel of a traveller, m; of several, of the one in the middle,
    or of two the one that went farther: the other may be out of the pipe."""
    gone = [
        tuple(COUNTED * (late - early) / 1000 for early, late in zip(*two, strict=True))
        for two in zip(before, now, strict=True)
    ]
    gone.sort(key=lambda each: abs(each[1]))
    largest, middle = gone[len(gone) // 2]
    return largest, middle
