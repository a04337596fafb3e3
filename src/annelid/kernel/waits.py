"""What a program can wait for: a time, a message, an edge, another program.

====================  ==========================================  ===========================
``yield``             the program goes on                         and receives
====================  ==========================================  ===========================
``Sleep(ns)``         ``ns`` later                                ``None``
``Until(t_ns)``       at ``t_ns`` (at once if that has passed)    ``None``
``Receive(mailbox)``  when a message is there                     the message
``Edge(line, ...)``   when the line rises, falls or does either   the level after the edge
``Join(process)``     when the process has ended, however         the process
``AnyOf(a, b, ...)``  when the first of them happens              ``Fired(index, wait, value)``
====================  ==========================================  ===========================

A timeout is an ``AnyOf`` with a ``Sleep`` or an ``Until`` in it; ``fired.timed_out`` says so::

    fired = yield AnyOf(Receive(inbox), Sleep(15 * MILLISECOND))
    if fired.timed_out: ...

Of several that are ready the first named wins, and the others stay untouched: no message is taken
from a mailbox whose wait lost; a message that is there already beats a timeout of zero.  Every
``yield`` goes through the queue of the kernel, so that nobody overtakes a program that was due
earlier in the same instant.

A wait holds no state and may be yielded again and again: ``tick = Sleep(period(67))``.
"""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any, Protocol

from annelid.errors import InputError
from annelid.kernel.time import whole

if TYPE_CHECKING:
    from annelid.kernel.anyof import Branch
    from annelid.kernel.loop import Kernel
    from annelid.kernel.primitives import Line, Mailbox
    from annelid.kernel.process import Process


class Waiter(Protocol):
    """What is told, once, that a wait is over: a process, or a branch of its ``AnyOf``."""

    kernel: Kernel
    priority: int
    branches: list[Branch]
    """What an ``AnyOf`` has armed on behalf of this waiter; empty otherwise."""

    def fire(self, value: Any) -> None:
        """Go on with ``value`` in this instant, after what is due already."""

    def fire_now(self, value: Any) -> None:
        """Go on with ``value`` at once: the queue has had its say."""

    def fire_at(self, t_ns: int) -> None:
        """Go on with ``None`` at ``t_ns``."""

    def forget_time(self) -> None:
        """Take back :meth:`fire_at`."""


class Wait(Protocol):
    """Anything a program can yield; a link may add its own kinds."""

    def arm(self, waiter: Waiter) -> None:
        """Arrange for one ``waiter.fire(result)``, now or later."""

    def disarm(self, waiter: Waiter) -> None:
        """Forget ``waiter``, which waits no longer; harmless if it was never armed."""


Program = Generator[Wait, Any, Any]
"""What :meth:`Kernel.spawn` runs; ``yield from`` another program calls it."""


class Direction(Enum):
    """Which edges of a line count."""

    RISING = "rising"
    FALLING = "falling"
    ANY = "any"

    def matches(self, level: bool) -> bool:
        """Whether an edge that ended at ``level`` is one of these."""
        return self is Direction.ANY or (self is Direction.RISING) == level


@dataclass(slots=True, unsafe_hash=True)
class Sleep:
    """``ns`` of virtual time; a node's own time is :meth:`LocalTimer.sleep`."""

    ns: int

    def arm(self, waiter: Waiter) -> None:
        ns = whole("sleep", self.ns)
        if ns < 0:
            raise InputError(f"sleep: expected 0 ns or more, got {ns}")
        waiter.fire_at(waiter.kernel.now + ns)

    def disarm(self, waiter: Waiter) -> None:
        waiter.forget_time()


@dataclass(slots=True, unsafe_hash=True)
class Until:
    """The moment ``t_ns``, or this very instant if it has passed."""

    t_ns: int

    def arm(self, waiter: Waiter) -> None:
        waiter.fire_at(max(whole("until", self.t_ns), waiter.kernel.now))

    def disarm(self, waiter: Waiter) -> None:
        waiter.forget_time()


@dataclass(slots=True, unsafe_hash=True)
class Receive:
    """The next message; of several receivers the one that has waited longest gets it."""

    mailbox: Mailbox[Any]

    def arm(self, waiter: Waiter) -> None:
        self.mailbox.add_waiter(waiter)

    def disarm(self, waiter: Waiter) -> None:
        self.mailbox.drop_waiter(waiter)


@dataclass(slots=True, unsafe_hash=True)
class Edge:
    """The next edge from now on, seen even if the level has returned before the program runs.

    Edges that fall between two waits are gone, as on a polled pin; :meth:`Line.on_change` is an
    interrupt.
    """

    line: Line
    direction: Direction = Direction.ANY

    def arm(self, waiter: Waiter) -> None:
        self.line.add_waiter(waiter, self.direction)

    def disarm(self, waiter: Waiter) -> None:
        self.line.drop_waiter(waiter)


@dataclass(slots=True, unsafe_hash=True)
class Join:
    """The end of another process; its ``state`` says which end it was."""

    process: Process

    def arm(self, waiter: Waiter) -> None:
        self.process.add_waiter(waiter)

    def disarm(self, waiter: Waiter) -> None:
        self.process.drop_waiter(waiter)
