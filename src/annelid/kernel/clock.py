"""The clock of one board: it runs a little fast or slow, and starts at its own moment.

The quartz of a microcontroller is off by some parts per million (ppm); ten modules that each
count 15 ms drift apart, which is why the papers' modules need sync lines.  Here::

    local = offset + floor(global * (1 + drift))

in whole numbers throughout, with the drift as a fraction of 10**12, so a clock is exact after a
year as after a second.

Devices are sampled on the grid of the physics.  A moment of local time therefore *happens* at
the first grid step at which the clock shows it, at most one step late; :class:`LocalTimer` keeps
that lateness from adding up.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from annelid.errors import InputError
from annelid.kernel.time import whole
from annelid.kernel.waits import Until

_ONE = 10**12
"""The scale of the drift: one part in this is 1e-6 ppm."""

MAX_DRIFT_PPM = 100_000.0
"""A tenth: the free-running RC oscillator of a cheap microcontroller stays within it."""


@dataclass(frozen=True, slots=True)
class LocalClock:
    """A node's own time as a function of global virtual time, both in ns.

    ``drift_ppm`` is positive for a clock that runs fast (kept to 1e-6 ppm), ``offset_ns`` what it
    shows when the run begins, ``grid_ns`` the physics step on which its ticks land.
    """

    drift_ppm: float = 0.0
    offset_ns: int = 0
    grid_ns: int = 1
    _rate: int = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not (math.isfinite(self.drift_ppm) and abs(self.drift_ppm) <= MAX_DRIFT_PPM):
            raise InputError(
                f"drift_ppm: expected -{MAX_DRIFT_PPM:g} to {MAX_DRIFT_PPM:g},"
                f" got {self.drift_ppm!r}"
            )
        if whole("grid_ns", self.grid_ns) < 1:
            raise InputError(f"grid_ns: expected 1 ns or more, got {self.grid_ns}")
        whole("offset_ns", self.offset_ns)
        object.__setattr__(self, "_rate", _ONE + round(self.drift_ppm * 1_000_000))

    def local(self, global_ns: int) -> int:
        """What this clock shows at ``global_ns``."""
        return self.offset_ns + global_ns * self._rate // _ONE

    def reaches(self, local_ns: int) -> int:
        """The first global ns at which this clock shows ``local_ns`` or more.

        The inverse of :meth:`local`: ``reaches(l) <= g`` exactly when ``l <= local(g)``.
        """
        return -((self.offset_ns - local_ns) * _ONE // self._rate)

    def tick(self, local_ns: int) -> int:
        """The first step of the grid at which this clock shows ``local_ns`` or more."""
        return -(-self.reaches(local_ns) // self.grid_ns) * self.grid_ns


class LocalTimer:
    """Sleeps in local time for one program, without drift beyond the clock's own.

    A program that sleeps 15 ms wakes at a grid step, a little late.  Measured from there, the
    lateness of every turn would add up; so the timer remembers the exact local moment that was
    meant and measures from it as long as the program still stands at its step.  After ``n``
    sleeps of ``d`` the program wakes at ``clock.tick(start + n * d)``, however large ``n``.
    :meth:`tick` also leaves out what the program itself has taken.
    """

    __slots__ = ("_meant", "_step", "_ticked", "clock")

    def __init__(self, clock: LocalClock) -> None:
        self.clock = clock
        self._meant = 0
        self._step: int | None = None
        self._ticked: int | None = None

    def sleep(self, local_ns: int, now_ns: int) -> Until:
        """A wait of ``local_ns`` by this clock, from global ``now_ns``."""
        if whole("sleep", local_ns) < 0:
            raise InputError(f"sleep: expected 0 ns or more, got {local_ns}")
        start = self._meant if now_ns == self._step else self.clock.local(now_ns)
        self._meant = start + local_ns
        self._step = self.clock.tick(self._meant)
        return Until(self._step)

    def tick(self, local_ns: int, now_ns: int) -> Until:
        """The next tick of a period, counted from the last one that was due, however long ago the
        program was done with it; the first is a period from now.

        As with the flag of a hardware timer, a program that takes longer than a period finds one
        tick waiting, and those before it are lost.
        """
        if whole("tick", local_ns) < 1:
            raise InputError(f"tick: expected 1 ns or more, got {local_ns}")
        now = self.clock.local(now_ns)
        due = local_ns + (now if self._ticked is None else self._ticked)
        if due < now:
            due += (now - due) // local_ns * local_ns
        self._ticked = due
        return Until(self.clock.tick(due))
