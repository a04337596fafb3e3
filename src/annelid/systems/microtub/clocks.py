"""The gait time of a module, and how modules keep it the same (000 §4.1.6).

**RTC.**  A movement command to all sets t to 0; RTC, every 2 s, sets it to the nearest multiple of
2 s, so that a wave goes on where a literal reset would jump (proposed).  Between two of them a
module's own clock counts, and drifts.

**The sync line.**  A baton runs from the first module to the last and back; every pass is one tick,
for its originator too, so that all count alike (read literally, the ends of the chain tick half as
often: FACTS §6).  A pass is a change of level, whichever way.  The first module sets the pace, the
last sends the baton back half a round later.  Between two ticks the own clock counts, so nothing
has to be switched when the line is taken or broken: t goes on and RTC holds it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from annelid.electronics.port import Pin
from annelid.kernel import MILLISECOND

TICK_NS: Final = 20 * MILLISECOND
"""Between two passes; the timer of 001 §4.1.1."""
SOON_NS, LATE_NS = TICK_NS // 4, 5 * TICK_NS // 2
"""A pass between these after the last is one tick.  The window is wide: a module that took a pass
for a tick where its neighbour did not would be off by the difference, pass after pass."""
LOST_NS: Final = 5 * TICK_NS
"""Without a return for so long, the first module takes the baton for lost."""
AGAIN_NS: Final = 500 * MILLISECOND
"""After which it sends another."""


class GaitClock:
    """t, from the board's own time; both ns."""

    def __init__(self, *, rtc_ns: int, changed: Callable[[int, str], None] | None = None) -> None:
        """``changed(t, by what)`` is told whenever t does not merely go on."""
        self._rtc_ns = rtc_ns
        self._changed = changed
        self._ahead_ns = 0
        """t less what the ticks say."""
        self._ticked_t_ns = 0
        self._ticked_ns = 0
        self._set = False
        """Whether anybody has told the time since the board started."""

    def t_ns(self, now_ns: int) -> int:
        return self._ahead_ns + self._ticked_t_ns + now_ns - self._ticked_ns

    def start(self, now_ns: int) -> None:
        """A movement begins: t is 0."""
        self._ahead_ns -= self.t_ns(now_ns)
        self._set = True
        self._tell(0, "start")

    def rtc(self, now_ns: int) -> None:
        """The first one after a start of the board is literal: boards start at any time."""
        if not self._set:
            self.start(now_ns)
            return
        t = self.t_ns(now_ns)
        nearest = (t + self._rtc_ns // 2) // self._rtc_ns * self._rtc_ns
        self._ahead_ns += nearest - t
        self._tell(nearest, "rtc")

    def tick(self, now_ns: int) -> None:
        """A pass of the baton.

        Sparks, cuts and pauses make passes too soon or too late to be a measure; t goes on then.
        """
        gap = now_ns - self._ticked_ns
        self._ticked_t_ns += TICK_NS if SOON_NS < gap < LATE_NS else gap
        self._ticked_ns = now_ns
        self._tell(self.t_ns(now_ns), "line")

    def _tell(self, t_ns: int, by: str) -> None:
        if self._changed is not None:
            self._changed(t_ns, by)


class Baton:
    """A module's part in passing it; ``first`` and ``last`` come from the configuration check."""

    def __init__(self, sin: Pin, sout: Pin, clock: GaitClock) -> None:
        self.running = False
        self.due_ns: int | None = None
        """When this module, at an end of the chain, sends it off."""
        self._sin, self._sout = sin, sout
        self._clock = clock
        self._first = self._last = False
        self._in = self._out = False
        self._slot_ns = 0
        """When the first module means to send it off next."""
        self._back = True
        self._driven = {sin: False, sout: False}

    def run(self, now_ns: int, *, first: bool, last: bool) -> None:
        """The line is the clock's: begin, with both wires low."""
        self._first, self._last = first, last
        for pin in (self._sin, self._sout):
            self._drive(pin, False)
        self._in, self._out = self._sin.level, self._sout.level
        self._back = True
        self.running = True
        self.due_ns = now_ns + LOST_NS if first else None

    def stop(self) -> None:
        """The line is somebody else's."""
        self.running = False
        self.due_ns = None

    def look(self, now_ns: int) -> None:
        """Take a pass that has come, send one that is due."""
        if not self.running:
            return
        if self._sin.level != self._in:
            self._in = self._sin.level
            self._clock.tick(now_ns)
            if self._last:
                self.due_ns = now_ns + TICK_NS
            else:
                self._toggle(self._sout)
        if self._sout.level != self._out:
            self._out = self._sout.level
            self._clock.tick(now_ns)
            if self._first:
                self._back = True
                self.due_ns = max(self._slot_ns, now_ns)
            else:
                self._toggle(self._sin)
        if self.due_ns is not None and now_ns >= self.due_ns:
            self._send(now_ns, self.due_ns)

    def _send(self, now_ns: int, due_ns: int) -> None:
        if self._last and not self._first:
            self.due_ns = None
            self._clock.tick(now_ns)
            self._toggle(self._sin)
        elif self._first and self._last:
            self._clock.tick(now_ns)
            self.due_ns = due_ns + TICK_NS
        elif self._back:
            self._back = False
            self._clock.tick(now_ns)
            self._toggle(self._sout)
            self._slot_ns = due_ns + 2 * TICK_NS
            self.due_ns = self._slot_ns + LOST_NS
        else:
            self._back = True
            self.due_ns = now_ns + AGAIN_NS

    def _toggle(self, pin: Pin) -> None:
        self._drive(pin, not self._driven[pin])

    def _drive(self, pin: Pin, level: bool) -> None:
        self._driven[pin] = level
        pin.drive(level)
