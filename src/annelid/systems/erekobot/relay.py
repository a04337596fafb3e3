"""Passes on packets for modules further down the line (004, 2.2.2, Routing).

*store*: a whole packet is received and checked before it is sent on.  At 9600 baud five bytes take
5.21 ms, which is more than the 4.62 ms that 004 measured for a module (Table 3): the paper's
modules cannot have worked this way.

*cut-through*: after four bytes the address is known and the packet goes on, the rest following as
it comes: 4.17 ms and 0.45 ms of work are the paper's 4.62 ms (FACTS §5).  The price: a packet goes
on before its checksum is checked, and a module must hear while it sends, whereas Table 2 of 004
says half duplex.

*none*: on a bus everyone has heard it already.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from annelid.systems.erekobot.packets import Standard
from annelid.systems.erekobot.receiver import ReceivedPacket, Receiver

Forwarding = Literal["cut-through", "store", "none"]

LOOK_AHEAD = 4
"""Bytes before a packet goes on: synchronisation, address and message."""

Passes = Callable[[int, int | None], bool]
"""Whether a packet with this address, and this message if it is a Standard one, goes on."""


class Relay:
    """Which bytes leave a module because of a byte that has come."""

    __slots__ = ("_claimed", "_mode", "_passes", "receiver")

    def __init__(self, receiver: Receiver, mode: Forwarding, passes: Passes) -> None:
        self.receiver = receiver
        self._mode = mode
        self._passes = passes
        self._claimed = 0
        """Bytes of the stream before this place have gone on, or go on as they come."""

    @property
    def between_packets(self) -> bool:
        """Whether something else may be sent now without falling into a packet going on."""
        receiver = self.receiver
        return self._claimed <= receiver.position + len(receiver.candidate)

    def feed(self, byte: int) -> tuple[list[ReceivedPacket], bytes]:
        """The packets that this byte completes, and what is to be sent on."""
        receiver = self.receiver
        here = receiver.position + len(receiver.candidate)
        on = bytearray()
        if here < self._claimed:
            on.append(byte)
        heard = receiver.feed(byte)
        for each in heard:
            self._pass_packet(each, on)
        if self._mode == "cut-through" and len(receiver.candidate) >= LOOK_AHEAD:
            self._pass_candidate(on)
        return heard, bytes(on)

    def expire(self) -> tuple[list[ReceivedPacket], bytes]:
        """After a silence: what was begun will not be finished."""
        heard = self.receiver.expire()
        on = bytearray()
        for each in heard:
            self._pass_packet(each, on)
        self._claimed = min(self._claimed, self.receiver.position)
        return heard, bytes(on)

    def _pass_packet(self, heard: ReceivedPacket, on: bytearray) -> None:
        packet = heard.packet
        message = packet.message if isinstance(packet, Standard) else None
        if self._mode != "none" and self._passes(packet.address, message):
            self._claim(heard.at, heard.raw, len(heard.raw), on)

    def _pass_candidate(self, on: bytearray) -> None:
        receiver = self.receiver
        bytes_ = receiver.candidate
        layout = receiver.layout
        message = bytes_[2] << 8 | bytes_[3] if layout.kind is Standard else None
        if self._passes(bytes_[1], message):
            self._claim(receiver.position, bytes(bytes_), layout.size, on)

    def _claim(self, at: int, there: bytes, size: int, on: bytearray) -> None:
        """Send what is there of a packet and has not gone on yet; the rest goes on as it comes."""
        if at + size > self._claimed:
            on += there[max(0, self._claimed - at) :]
            self._claimed = at + size
