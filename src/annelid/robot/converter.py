"""The converter between a physical quantity and a program: range and resolution.

A board does not read newtons.  It reads the counts of an analogue-to-digital converter or of an
encoder, and those have a lowest and a highest value and steps between them.  A quantity beyond the
range reads as the end of the range; no reading is ever NaN or infinite.
"""

from __future__ import annotations

from math import ceil, floor
from typing import Final, Self

from pydantic import model_validator

from annelid.spec import Spec

STEPS: Final = 1024
"""Of the ten-bit converter that small boards have (an ATmega8, an A1-16)."""

MOST_STEPS: Final = 2.0**53
"""Beyond it, two neighbouring readings are one and the same number."""


class Converter(Spec):
    """Readings are whole multiples of ``resolution`` from ``low`` to ``high``, in the unit of what
    is measured.  Zero, where it is in the range, is read as zero."""

    low: float
    high: float
    resolution: float
    """From one reading to the next."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not self.resolution > 0:
            raise ValueError(f"resolution: expected more than 0, got {self.resolution:g}")
        if not self.low < self.high:
            raise ValueError(f"expected low below high, got {self.low:g} and {self.high:g}")
        if max(abs(self.low), abs(self.high)) / self.resolution > MOST_STEPS:
            raise ValueError(
                f"resolution: {self.resolution:g} is too fine for {self.low:g} to {self.high:g}"
            )
        if not self.lowest < self.highest:
            raise ValueError(
                f"resolution: {self.resolution:g} is too coarse for {self.low:g} to {self.high:g}: "
                "expected at least two readings"
            )
        return self

    @classmethod
    def of_steps(cls, low: float, high: float, steps: int = STEPS) -> Self:
        """A range that is divided into so many steps."""
        return cls(low=low, high=high, resolution=(high - low) / steps)

    @property
    def lowest(self) -> float:
        """The reading of everything at or below it."""
        return ceil(self.low / self.resolution) * self.resolution

    @property
    def highest(self) -> float:
        """The reading of everything at or above it."""
        return floor(self.high / self.resolution) * self.resolution
