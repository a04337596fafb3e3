"""The push of self-propelled modules (000 §4.1.8): forwards or backwards, as commanded.

A level of 1 is full speed ahead, -1 full speed astern, 0 holds.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from functools import cached_property

from annelid.errors import InputError

Change = tuple[float, float]
"""From this time on (s), this level."""


@dataclass(frozen=True)
class Push:
    """``level`` from the beginning, then each of ``changes`` in its turn."""

    level: float = 1.0
    changes: tuple[Change, ...] = field(default=())

    def __post_init__(self) -> None:
        times = [time for time, _ in self.changes]
        if times != sorted(set(times)):
            raise InputError(f"push: changes: expected rising times, got {times}")
        for level in self.levels:
            if not -1 <= level <= 1:
                raise InputError(f"push: level: expected -1 to 1, got {level}")

    @cached_property
    def levels(self) -> tuple[float, ...]:
        return (self.level, *(level for _, level in self.changes))

    @cached_property
    def _times(self) -> tuple[float, ...]:
        return tuple(time for time, _ in self.changes)

    def at(self, t: float) -> float:
        return self.levels[bisect_right(self._times, t)]
