"""The inchworm step (000 §2.3, §4.1.7; phases of FACTS §3).

A rear support, an extension and a front support take turns::

    phase      1 front    2 extend   3 front   4 rear     5 contract  6 rear
               lets go               grips     lets go                grips
    rear       grips      grips      grips     –          –           grips
    extension  short      long       long      long       short       short
    front      –          –          grips     grips      grips       grips

Going backwards, the two supports exchange their parts.  Each place may be a unit of several
modules that act as one (000 Fig. 20).  The values are setpoints: a mechanism takes up the time of
the phase to get there, and that is why a support is told to grip a whole phase before the other
one lets go: the robot keeps a firm grip at all times (000 §2.3).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import Final, NamedTuple

from annelid.errors import InputError


class InchwormStep(NamedTuple):
    """Setpoints from 0 to 1: let go or grip, short or long."""

    rear: float
    extension: float
    front: float

    @property
    def reversed(self) -> InchwormStep:
        return InchwormStep(self.front, self.extension, self.rear)


PHASES: Final[tuple[InchwormStep, ...]] = (
    InchwormStep(1, 0, 0),
    InchwormStep(1, 1, 0),
    InchwormStep(1, 1, 1),
    InchwormStep(0, 1, 1),
    InchwormStep(0, 0, 1),
    InchwormStep(1, 0, 1),
)
"""What holds during phases 1 to 6, walking head first."""

READY: Final = PHASES[-1]
"""Before the first phase, in either direction: short, held at both ends."""

PHASE_S: Final = 0.13
"""How long a phase lasts unless told otherwise, s (FACTS §3)."""


@dataclass(frozen=True)
class Inchworm:
    """The cycle with its durations (s); ``reverse`` walks tail first."""

    durations: tuple[float, ...] = (PHASE_S,) * len(PHASES)
    reverse: bool = False

    def __post_init__(self) -> None:
        if len(self.durations) != len(PHASES) or not all(d > 0 for d in self.durations):
            raise InputError(
                f"inchworm: durations: expected {len(PHASES)} positive times in seconds, "
                f"got {list(self.durations)}"
            )

    @cached_property
    def _ends(self) -> tuple[float, ...]:
        return tuple(accumulate(self.durations))

    @cached_property
    def steps(self) -> tuple[InchwormStep, ...]:
        return tuple(step.reversed for step in PHASES) if self.reverse else PHASES

    @property
    def period(self) -> float:
        return self._ends[-1]

    def phase(self, t: float) -> int:
        """Which phase, 0 to 5, ``t`` seconds after the start; -1 before it."""
        if t < 0:
            return -1
        ends = self._ends
        # The last end is the next cycle's beginning; rounding may still land on it.
        return min(bisect_right(ends, t % ends[-1]), len(ends) - 1)

    def at(self, t: float) -> InchwormStep:
        """Grip of the rear, extension, grip of the front at ``t``."""
        phase = self.phase(t)
        return READY if phase < 0 else self.steps[phase]
