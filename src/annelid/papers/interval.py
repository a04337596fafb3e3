"""A mean or a rate over repeats, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf, nan, sqrt

import numpy as np
from scipy.stats import t as student

from annelid.trial.summary import wilson


@dataclass(frozen=True)
class Interval:
    """What was found, and between which values it lies with 95 %."""

    value: float
    low: float
    high: float

    @classmethod
    def mean(cls, found: Sequence[float]) -> Interval:
        """By Student's t; a single run tells nothing about the spread."""
        middle = float(np.mean(found))
        if len(found) < 2:
            return cls(middle, -inf, inf)
        half = float(student.ppf(0.975, len(found) - 1) * np.std(found, ddof=1)) / sqrt(len(found))
        return cls(middle, middle - half, middle + half)

    @property
    def half(self) -> float:
        return (self.high - self.low) / 2

    def above(self, other: Interval) -> bool:
        """Larger, and the intervals do not meet."""
        return self.low > other.high

    def told(self, digits: int = 2) -> str:
        """``3.24 ± 0.05``; of a single run the value alone."""
        spread = "" if self.half == inf else f" ± {self.half:.{digits}f}"
        return f"{self.value:.{digits}f}{spread}"


@dataclass(frozen=True)
class Rate(Interval):
    """How many of some did it: ``12 of 15 (55-93 %)``."""

    of: int = 0

    @classmethod
    def count(cls, passed: Iterable[bool]) -> Rate:
        """By Wilson."""
        counted = list(passed)
        return cls.share(sum(counted), len(counted))

    @classmethod
    def share(cls, good: int, of: int) -> Rate:
        """Of none at all nothing is known."""
        if not of:
            return cls(nan, 0.0, 1.0, 0)
        return cls(good / of, *wilson(good, of), of)

    @property
    def good(self) -> int:
        return round(self.value * self.of) if self.of else 0

    def __str__(self) -> str:
        return f"{self.good} of {self.of} ({100 * self.low:.0f}-{100 * self.high:.0f} %)"
