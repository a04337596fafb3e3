"""The kernel: one queue of events, ordered by time, priority and sequence.

Two events of the same instant run in the order of their priority and, within it, in the order in
which they were queued, so a run depends on nothing but what the programs do.

**Why a bare heap and not SimPy.**  Measured on one core of a 2-core x86 cloud machine, CPython
3.11, SimPy 4.1.2, best of seven, microseconds per wake-up or per message:

=============================================  ==========  ====================  ==========
workload                                       SimPy bare  SimPy + typed waits   this heap
=============================================  ==========  ====================  ==========
10 modules waking at 67 Hz                     0.8         1.1                   0.9
ping-pong through two mailboxes                3.8         4.0                   1.2
messages received with a timeout               8.2         not built             4.9
=============================================  ==========  ====================  ==========

Bare SimPy wakes a sleeper a tenth cheaper, and no longer once it speaks typed waits; a message
costs it three times as much, and one with a timeout 1.7 times.  It would still have to be wrapped
for kills that run ``finally``, crash containment, and a guard against programs that stop the
clock.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping
from enum import IntEnum
from heapq import heapify, heappop, heappush
from typing import Any, Literal

from annelid.errors import InputError
from annelid.kernel.pacing import Pacer
from annelid.kernel.process import Livelock, Process
from annelid.kernel.time import to_seconds, whole
from annelid.kernel.timer import Timer, run_timer
from annelid.kernel.waits import Program

Record = Callable[[int, str, str, Mapping[str, Any]], Any]
"""``(time_ns, source, kind, detail)``: the ``append`` of the trace's event table."""

CrashPolicy = Literal["raise", "contain"]

Entry = tuple[int, int, int, Callable[[Any], Any], Any]

_NEVER = 1 << 80

_WITNESSED = 100
"""Events beyond the limit of an instant that are watched before it is called a livelock."""

_COMPACT_FROM = 256
"""Cancelled timers the queue carries before it is rebuilt without them."""


class Priority(IntEnum):
    """Who goes first in one instant; any whole number may be used, lower first."""

    OUTSIDE = -100
    """Operator commands and faults injected by hand (see :meth:`Kernel.inject`)."""
    NORMAL = 0
    LATE = 100
    """Samplers that look at an instant when the others are through."""


