"""The port: a program's end of a link.

::

    port.send(packet)                                   # UART: queued, takes wire time
    byte = yield Receive(port.received)
    yield port.drained()

    outcome = yield port.send(Frame(data, address=12))  # I2C: wait for the acknowledge
    frame = yield Receive(port.received)

    pins.sout.drive(True)                               # sync line
    yield Edge(pins.sin.line, Direction.FALLING)

A real serial port stands behind the same protocols, so a program does not know what its wire is.
:class:`QueuedFramePort` is the simulated end of links that carry whole frames; :class:`Terminal` is
the port at which an operator types.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Final, Generic, Protocol, TypeVar

from annelid.kernel import Line, Mailbox, Program, Wait, Waiter

T = TypeVar("T")

EVERYONE = 0
"""The address that all listen to: the general call of I2C; other links know no addresses."""


class Outcome(Enum):
    """How a frame ended, as far as its *sender* can tell; the trace knows more."""

    SENT = "sent"
    """It has left.  Infrared and video have no acknowledge: nobody may have heard it."""
    ACKNOWLEDGED = "acknowledged"
    NACK = "nack"
    """No such address, or its board is dead, or its buffer is full."""
    ARBITRATION_LOST = "arbitration lost"
    """Another master sent a lower value at the same time; to try again is the program's choice."""
    BUS_ERROR = "bus error"
    """The bus is held by something broken."""
    ABORTED = "aborted"
    """The sending board lost its power."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Bytes that travel together."""

    data: bytes
    address: int = EVERYONE


class Completion(Generic[T]):
    """Something that will be over once; a wait that ends then, or at once if it is over."""

    __slots__ = ("_waiters", "done", "value")

    def __init__(self) -> None:
        self.done = False
        self.value: T | None = None
        self._waiters: dict[Waiter, None] = {}

    def finish(self, value: T) -> None:
        """It is over, with this result; said a second time it is not heard."""
        if self.done:
            return
        self.done = True
        self.value = value
        if self._waiters:
            waiters, self._waiters = self._waiters, {}
            for waiter in waiters:
                waiter.fire(value)

    def arm(self, waiter: Waiter) -> None:
        if self.done:
            waiter.fire(self.value)
        else:
            self._waiters[waiter] = None

    def disarm(self, waiter: Waiter) -> None:
        self._waiters.pop(waiter, None)


class Sending(Completion[Outcome]):
    """A frame on its way: ``outcome = yield sending``."""

    __slots__ = ()

    @property
    def outcome(self) -> Outcome | None:
        """``None`` while it is under way."""
        return self.value


class BytePort(Protocol):
    """A serial port."""

    @property
    def name(self) -> str: ...

    @property
    def received(self) -> Mailbox[int]:
        """Bytes in the order of arrival, each at the end of its stop bit."""

    @property
    def sending(self) -> bool:
        """Whether something is still leaving."""

    def send(self, data: bytes) -> None:
        """Queue bytes behind those that are leaving; returns at once."""

    def drained(self) -> Wait:
        """Until everything queued so far has left, the last stop bit included."""


class FramePort(Protocol):
    """A port whose hardware sends whole frames: I2C, infrared, video."""

    @property
    def name(self) -> str: ...

    @property
    def received(self) -> Mailbox[Frame]: ...

    def send(self, frame: Frame) -> Sending:
        """Queue a frame; the answer can be waited for, or dropped."""


class Pin(Protocol):
    """A connection to a neighbour that is driven on one wire and read on another."""

    @property
    def name(self) -> str: ...

    @property
    def line(self) -> Line:
        """What the neighbour drives; ``Edge(pin.line)`` waits for it."""

    @property
    def level(self) -> bool:
        """What the neighbour drives, read now."""

    def drive(self, level: bool) -> None:
        """Hold our wire at ``level`` from now on."""


class Powered(Protocol):
    """What a board switches off with itself: every simulated port and pin."""

    def power(self, on: bool) -> None:
        """Off: what was being sent stops in mid-air, what was received is forgotten."""


class Carrier(Protocol):
    """What such a port needs of its link."""

    name: str

    def begin(self, port: QueuedFramePort) -> None:
        """There is a frame in a queue that was empty."""

    def abort(self, port: QueuedFramePort) -> None:
        """The power of this port went; its queue is about to be thrown away."""


class QueuedFramePort:
    """A :class:`FramePort` on a simulated link; its frames leave one after the other."""

    __slots__ = ("_carrier", "name", "powered", "queue", "received")

    def __init__(self, carrier: Carrier, name: str, *, capacity: int | None = None) -> None:
        self._carrier = carrier
        self.name = name
        self.powered = True
        self.received: Mailbox[Frame] = Mailbox(capacity=capacity, name=f"{carrier.name}/{name}")
        self.queue: deque[tuple[Frame, Sending]] = deque()
        """Those that have not left, the one in the air included; for the link."""

    def send(self, frame: Frame) -> Sending:
        sending = Sending()
        if not self.powered:
            sending.finish(Outcome.ABORTED)
            return sending
        self.check(frame)
        self.queue.append((frame, sending))
        if len(self.queue) == 1:
            self._carrier.begin(self)
        return sending

    def check(self, frame: Frame) -> None:
        """Refuse what the hardware could not send."""

    def finish(self, outcome: Outcome) -> None:
        """The frame in front is through; the link goes on with the next."""
        _, sending = self.queue.popleft()
        sending.finish(outcome)

    def power(self, on: bool) -> None:
        if self.powered and not on:
            self.powered = False
            if self.queue:
                self._carrier.abort(self)
            while self.queue:
                self.finish(Outcome.ABORTED)
            self.received.drain()
        self.powered = on


TRIES: Final = 10


def deliver(port: FramePort, frame: Frame) -> Program:
    """Until it is acknowledged, or was tried often enough; brings the last outcome."""
    outcome = None
    for _ in range(TRIES):
        outcome = yield port.send(frame)
        if outcome in (Outcome.ACKNOWLEDGED, Outcome.ABORTED):
            break
    return outcome


TERMINAL: Final = "terminal"
"""Of the port at which somebody types."""
SAYS, ANSWER = "says", "answer"
"""Kinds of event: what was typed, what came back."""


class Terminal:
    """A keyboard and a screen; ``check`` raises for a line that makes no sense to who reads it."""

    def __init__(self, check: Callable[[str], object] = lambda _: None) -> None:
        self.check = check
        self.typed: Mailbox[str] = Mailbox(name=TERMINAL)
        self.screen: Callable[[str], object] | None = None
        """Who else is told what comes back, besides the trace."""
        self._on = True

    def type(self, line: str) -> None:
        if self._on:
            self.typed.put(line)

    def power(self, on: bool) -> None:
        self._on = on
        if not on:
            self.typed.drain()
