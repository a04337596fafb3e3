"""The module's surroundings (000 §4.1): what they are, and whether they are fit for the robot.

**Situation awareness** (§4.1.5): inside a narrow pipe, a wide pipe, or open air.

*Activation*: the module has the four infrared sensors.  *Stimuli*: their distances, and the touch
at the nose.  *Proposals*: the situation, on the channel of that name; it is also put into the
stimuli for the other behaviours.  *Rate*: 5 Hz, judged by the last seven looks, under a wave each
by the median of its swing.

Each ray leaves 45° forward, so a wall ``d`` away along it stands ``d/√2`` further out than the
sensor.  Seen from behind, the four walls are the ends of two chords that cross at right angles, and
then the sum of the squares of their four parts is the square of the bore, wherever the nose is
between the walls and however it is rolled.

That is so for the four walls of one look.  The medians of a swing are of several looks: where the
nose swings from side to side as well as it tilts, each of them is less than the wall is away on the
whole, and a pipe of 60 mm looks like one of 50.  A single look is wrong the other way: a tilted
nose takes a pipe for wider.  So under a wave a pipe is narrow when the medians say so, and one look
of the swing at least.

In a pipe far wider than a ray is long, some rays meet nothing; two that meet nothing look like open
air.  But open ground hardly ever shows three walls, so two looks of seven that do are enough for a
pipe.  What four rays cannot tell: a wall at arm's length beside the robot looks like a wide pipe.
A nose that touches something sees that in its rays and is no judge of pipes; such looks are left
out.

Until the looks of a wave are sure of open air, a fast robot hangs out of its pipe.  So one look in
which three rays meet nothing makes its module say *perhaps out of the pipe*, and the central
control has the robot stand and look.

**Environment diagnostic**.  *Activation*: always, on modules that can measure them.  *Stimuli*:
thermometer, hygrometer.  *Proposals*: none; it raises an alarm when a reading leaves its bounds,
and once only until it is well inside again.  *Rate*: 1 Hz; air is slow.  The paper names this
behaviour and does not describe it.  The bounds are ours: air at 50 °C cannot cool a servo that must
stop at 50 °C, below freezing grease is stiff, and at 95 % water condenses on the boards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import median
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.modules.shells import RADIUS
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    SITUATION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Situation, Stimuli
from annelid.systems.microtub.protocol.enums import Alarm, EnvironmentInfo, WorkingMode

RAYS: Final = ("infrared_left", "infrared_up", "infrared_right", "infrared_down")
"""In their order round the nose: opposite ones are two apart."""

TOUCH: Final = "nose"

NARROW: Final = 0.055
"""Bore up to which a pipe is narrow, m: where the supports reach both walls (FACTS §3)."""

REACH: Final = 0.148
"""A distance beyond this is nothing seen, m."""

LOOK_S: Final = 0.2
"""Between two looks."""
LOOKS: Final = 7

CLOSED: Final = 2
"""Of ``LOOKS``: so many that show a pipe, or a narrow one, are enough."""


def judge(left: float, up: float, right: float, down: float) -> Situation:
    """One look: four distances along the rays, m."""
    rays = (left, up, right, down)
    if any(ray != ray for ray in rays):
        return Situation.UNKNOWN
    walls = [(RADIUS + ray) / sqrt(2) for ray in rays if ray < REACH]
    if len(walls) == len(rays) and sum(wall * wall for wall in walls) <= NARROW**2:
        return Situation.NARROW_PIPE
    across = (left < REACH) is (right < REACH)
    if len(walls) == 2 and across and sum(walls) <= NARROW:
        return Situation.NARROW_PIPE  # a cross: the other two look into its branches
    return Situation.WIDE_PIPE if len(walls) >= 3 else Situation.OPEN_AIR


def _open(look: Sequence[float]) -> bool:
    """Whether only one ray, or none, meets anything."""
    return sum(ray >= REACH for ray in look) > 2


def judge_swing(looks: Sequence[Sequence[float]]) -> Situation:
    """The looks of a swing, the four rays of each; of a single look what it shows."""
    seen = judge(*(median(ray) for ray in zip(*looks, strict=True)))
    if seen is Situation.NARROW_PIPE and not any(judge(*look) is seen for look in looks):
        return Situation.WIDE_PIPE
    return seen


class NoseSwing:
    """The looks of one swing of a nose that a wave swings about: the median of a ray over them is
    what it sees along the pipe.  Without a wave, the last look."""

    def __init__(self) -> None:
        self._looks: deque[Sequence[float]] = deque()

    def add(
        self, look: Sequence[float], swing_s: float | None, every_s: float
    ) -> list[tuple[float, ...]]:
        """One more; brings those of the swing, a row for each reading of a look."""
        most = 1 if swing_s is None else max(1, round(swing_s / every_s))
        self._looks.append(look)
        while len(self._looks) > most:
            self._looks.popleft()
        return list(zip(*self._looks, strict=True))


class SituationAwareness(EmbeddedBehaviour):
    name = "situation awareness"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if set(RAYS) <= set(module.sensors) else None

    def __init__(self) -> None:
        self._looks: deque[Situation] = deque(maxlen=LOOKS)
        self._last: tuple[Proposal, ...] = ()
        self._swing = NoseSwing()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        if stimuli.read(TOUCH) > 0.0:
            return self._last
        look = [stimuli.read(ray) for ray in RAYS]
        swing = self._swing.add(look, stimuli.walk.swing_s, LOOK_S)
        looks = list(zip(*swing, strict=True))
        seen = judge_swing(looks)
        if seen is Situation.UNKNOWN:
            self._looks.clear()
        else:
            self._looks.append(seen)
            seen = self._judged()
            swings = stimuli.walk.swing_s is not None and stimuli.mode is WorkingMode.PIPE
            if swings and seen is not Situation.OPEN_AIR and any(map(_open, looks)):
                seen = Situation.PERHAPS_OUT
        if not self._last or self._last[0].value is not seen:
            self._last = (self.proposal(SITUATION, seen, reason="from the infrared sensors"),)
        stimuli.situation = seen
        return self._last

    def _judged(self) -> Situation:
        """A tilted nose takes a pipe for wider than it is, never for narrower; so few narrow looks
        count for more than many wide ones, as few closed ones do for more than many open ones."""
        narrow = self._looks.count(Situation.NARROW_PIPE)
        closed = narrow + self._looks.count(Situation.WIDE_PIPE)
        enough = min(CLOSED, len(self._looks))
        if closed < enough:
            return Situation.OPEN_AIR
        return Situation.NARROW_PIPE if narrow >= enough else Situation.WIDE_PIPE


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one reading, in its own unit."""

    sensor: str
    what: EnvironmentInfo
    low: float
    high: float
    margin: float
    """How far inside it counts as good again."""
    unit: str