class Kernel:
    """Virtual time and the programs that live in it.

    ``crash`` is what happens when a program raises: ``"raise"`` ends the run with a
    :class:`ProgramError`; ``"contain"`` records the crash and lets the others go on, as a robot
    does when one of its boards dies.  ``instant_limit`` is how many events one instant may have
    before it counts as a livelock.
    """

    __slots__ = (
        "_cancelled",
        "_crash",
        "_fresh",
        "_instant_first",
        "_instant_limit",
        "_record",
        "_running",
        "_stopping",
        "_suspects",
        "current",
        "now",
        "processes",
        "queue",
        "sequence",
    )

    def __init__(
        self,
        *,
        record: Record | None = None,
        crash: CrashPolicy = "raise",
        instant_limit: int = 100_000,
    ) -> None:
        self.now = 0
        """Virtual time in ns.  To be read; only the kernel moves it."""
        self.current: Process | None = None
        self.processes: dict[Process, None] = {}
        """Those alive, in the order of their spawning."""
        self._record = record
        self._crash: CrashPolicy = crash
        self._instant_limit = instant_limit
        self.queue: list[Entry] = []
        """``(time, priority, sequence, function, argument)``; for :class:`Process` alone."""
        self.sequence = 0
        self._cancelled = 0
        self._fresh = True
        self._running = False
        self._stopping = self._instant_first = False
        self._suspects: set[str] = set()

    # -- what shall happen ---------------------------------------------------------------------

    def spawn(
        self,
        program: Program,
        name: str,
        *,
        priority: int = Priority.NORMAL,
        crash: CrashPolicy | None = None,
    ) -> Process:
        """Start a program in this instant, after everything already due in it."""
        if not isinstance(program, Generator):
            raise InputError(
                f"{name}: expected a program, that is a generator (a called function that"
                f" yields), got {type(program).__name__}"
            )
        policy = self._crash if crash is None else crash
        process = Process(self, program, name, priority=priority, contain=policy == "contain")
        self.processes[process] = None
        process.fire(None)
        return process

    def call_at(
        self, t_ns: int, fn: Callable[[], Any], *, priority: int = Priority.NORMAL
    ) -> Timer:
        """Call ``fn`` at ``t_ns``; cheaper than a program for what never waits."""
        t_ns = whole("call_at", t_ns)
        if t_ns < self.now:
            raise InputError(f"call_at: expected {self.now} ns (now) or later, got {t_ns} ns")
        timer = Timer(self, t_ns, fn)
        self.push(t_ns, priority, run_timer, timer)
        return timer

    def inject(self, fn: Callable[[], Any], *, at_ns: int = 0) -> int:
        """Let something from outside happen at the first untouched instant; returns its time.

        Before everything else in that instant, so that a replay which schedules it beforehand
        with ``call_at(time, fn, priority=Priority.OUTSIDE)`` gives the same run.  ``at_ns`` asks
        for a later moment.
        """
        t_ns = max(at_ns, self.now if self._fresh else self.now + 1)
        self.call_at(t_ns, fn, priority=Priority.OUTSIDE)
        return t_ns

    def push(self, t_ns: int, priority: int, fn: Callable[[Any], Any], value: Any) -> None:
        """Queue ``fn(value)``: the bare form of :meth:`call_at`, for processes."""
        self.sequence = sequence = self.sequence + 1
        heappush(self.queue, (t_ns, priority, sequence, fn, value))

    def timer_cancelled(self) -> None:
        """Rebuild the queue when most of it is dead (timeouts that were not needed)."""
        self._cancelled += 1
        if self._cancelled > _COMPACT_FROM and 2 * self._cancelled > len(self.queue):
            self.queue[:] = [
                entry for entry in self.queue if entry[3] is not run_timer or entry[4].live
            ]
            heapify(self.queue)
            self._cancelled = 0

    def record(self, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        """Put an event into the trace, if there is one, at this moment."""
        if self._record is not None:
            self._record(self.now, source, kind, detail)

    # -- making it happen ----------------------------------------------------------------------

    def run(self, until_ns: int | None = None, *, pacer: Pacer | None = None) -> None:
        """Everything *before* ``until_ns``, and then it is ``until_ns``; or until all is done.

        The end is excluded so that runs join without a seam, ``run(a)`` and ``run(b)`` being
        ``run(b)``, and so that what an operator does between them still comes first.
        """
        if until_ns is not None and until_ns < self.now:
            raise InputError(f"run: expected {self.now} ns (now) or later, got {until_ns} ns")
        if self._running:
            raise InputError("run: the kernel is running already; spawn a program instead")
        self._running = True
        self._stopping = self._instant_first = False
        end = _NEVER if until_ns is None else until_ns
        try:
            if pacer is None:
                self._run_free(end)
            else:
                self._run_paced(end, pacer)
        finally:
            self._running = False
        if until_ns is not None and not self._stopping and until_ns > self.now:
            self.now = until_ns
            self._fresh = True

    def stop(self, *, instant_first: bool = False) -> None:
        """Let :meth:`run` return after the event in hand, or when the instant in hand is over; it
        can be run again."""
        self._instant_first = instant_first
        self._stopping = True

    def close(self) -> None:
        """Kill every program, the youngest first, so that their ``finally`` blocks run now.

        Otherwise they would run when Python collects the garbage, at no particular moment.
        """
        for process in reversed(list(self.processes)):
            process.kill()

    def _run_free(self, end: int) -> None:
        """:meth:`step` written out in a loop: this is where the time of a run goes."""
        queue = self.queue
        limit = self._instant_limit
        spent = 0
        while queue and queue[0][0] < end:
            t_ns, _, _, fn, value = heappop(queue)
            if t_ns != self.now:
                self.now = t_ns
                spent = 0
            spent += 1
            if spent > limit:
                self._suspect(fn, value, spent - limit)
            self._fresh = False
            fn(value)
            if self._stopping and not (self._instant_first and queue and queue[0][0] == t_ns):
                return

    def _run_paced(self, end: int, pacer: Pacer) -> None:
        """Looks at the queue anew after every wait, because the wait may have brought events."""
        while not self._stopping:
            due = min(self.queue[0][0], end) if self.queue else end
            if due == _NEVER:
                return
            if due > self.now and not pacer.arrived(due):
                continue
            if due == end:
                return
            self._run_free(due + 1)

    def _suspect(self, fn: Callable[[Any], Any], value: Any, excess: int) -> None:
        """Watch some more events of an instant that does not end, to name all who are in it."""
        if excess == 1:
            self._suspects.clear()
        self._suspects.add(_name(fn, value))
        if excess >= _WITNESSED:
            raise Livelock(
                f"time stands still at {to_seconds(self.now):.9f} s: more than"
                f" {self._instant_limit} events in one instant, without a wait that takes time."
                f" Going round: {', '.join(sorted(self._suspects))}"
            )


def _name(fn: Callable[[Any], Any], value: Any) -> str:
    inner = value.fn if isinstance(value, Timer) else fn
    owner = getattr(inner, "__self__", None)
    return str(getattr(owner, "name", "") or getattr(inner, "__qualname__", "a call"))
