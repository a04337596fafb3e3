"""How many runs of some did it: counted, with the 95 % interval of the rate."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from annelid.papers.interval import Interval


@dataclass(frozen=True)
class Rate(Interval):
    """``12 of 15 (55-93 %)``"""

    of: int = 0

    @classmethod
    def count(cls, passed: Iterable[bool]) -> Rate:
        counted = list(passed)
        rate = Interval.rate(counted)
        return cls(rate.value, rate.low, rate.high, len(counted))

    @property
    def good(self) -> int:
        return round(self.value * self.of)

    def __str__(self) -> str:
        return f"{self.good} of {self.of} ({100 * self.low:.0f}-{100 * self.high:.0f} %)"
