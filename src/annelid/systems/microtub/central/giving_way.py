"""Feels elbows by the joints, where they give way: by how far they are bent altogether.

Where the joints of a wave or an inchworm yield to the wall the nose follows the bend and may touch
nothing, and nobody says TSF: no joint knows which of them is the last.  But in a straight pipe the
bends of a chain cancel, however it zigzags, and in an elbow they add up to the part of it that lies
between nose and tail.  So such a robot asks its joints where they stand.  The sum, smoothed over a
wave, rises in an elbow, with the direction in which that leads, and falls again behind it; the most
that it came to is the angle of the elbow.  A touch after which it does not rise was no elbow: a
nose that waves about touches walls, too, and nothing is put on the map then.
"""

from __future__ import annotations

from math import atan2, degrees, exp, hypot, radians
from typing import Final

from annelid.behaviour import Log
from annelid.kernel import to_seconds
from annelid.systems.microtub.central.joints import JointAngles, JointBend, bending_axes
from annelid.systems.microtub.central.knowledge import Knowledge

SMOOTH_S: Final = 1.5
"""Time constant of the sum: a wave of 8 rad/s is damped to a twelfth."""
BENT: Final = radians(32)
"""More than both ends of a chain lean in a straight pipe, mostly: an elbow."""
OVER: Final = 0.4
"""Of the most that it was: below, the tail is coming out."""
STRAIGHT: Final = radians(20)
"""Below, the chain lies straight enough for another elbow to be felt."""
NONE_S: Final = 12.0
"""Not bent so long after a touch: there was no elbow."""


class GivingWay:
    """Of one life of the central control; begins and ends ``turning`` of the knowledge."""

    def __init__(self, joints: JointAngles, knowledge: Knowledge, log: Log) -> None:
        self._joints = joints
        self._knowledge = knowledge
        self._log = log
        self._forget()

    def _forget(self) -> None:
        self._last = JointBend(0.0, 0.0)
        """Of all joints, when they last told."""
        self._before_ns: int | None = None
        """The last look; None: there was none."""
        self._turning_s: float | None = None
        """Since the turn began; None: there is none."""
        self._left = self._up = self._most = 0.0
        self._straight = True
        """Whether it has been straight since the last elbow."""

    @property
    def _watching(self) -> bool:
        knowledge = self._knowledge
        return knowledge.gives_way and knowledge.heading > 0 and knowledge.in_pipe is True

    def wants(self) -> tuple[int, ...]:
        """A joint in the first or the last module has next to nothing beyond it and lies as it
        likes: it tells nothing of the pipe."""
        if not self._watching:
            return ()
        inner = self._knowledge.parts[1:-1]
        return tuple(part.address for part in inner if part.alive and bending_axes(part.kind))

    def look(self) -> None:
        """Before anything is decided."""
        knowledge = self._knowledge
        if not self._watching:
            self._forget()
            return
        before_ns, self._before_ns = self._before_ns, knowledge.now_ns
        passed_s = 0.0 if before_ns is None else to_seconds(knowledge.now_ns - before_ns)
        self._sum(passed_s)
        bent = hypot(self._left, self._up)
        if not knowledge.turning:
            self._turning_s, self._most = None, 0.0
            self._straight = self._straight or bent < STRAIGHT
            if self._straight and bent > BENT:
                knowledge.bend_deg = round(degrees(atan2(self._up, self._left))) % 360
            return
        self._turning_s = 0.0 if self._turning_s is None else self._turning_s + passed_s
        self._most = max(self._most, bent)
        if self._most <= BENT:
            if self._turning_s > NONE_S:
                self._end(round_it=False)
            return
        knowledge.bent = self._most
        if bent < OVER * self._most:
            self._end(round_it=True)

    def _sum(self, passed_s: float) -> None:
        self._last = self._joints.total(self.wants()) or self._last
        share = 1 - exp(-passed_s / SMOOTH_S)
        self._left += share * (self._last.left - self._left)
        self._up += share * (self._last.up - self._up)

    def _end(self, *, round_it: bool) -> None:
        knowledge = self._knowledge
        knowledge.turning, knowledge.turn_ended = False, round_it
        self._straight = not round_it
        most = round(degrees(self._most))
        self._log("bent", {"most_deg": most, "elbow": round_it})
