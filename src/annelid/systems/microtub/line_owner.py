"""Decides who may use a module's sync pins: one user at a time.

000 uses the same two wires for three things (§4.1.6 and §5.2) and says only that the clock has to
give way.  Here the order is configuration check > elbow > clock (proposed): whoever wants the line
says so, the highest of them has it, and the others get it back by themselves.  After a change the
line is nobody's for a moment, so that no edge left by one is read by the next.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from annelid.kernel import MILLISECOND

QUIET_NS: Final = 50 * MILLISECOND


class LineUse(IntEnum):
    """The larger wins."""

    CLOCK = 1
    ELBOW = 2
    CHECK = 3


class LineOwner:
    """Times are the board's own, ns."""

    def __init__(self) -> None:
        self.owner: LineUse | None = None
        self._wanted: set[LineUse] = set()
        self._quiet_until_ns = 0

    def want(self, use: LineUse, now_ns: int) -> None:
        """From now on, until :meth:`leave`."""
        if use not in self._wanted:
            self._wanted.add(use)
            self._changed(now_ns)

    def leave(self, use: LineUse, now_ns: int) -> None:
        if use in self._wanted:
            self._wanted.remove(use)
            self._changed(now_ns)

    def wants(self, use: LineUse) -> bool:
        return use in self._wanted

    def has(self, use: LineUse, now_ns: int) -> bool:
        """Whether ``use`` may drive and believe the pins now.

        A check does not wait for quiet: it has a settling time of its own.
        """
        return self.owner is use and (use is LineUse.CHECK or now_ns >= self._quiet_until_ns)

    def _changed(self, now_ns: int) -> None:
        before, self.owner = self.owner, max(self._wanted, default=None)
        if self.owner is not before:
            self._quiet_until_ns = now_ns + QUIET_NS
