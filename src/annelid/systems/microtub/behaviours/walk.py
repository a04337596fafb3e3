"""The walk of a module: the parameters of all gaits, in one frozen value.

The heterogeneous agent makes one from an LLC2 command (MSW, TUR, MWO, MHE, PO ...) and puts it
into the stimuli; each walking behaviour looks at its own field and is active while that is set.
Several may be set at once: a snake's wave with a turn, pushing wheels under a wave (000 §4.2:
"they may be complementary").
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annelid.motion.inchworm import Inchworm
from annelid.motion.snake import SnakeRow
from annelid.motion.waves import wave
from annelid.systems.microtub.protocol.enums import InchwormPart


@dataclass(frozen=True, slots=True)
class Sinusoid:
    """Eq 7 or 8 of 000 for one module: ``A·sin(ω·t + i·φ + lead)``, i from 0 at the head."""

    amplitude: float
    """rad"""
    omega: float
    """rad/s"""
    phase: float
    """φ, rad; positive runs towards the head."""
    lead: float = 0.0
    """Of the horizontal wave over the vertical one, rad."""

    def at(self, time_s: float, position: int) -> float:
        return wave(time_s, self.amplitude, self.omega, self.phase, position, self.lead)


FORWARDS: Final = Inchworm()


@dataclass(frozen=True, slots=True)
class Worm:
    """A module's part in the inchworm (INH) and the cycle all of them follow."""

    part: InchwormPart
    cycle: Inchworm = FORWARDS

    def setpoint(self, time_s: float) -> float:
        """0 to 1: let go or grip, short or long.  The first support is the one at the head."""
        step = self.cycle.at(time_s)
        if self.part is InchwormPart.EXTENSION:
            return step.extension
        return step.front if self.part is InchwormPart.FIRST_SUPPORT else step.rear


@dataclass(frozen=True, slots=True)
class Walk:
    """All that may be set; nothing set is standing still."""

    vertical: Sinusoid | None = None
    horizontal: Sinusoid | None = None
    bend: float | None = None
    """Constant on the horizontal joints, rad, positive to the left: the arc of a turn."""
    worm: Worm | None = None
    push: float | None = None
    """Level of self-propelled modules, -1 to 1."""
    elbow: float | None = None
    """Where the elbow leads that the robot goes round, rad, 0 to the left, π/2 upwards."""
    rest: bool = False
    """A module that cannot help takes the pose of least friction."""

    @classmethod
    def snake(cls, row: SnakeRow) -> Walk:
        """A row of the table of movements (``annelid.motion.snake``)."""
        return cls(
            vertical=Sinusoid(row.vertical, row.omega, row.phase_vertical)
            if row.vertical
            else None,
            horizontal=Sinusoid(row.horizontal, row.omega, row.phase_horizontal, row.between)
            if row.horizontal
            else None,
            bend=row.offset or None,
            rest=True,
        )


STANDING: Final = Walk()
