"""A board's end of a link that carries whole frames (I2C, infrared, video)."""

from __future__ import annotations

from collections import deque
from typing import Protocol

from annelid.electronics.port import Frame, Outcome, Sending
from annelid.kernel import Mailbox


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