BOUNDS: Final = (
    Bounds("thermometer", EnvironmentInfo.TEMPERATURE, 0.0, 50.0, 2.0, "°C"),
    Bounds("hygrometer", EnvironmentInfo.HUMIDITY, 0.0, 95.0, 2.0, "%"),
)


class EnvironmentDiagnostic(EmbeddedBehaviour):
    name = "environment diagnostic"
    level = PERCEPTION
    period_ns = seconds(1.0)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        known = {bounds.sensor for bounds in BOUNDS}
        return None if known.isdisjoint(module.sensors) else cls(module.sensors)

    def __init__(self, sensors: Iterable[str]) -> None:
        """``sensors`` the module has; those without bounds are not watched."""
        named = frozenset(sensors)
        self._watched = [bounds for bounds in BOUNDS if bounds.sensor in named]
        self._out: set[str] = set()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        for bounds in self._watched:
            reading = stimuli.read(bounds.sensor)
            if bounds.low + bounds.margin <= reading <= bounds.high - bounds.margin:
                self._out.discard(bounds.sensor)
            elif (reading < bounds.low or reading > bounds.high) and bounds.sensor not in self._out:
                self._out.add(bounds.sensor)
                words = f"{bounds.what.meaning} is {reading:.0f} {bounds.unit}, "
                words += f"fit is {bounds.low:g} to {bounds.high:g}"
                stimuli.warn(Alarm.SURROUNDINGS, words, number=int(bounds.what))
        return ()
