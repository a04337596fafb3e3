"""Feel what is in the way outside pipes (000 §4.1.1, §6.1.3).

*Activation*: the module has a touch sensor and the infrared eyes, walks, and is not in a pipe.
*Stimuli*: the touch, the distances, the swing of the gait.  *Proposals*: none; it tells the central
control on which side something is (TS), once, and again when it has been gone.  *Rate*: 20 Hz.

A nose that a wave swings about beats on the floor and looks at it, so a touch alone means nothing.
What is in the way is still before an eye at the moment of the swing in which that eye sees
farthest.  Each eye looks 45° to its side: both mean straight ahead.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import inf
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.motion.elbow import NoseFinding, NoseReport
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.surroundings import RAYS, TOUCH, NoseSwing
from annelid.systems.microtub.behaviours.walk import STANDING

LOOK_S: Final = 0.05
NEAR: Final = 0.09
"""An eye that never sees farther than this has something before it, m."""
GONE_S: Final = 2.0
"""So long without a touch, and the next one is told again."""


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
