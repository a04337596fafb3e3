"""Estimates how far the robot has come: by its travellers, else by the speed of its gait.

A traveller's count (001 §3.3.6) is the measure.  A robot without one goes by guessed speeds
(``movements``), which is better than nothing and told as such.  Walking without getting anywhere
is noticed here, too; dead reckoning cannot see it.
"""

from __future__ import annotations

from math import sin
from typing import Final

from annelid.kernel import seconds, to_seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.central.pace import STANDING
from annelid.systems.microtub.protocol import ModuleInfo

FILTER: Final = {1: 0.967, -1: 0.948}
"""True way per count of a traveller, forwards and backwards: the linear filter of 001 §3.3.6.
Fitted once behind a helicoidal drive in a straight pipe of 40 mm; the largest of three wheels runs
ahead of the robot."""
MIDDLE: Final = 0.3
"""Share of the middle wheel's count in that of a robot that is pushed ahead; it is right where all
wheels touch, and too short in bends and in bores wider than they reach."""
PUSHED: Final = frozenset({"MHE", ""})
"""Gaits of a robot that is pushed: in a straight pipe, and round a bend."""
STEADY: Final = 1.0
"""True way per count by the middle one of its wheels, where the robot rocks through a bifurcation:
wheels turn with the body, too, and the largest of three counts that as way.  The middle one never
counts too much, but may count nothing in bores that are wider than the wheels reach."""
SLIDES_M: Final = 0.0005
"""A middle wheel that turns so far against the drive between two looks says that the robot slides
back."""
EVEN: Final = 0.9
"""The middle wheel is believed where it has counted so much of the largest one's way in a straight
pipe: in bores that are wider than the wheels reach, only one of them may touch."""
EVEN_M: Final = 0.15
"""Way over which that is averaged, m."""
ROCKED: Final = 0.003
"""By so much the largest wheel runs ahead while the robot rocks, m/s, whether it moves or not."""
RUNS: Final = 0.010
"""A largest wheel that is so fast, m/s, does not only rock: the robot moves."""
PACE_S: Final = 1.0
"""Time over which that is averaged, s."""
INCHING: Final = 0.913
"""The same for an inchworm, whose steps back lift wheels off the wall (A5)."""
MISCOUNT: Final = {"MHE": 0.05, "MWO": 0.12, "TUP": 0.08, "": 0.08}
WAVES: Final = 0.6
"""By which share of the way a traveller is off in 95 of 100, by gait; among waves it tells next to
nothing (A5: robots differ by 9 to 81 %)."""
ROCKING: Final = 0.12
"""The same for a robot that rocks."""
HOT_NS: Final = seconds(15)
"""So long a drive that was too hot may be off."""
MOVED_M: Final = 0.003
"""Less than this is not getting anywhere."""
HOME_M, HOME_SHARE = 0.06, 0.05
"""This near to home, or within this share of the farthest way, wheels that stand still on the way
back have come home: rocking and bends make a traveller miscount by some percent."""
HOME_OFF_M: Final = 0.12
"""The same within what the way may be off by, up to this."""
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


