"""A board's end of a serial line, and the wire between the ends."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from annelid.electronics.port import Completion
from annelid.kernel import Mailbox, Timer, Wait

if TYPE_CHECKING:
    from annelid.electronics.uart import Uart


class UartPort:
    """A :class:`BytePort` on a simulated line.  Made by :meth:`Uart.attach`."""

    __slots__ = (
        "burst_ns",
        "count",
        "end_ns",
        "framing_errors",
        "garbled",
        "hearers",
        "left",
        "log",
        "log_ns",
        "name",
        "parity_errors",
        "powered",
        "queue",
        "received",
        "sending",
        "start_ns",
        "uart",
        "wire",
    )

    def __init__(self, uart: Uart, name: str, *, capacity: int) -> None:
        self.uart = uart
        self.name = name
        self.received: Mailbox[int] = Mailbox(capacity=capacity, name=f"{uart.name}/{name}")
        self.powered = True
        self.sending = False
        self.framing_errors = 0
        self.parity_errors = 0
        # What follows belongs to the link.
        self.wire = UartWire((), shared=False)
        self.hearers: tuple[UartPort, ...] = ()
        self.queue = bytearray()
        self.count = 0
        """Bytes of the queue that have left."""
        self.burst_ns = 0
        self.start_ns = 0
        self.end_ns = 0
        """Of the byte in the air, or the last one."""
        self.garbled = False
        self.left: Completion[None] = Completion()
        self.left.finish(None)
        self.log = bytearray()
        self.log_ns = 0

    @property
    def overruns(self) -> int:
        """Bytes lost because nobody read those before them."""
        return self.received.dropped

    def send(self, data: bytes) -> None:
        if not data or not self.powered:
            return
        kept = self.uart.value_mask
        self.queue += data if kept == 0xFF else bytes(value & kept for value in data)
        if not self.sending:
            self.sending = True
            self.uart.begin(self)

    def drained(self) -> Wait:
        return self.left

    def power(self, on: bool) -> None:
        if self.powered and not on:
            if self.sending:
                self.uart.abort(self)
            self.received.drain()
        self.powered = on


class UartWire:
    """One conductor, or what a cut has left of one."""

    __slots__ = ("end_ns", "flying", "garbled", "listeners", "noise", "shared", "start_ns")

    def __init__(self, listeners: Sequence[UartPort], *, shared: bool) -> None:
        self.listeners = tuple(listeners)
        self.shared = shared
        """Whether two bytes can meet on it: it has several drivers, or catches noise."""
        self.flying: dict[UartPort, None] = {}
        """The ports in mid-burst."""
        self.noise: Timer | None = None
        self.start_ns = 0
        self.end_ns = 0
        """Of the last false byte, begun by noise; it meets others like a true one."""
        self.garbled = False
