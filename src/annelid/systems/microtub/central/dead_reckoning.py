"""Where the robot is in the open, by the pace of its gaits, and how far off that may be.

Nothing on board sees north: the heading is what turns add up to.  The middle of the chain is
followed, because a chain turns about it; the nose is half a chain ahead.  Errors of a gait are
always to the same side for one robot, so each adds up as the way does and not as its root; the
three are independent of each other:

======  ===================================================================================
length  a share of every way
turns   a share of every turn makes the heading doubtful; the place by the way times that
drift   the same of all the time that it walks: a horn off by a degree bends the chain
======  ===================================================================================

What a robot that is damaged or held by something makes of its way is unknown: ``lost`` then, and
nothing is told as a number any more.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, radians, sin
from typing import Final

from annelid.systems.microtub.central.pace import ONSET_S, REVERSAL_S, STANDING, Pace

DRIFT: Final = radians(1.3)
"""By so much a walking robot may turn unnoticed, rad/s, in 95 of 100."""
TUMBLE: Final = 1.0
"""The same while it rolls over: one that fell on its side has turned with it."""
LEAST_M: Final = 0.03
"""A wave carries the nose to and fro by so much."""

KNOWN_M, KNOWN_SHARE = 0.06, 0.5
"""A doubt that is larger than both, the share being one of the distance, says nothing."""


@dataclass(slots=True)
class OpenPose:
    """In the frame of the start: x ahead, y to the left, of the nose; m and rad."""

    half: float = 0.0
    """Of the chain's length."""
    x: float = 0.0
    y: float = 0.0
    """Of the chain's middle, from where it was at the start."""
    yaw: float = 0.0
    ahead: float = 0.0
    """How far it has gone forwards, less how far back, whichever way it looked, m."""
    turn_off: float = 0.0
    drift_off: float = 0.0
    """How far the heading may be off, by turns and by walking, in 95 of 100, rad."""
    off: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """How far the place may be off, by the way's length, by turns and by drift, m."""
    lost: bool = False
    """Whether the robot has been held or damaged on its way."""

    _pace: Pace = STANDING
    _begins_s: float = 0.0
    _still_s: float = 0.0
    """Of the gait under way: how long it still begins, and gets nowhere."""

    @property
    def nose(self) -> tuple[float, float, float]:
        ahead = self.half * (cos(self.yaw) - 1)
        return self.x + ahead, self.y + self.half * sin(self.yaw), self.yaw

    @property
    def far(self) -> float:
        """From home, as the crow flies, m."""
        x, y, _ = self.nose
        return hypot(x, y)

    @property
    def within(self) -> float:
        """Of the nose, in 95 of 100, m."""
        heading = min(hypot(self.turn_off, self.drift_off), 1.0)
        return hypot(LEAST_M, self.half * heading, *self.off)

    @property
    def known(self) -> bool:
        """Whether a number says anything."""
        return not self.lost and self.within <= max(KNOWN_M, KNOWN_SHARE * self.far)

    def walk(self, pace: Pace, passed_s: float) -> None:
        if pace != self._pace:
            reversed_ = pace.ahead * self._pace.ahead < 0
            self._pace, self._begins_s = pace, ONSET_S
            self._still_s = REVERSAL_S if reversed_ else 0.0
        begins_s = min(passed_s, self._begins_s)
        self._begins_s -= begins_s
        still_s = min(passed_s, self._still_s)
        self._still_s -= still_s
        ahead, left = pace.ahead * (passed_s - still_s), pace.left * passed_s
        turned = pace.turn * passed_s + pace.onset * begins_s / ONSET_S
        middle = self.yaw + turned / 2
        self.x += ahead * cos(middle) - left * sin(middle)
        self.y += ahead * sin(middle) + left * cos(middle)
        self.yaw += turned
        self.ahead += ahead
        way = hypot(ahead, left)
        if pace != STANDING:
            self.drift_off += (TUMBLE if pace.tumbles else DRIFT) * passed_s
            self.turn_off += pace.turn_off * abs(turned)
        length, turns, drift = self.off
        turns += min(self.turn_off, 1.0) * way
        self.off = (length + pace.off * way, turns, drift + min(self.drift_off, 1.0) * way)

    def held(self, lasted_s: float) -> None:
        """Something has held the robot for so long."""
        back = -self._pace.ahead * lasted_s
        self.x += back * cos(self.yaw)
        self.y += back * sin(self.yaw)
        length, turns, drift = self.off
        self.off = (length + abs(back), turns, drift)
