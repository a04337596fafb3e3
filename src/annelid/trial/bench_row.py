"""One line of the benchmark, and how its time is measured."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter, process_time
from typing import Any

Tell = Callable[[str], None]
"""Told what is being measured."""


@dataclass(frozen=True)
class BenchRow:
    """One measurement and what it should be."""

    name: str
    value: float
    unit: str
    limit: float | None
    detail: str
    above: bool = False
    """Whether the limit is a floor rather than a ceiling."""

    @property
    def verdict(self) -> str:
        if self.limit is None:
            return "–"
        kept = self.value >= self.limit if self.above else self.value <= self.limit
        return "pass" if kept else "short"

    @property
    def told(self) -> tuple[str, str]:
        """Value and limit, with their unit."""
        limit = "–" if self.limit is None else f"{self.limit:g} {self.unit}"
        return f"{self.value:.3g} {self.unit}", limit


def timed(work: Callable[[], Any]) -> float:
    """CPU seconds of this process: other people's work on the machine does not count."""
    begun, wall = process_time(), perf_counter()
    work()
    spent = process_time() - begun
    return spent or perf_counter() - wall
