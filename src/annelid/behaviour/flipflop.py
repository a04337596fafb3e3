"""Detects two behaviours that keep undoing each other.

One turns the robot left, towards the goal; there the other sees an obstacle and turns it right;
there the first sees the goal.  Each is right, the robot never arrives, and no single decision
looks wrong.  What can be seen is that the channel keeps returning to the winner it had just been
taken from.  A succession of different winners (wander, follow, reach) is no flip-flop, however
quick.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from annelid.errors import InputError
from annelid.kernel.time import SECOND

Winners = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FlipFlop:
    """Too many: a channel returned ``undone`` times within ``window_ns``."""

    undone: int = 6
    window_ns: int = 2 * SECOND

    def __post_init__(self) -> None:
        if self.undone < 1 or self.window_ns < 1:
            raise InputError(
                f"FlipFlop: expected at least 1 return in at least 1 ns, got {self.undone} in"
                f" {self.window_ns} ns"
            )


class FlipFlopWatch:
    """Looks at the changes of one channel.  An episode is told once, until it has been quiet."""

    __slots__ = ("_before", "_times", "_told", "rule")

    def __init__(self, rule: FlipFlop) -> None:
        self.rule = rule
        self._times: deque[int] = deque()
        self._before: Winners | None = None
        self._told = False

    def changed(self, now_ns: int, left: Winners, to: Winners) -> int:
        """The winners changed: the number of returns when they have just become too many, or 0."""
        times, self_before = self._times, self._before
        self._before = left
        while times and now_ns - times[0] > self.rule.window_ns:
            times.popleft()
        if not times:
            self._told = False
        if to != self_before:
            return 0
        times.append(now_ns)
        if self._told or len(times) < self.rule.undone:
            return 0
        self._told = True
        return len(times)
