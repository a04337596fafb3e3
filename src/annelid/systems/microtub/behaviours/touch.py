"""Feel what is in the way or beside, by contact and infrared (000 §4.1.1, §6.1.3).

==============  ==================================  ==============================================
behaviour       active, while the robot walks       tells the central control (TS)
==============  ==================================  ==============================================
feel touch      touch sensor and four rays as T     on which side something is, once, and again
                has them; not in a pipe             when it has been gone
feel sides      any other touch sensors or rays;    the side of each sensor that feels something;
                in a pipe only those ahead, since   the same
                its walls are all round
==============  ==================================  ==============================================

*Stimuli*: touches, distances, the swing of the gait.  *Proposals*: none.  *Rate*: 20 Hz.

A nose that a wave swings about beats on the floor and looks at it, so a touch alone means nothing.
What is in the way is still before an eye at the moment of the swing in which that eye sees
farthest.  Each of T's eyes looks 45° to its side: both mean straight ahead.  Where no eye helps, a
sensor has to be pressed for a longer part of the swing than is usual in this walk, and that proves
no more than a joint that is held (``held``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from math import atan2, hypot, inf, pi
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.motion.elbow import FELT_N, NoseFinding, NoseReport
from annelid.robot.body import Ray, Touch
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.surroundings import RAYS, TOUCH, NoseSwing
from annelid.systems.microtub.behaviours.usual import Usual
from annelid.systems.microtub.behaviours.walk import STANDING, Walk

LOOK_S: Final = 0.05
NEAR: Final = 0.09
"""An eye that never sees farther than this has something before it, m."""
GONE_S: Final = 2.0
"""So long without a touch, and the next one is told again."""
TWO_LOOKS_S: Final = 2 * LOOK_S
"""Takes the place of the swing of a module that does not swing."""
PRESSED: Final = 0.25
"""Share of a swing by which a sensor has to be pressed for longer than usual."""
AT_HAND: Final = 0.012
"""A ray that never ends farther away than this ends at something that is touched, m."""
AHEAD_M, AHEAD = 0.006, 0.9
"""A touch sensor nearer to the axis, and a ray whose cosine to it is larger, look ahead."""
FREE_SIDE: Final = {NoseFinding.LEFT: pi, NoseFinding.RIGHT: 0.0}
"""Where it goes on, rad, 0 to the left."""
ROUND: Final = (NoseFinding.LEFT, NoseFinding.ABOVE, NoseFinding.RIGHT, NoseFinding.BELOW)
"""Quarter by quarter, from the left."""


class FeelTouch(EmbeddedBehaviour):
    name = "feel touch"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if {TOUCH, *RAYS} <= set(module.sensors) else None

    def __init__(self) -> None:
        self._swing = NoseSwing()
        self._last_ns: int | None = None
        """When it touched last."""

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk != STANDING and stimuli.in_pipe is False

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        left, _, right, _ = (_or_far(stimuli.read(ray)) for ray in RAYS)
        swing_s = stimuli.walk.swing_s
        look = (stimuli.read(TOUCH), left, right)
        touches, lefts, rights = self._swing.add(look, swing_s, LOOK_S)
        whole = swing_s is None or len(touches) >= round(swing_s / LOOK_S)
        on_left, on_right = max(lefts) < NEAR, max(rights) < NEAR
        if whole and max(touches) > 0.0 and (on_left or on_right):
            self._touch(stimuli, on_left, on_right)
        return ()

    def reset(self) -> None:
        self._swing = NoseSwing()

    def _touch(self, stimuli: Stimuli, on_left: bool, on_right: bool) -> None:
        before, self._last_ns = self._last_ns, stimuli.now_ns
        if before is not None and stimuli.now_ns - before < seconds(GONE_S):
            return
        finding = NoseFinding.TOUCH
        if on_left is not on_right:
            finding = NoseFinding.LEFT if on_left else NoseFinding.RIGHT
        stimuli.felt.append(NoseReport(finding, None))


def _or_far(distance: float) -> float:
    """A broken eye has nothing before it."""
    return distance if distance == distance else inf


class FeelSides(EmbeddedBehaviour):
    name = "feel sides"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        if {TOUCH, *RAYS} <= set(module.sensors):
            return None  # feel touch, feel ahead
        sides = {
            sensor.name: side
            for sensor in module.kind.body().sensors
            if isinstance(sensor, Touch | Ray) and (side := looks_to(sensor)) is not None
        }
        rays = {each.name for each in module.kind.body().sensors if isinstance(each, Ray)}
        return cls(sides, rays & sides.keys()) if sides else None

    def __init__(self, sides: Mapping[str, NoseFinding], rays: Collection[str]) -> None:
        self._sides, self._rays = sides, rays
        self._last_ns: dict[NoseFinding, int] = {}
        """When each side was felt last."""
        self._begin(STANDING, 0)

    def _begin(self, walk: Walk, now_ns: int) -> None:
        self._walk, self._judged_ns = walk, now_ns
        self._swing = NoseSwing()
        self._usual = {name: Usual(share=0.0, least=PRESSED) for name in self._sides}

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk != STANDING

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        if stimuli.walk != self._walk:
            self._begin(stimuli.walk, stimuli.now_ns)
        swings = stimuli.walk.swing_s is not None
        swing_s = stimuli.walk.swing_s or TWO_LOOKS_S
        looks = self._swing.add([stimuli.read(each) for each in self._sides], swing_s, LOOK_S)
        whole = len(looks[0]) >= round(swing_s / LOOK_S)
        if not whole or stimuli.now_ns - self._judged_ns < seconds(swing_s / 2):
            return ()
        self._judged_ns = stimuli.now_ns
        for (name, side), seen in zip(self._sides.items(), looks, strict=True):
            if name in self._rays:
                feels = all(each < AT_HAND for each in seen)
            else:
                pressed = sum(each > FELT_N for each in seen) / len(seen)
                usual = self._usual[name]
                feels = (
                    usual.departs([pressed]) and pressed > usual.size if swings else pressed == 1
                )
            if feels and (side is NoseFinding.TOUCH or stimuli.in_pipe is False):
                self._tell(stimuli, side, sure=name in self._rays or not swings)
        return ()

    def reset(self) -> None:
        self._begin(STANDING, 0)

    def _presses(self, name: str, pressed: float) -> bool:
        usual = self._usual[name]
        return usual.departs([pressed]) and pressed > usual.size

    def _tell(self, stimuli: Stimuli, side: NoseFinding, *, sure: bool) -> None:
        before = self._last_ns.get(side)
        self._last_ns[side] = stimuli.now_ns
        if before is None or stimuli.now_ns - before >= seconds(GONE_S):
            doubtful = NoseReport(NoseFinding.HELD, FREE_SIDE.get(side))
            stimuli.felt.append(NoseReport(side, None) if sure else doubtful)


def looks_to(sensor: Touch | Ray) -> NoseFinding | None:
    """The side of its module that a sensor tells of; None: behind."""
    if isinstance(sensor, Ray):
        ahead, *aside = sensor.direction
        off = AHEAD * hypot(*sensor.direction)
    else:
        ahead, *aside = 1.0 if hypot(*sensor.at[1:]) < AHEAD_M else 0.0, *sensor.at[1:]
        off = AHEAD
    if abs(ahead) > off:
        return NoseFinding.TOUCH if ahead > 0 else None
    return ROUND[round(atan2(aside[1], aside[0]) / (pi / 2)) % 4]
