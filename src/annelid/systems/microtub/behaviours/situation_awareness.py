"""Situation awareness (000 §4.1.5): inside a narrow pipe, a wide pipe, or open air.

*Activation*: the module has the four infrared sensors.  *Stimuli*: their distances, and the touch
at the nose.  *Proposals*: the situation, on the channel of that name; it is also put into the
stimuli for the other behaviours.  *Rate*: 10 Hz, and a majority of the last seven looks.

Each ray leaves 45° forward, so a wall ``d`` away along it stands ``d/√2`` further out than the
sensor.  Two opposite rays together measure the bore along their line, whatever the place of the
nose between the walls; a line off the axis is a chord and shorter, so the longer of the two counts.
A pipe closes round the nose; on open ground there is floor, perhaps something on one side, and
nothing overhead.  A nose that touches something sees it in all rays and is no judge of pipes, so
those looks are left out.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable
from math import sqrt
from typing import Final

from annelid.behaviour import Behaviour, Proposal
from annelid.kernel import seconds
from annelid.modules.shells import RADIUS
from annelid.systems.microtub.behaviours.levels import PERCEPTION, SITUATION
from annelid.systems.microtub.behaviours.stimuli import Situation, Stimuli

RAYS: Final = ("infrared_left", "infrared_up", "infrared_right", "infrared_down")
"""In their order round the nose: opposite ones are two apart."""

TOUCH: Final = "nose"

NARROW: Final = 0.055
"""Bore up to which a pipe is narrow, m: where the supports reach both walls (FACTS §3)."""

REACH: Final = 0.148
"""A distance beyond this is nothing seen, m."""

LOOKS: Final = 7


def judge(left: float, up: float, right: float, down: float) -> Situation:
    """One look: four distances along the rays, m."""
    rays = (left, up, right, down)
    if any(ray != ray for ray in rays):
        return Situation.UNKNOWN
    walls = [RADIUS / sqrt(2) + ray / sqrt(2) if ray < REACH else None for ray in rays]
    across = [a + b for a, b in zip(walls[:2], walls[2:], strict=True) if a and b]
    if not across:
        return Situation.OPEN_AIR
    if sum(wall is not None for wall in walls) < 3:
        return Situation.OPEN_AIR
    return Situation.NARROW_PIPE if max(across) <= NARROW else Situation.WIDE_PIPE


class SituationAwareness(Behaviour[Stimuli]):
    name = "situation awareness"
    level = PERCEPTION
    period_ns = seconds(0.1)

    def __init__(self) -> None:
        self._looks: deque[Situation] = deque(maxlen=LOOKS)
        self._last: tuple[Proposal, ...] = ()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        if stimuli.read(TOUCH) > 0.0:
            return self._last
        seen = judge(*[stimuli.read(ray) for ray in RAYS])
        if seen is not Situation.UNKNOWN:
            self._looks.append(seen)
            seen = Counter(self._looks).most_common(1)[0][0]
        if not self._last or self._last[0].value is not seen:
            self._last = (self.proposal(SITUATION, seen, reason="from the infrared sensors"),)
        stimuli.situation = seen
        return self._last
