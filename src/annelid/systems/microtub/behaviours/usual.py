"""What repeats itself while a module walks, and whether it has just become another."""

from __future__ import annotations

from collections.abc import Sequence
from math import hypot
from typing import Final

AGREED: Final = 3
"""Times in a row that it changes by less than half of what counts, and it has begun to repeat
itself."""
LEARNS: Final = 0.3
"""Weight of the last time in what is usual."""


class Usual:
    """Of one walk; some numbers at every half swing, taken over a whole one."""

    def __init__(self, *, share: float, least: float) -> None:
        """By which part of their size they may change, and by how much in any case."""
        self._share, self._least = share, least
        self._usual: list[float] | None = None
        self._agreed = 0

    @property
    def size(self) -> float:
        return hypot(*(self._usual or ()))

    def departs(self, now: Sequence[float]) -> bool:
        """Whether they are other than usual; if not, what is usual follows them."""
        usual = self._usual or list(now)
        change = hypot(*(new - old for new, old in zip(now, usual, strict=True)))
        most = max(self._share * hypot(*usual), self._least)
        if self._agreed < AGREED:
            self._agreed = self._agreed + 1 if change < most / 2 else 0
            self._usual = list(now)
            return False
        if change > most:
            return True
        self._usual = [old + LEARNS * (new - old) for new, old in zip(now, usual, strict=True)]
        return False
