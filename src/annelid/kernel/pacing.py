"""Runs virtual time at the pace of a wall clock, for the console and for real robots.

The wall clock is given, never read from the system here: the core stays free of it, and a test
can play with one of its own.
"""

from __future__ import annotations

from collections.abc import Callable

from annelid.errors import InputError
from annelid.kernel.time import MILLISECOND, SECOND


class Pacer:
    """Holds a run back so that ``speed`` seconds of virtual time take one of wall time.

    ``wall`` is a monotonic clock in ns (``time.monotonic_ns``), ``idle`` waits for some seconds
    (``time.sleep``).  ``idle`` is also the place to listen: it may :meth:`Kernel.inject` what
    arrives from a serial port or a browser, at :meth:`virtual_ns`, and is never asked to wait
    longer than ``slice_ns``, so that ``Kernel.stop`` is soon obeyed.

    A run that cannot keep up is not hurried afterwards: when it is more than ``patience_ns``
    late, the lost time is forgiven, and counted in ``forgiven_ns``.
    """

    def __init__(
        self,
        wall: Callable[[], int],
        idle: Callable[[float], object],
        *,
        start_ns: int = 0,
        speed: float = 1.0,
        slice_ns: int = 10 * MILLISECOND,
        patience_ns: int = 100 * MILLISECOND,
    ) -> None:
        if not speed > 0:
            raise InputError(f"speed: expected more than 0, got {speed!r}")
        self._wall = wall
        self._idle = idle
        self._speed = speed
        self._slice_ns = slice_ns
        self._patience_ns = patience_ns
        self.forgiven_ns = 0
        """Wall time by which the run has fallen behind for good."""
        self.restart(start_ns)

    def restart(self, t_ns: int) -> None:
        """Count anew from here: virtual ``t_ns`` is this moment (after a pause)."""
        self._start_wall = self._wall()
        self._start_virtual = t_ns

    def virtual_ns(self) -> int:
        """The virtual time that corresponds to this moment of the wall clock."""
        return self._start_virtual + round((self._wall() - self._start_wall) * self._speed)

    def arrived(self, t_ns: int) -> bool:
        """Whether the wall clock has come to ``t_ns``; if not, idles for a slice at most."""
        due = self._start_wall + round((t_ns - self._start_virtual) / self._speed)
        early = due - self._wall()
        if early > 0:
            self._idle(min(early, self._slice_ns) / SECOND)
            return False
        if -early > self._patience_ns:
            self.forgiven_ns += -early
            self.restart(t_ns)
        return True