class Reckoning:
    """Keeps ``way``, ``height``, ``place`` and ``stuck_s`` of the knowledge."""

    def __init__(self, knowledge: Knowledge) -> None:
        self._knowledge = knowledge
        self._before_ns: int | None = None
        self._count: float | None = None
        """The traveller's last, m; None: there is no traveller."""
        self._steady = 0.0
        """The same by its middle wheel."""
        self._even = 1.0
        """How much of the largest wheel's way the middle one counts, lately, in straight pipes."""
        self._pace = 0.0
        """Of the largest wheel while the robot rocks, m/s."""
        self._mark = 0.0
        self._headed = 0
        """Which way it was going at the last look; who turns round has not been stuck that way."""
        self._far = 0.0
        """The farthest it has been from home, m."""

    @property
    def measured(self) -> bool:
        """Whether somebody measures the way."""
        return self._count is not None

    def update(self, movement: Movement | None) -> None:
        """``movement`` is what the modules have been doing since the last time."""
        knowledge = self._knowledge
        before_ns, self._before_ns = self._before_ns, knowledge.now_ns
        passed_s = 0.0 if before_ns is None else to_seconds(knowledge.now_ns - before_ns)
        pace = STANDING if movement is None else movement.pace
        gone = self._measured(movement, passed_s)
        if gone is None:
            gone = pace.ahead * passed_s
        knowledge.way += gone
        knowledge.covered += abs(gone)
        miscounted = self._miscount(movement) * abs(gone)
        knowledge.doubted += miscounted
        knowledge.off += miscounted
        if knowledge.pitch is not None:
            knowledge.height = (knowledge.height or 0.0) + gone * sin(knowledge.pitch)
        self._far = max(self._far, knowledge.way)
        knowledge.place.half = knowledge.length / 2
        if not knowledge.in_pipe:
            knowledge.place.walk(pace, passed_s)
            knowledge.place.lost |= pace != STANDING and not knowledge.whole
        self._watch(passed_s, movement)

    def _miscount(self, movement: Movement | None) -> float:
        """Share by which a way is off now, in 95 of 100."""
        if self._rocks:
            return ROCKING
        return MISCOUNT.get("" if movement is None else movement.gait, WAVES)

    @property
    def _rocks(self) -> bool:
        return self._knowledge.rocking or self._knowledge.shaking

    def _measured(self, movement: Movement | None, passed_s: float) -> float | None:
        """Since the last time; None: nobody measures."""
        told = self._knowledge.answers(ModuleInfo.DISTANCE)
        if not told:
            self._count = None
            return None
        largest, middle = (each / 1000 for each in told[0])
        before, self._count = self._count, largest
        steadily, self._steady = middle - self._steady, middle
        if before is None:
            return 0.0
        counted = largest - before
        believed = self._even >= EVEN
        if self._rocks:
            return self._rocked(counted, steadily, passed_s)
        if movement is not None and movement.gait == "MWO":
            return counted * INCHING
        through = counted * FILTER[1 if counted >= 0 else -1]
        if movement is None or movement.gait not in PUSHED:
            return through
        if steadily * movement.heading < -SLIDES_M and abs(counted) < abs(steadily):
            return steadily  # the largest of three does not count against the drive
        if counted and not self._knowledge.turning:
            share = min(abs(counted) / EVEN_M, 1.0)
            self._even += share * (min(max(steadily / counted, 0.0), 1.0) - self._even)
        if counted < 0 or not believed:
            return through
        return MIDDLE * steadily + (1 - MIDDLE) * through

    @property
    def _hot(self) -> bool:
        """Whether a drive has given way to its heat: then the movement is not to blame."""
        hot_ns = self._knowledge.hot_ns
        return hot_ns is not None and self._knowledge.now_ns - hot_ns < HOT_NS

    def _rocked(self, counted: float, steadily: float, passed_s: float) -> float:
        """The way of a robot that rocks: by the middle wheel, or, where it clearly moves, by the
        largest less what rocking adds, if that is more."""
        sense = 1 if counted >= 0 else -1
        if passed_s > 0:
            share = min(passed_s / PACE_S, 1.0)
            self._pace += share * (abs(counted) / passed_s - self._pace)
        if self._pace < RUNS:
            return steadily * STEADY
        farther = abs(counted) * FILTER[sense] - ROCKED * passed_s
        return sense * max(sense * steadily * STEADY, farther)

    def _watch(self, passed_s: float, movement: Movement | None) -> None:
        knowledge = self._knowledge
        rocks = knowledge.rocking or knowledge.at_bifurcation or knowledge.shaking
        least = ROCKED_M if rocks else MOVED_M
        moved = abs(knowledge.way - self._mark) > least or knowledge.heading != self._headed
        self._headed = knowledge.heading
        if moved or not knowledge.heading or not self.measured:
            knowledge.stuck_s = 0.0
            self._mark = knowledge.way
        else:
            knowledge.stuck_s += passed_s
            off = min(knowledge.off, HOME_OFF_M)
            near = knowledge.way < max(HOME_M, HOME_SHARE * self._far, off)
            if knowledge.heading < 0 and near and not knowledge.crooked:
                if knowledge.stuck_s > HOME_S:
                    knowledge.stuck_s = knowledge.way = knowledge.off = self._mark = 0.0
                return
            patience = IN_BEND_S if knowledge.turning else ROCKED_S if rocks else STUCK_S
            if knowledge.stuck_s > patience and movement is not None:
                knowledge.stuck_s = 0.0
                if not self._hot:
                    knowledge.task.tell(telling.gets_nowhere(movement.way or movement.name))
                if knowledge.task.exploring and knowledge.in_pipe:
                    knowledge.jammed = True  # see ways_out
                else:
                    knowledge.failed.add(movement.way)
