"""Finds packets in a stream of bytes that may be lost, garbled or noise.

004's modules wait for the byte 10H and take what follows for a packet.  But 10H may also stand
inside a packet, or come from noise; a receiver that trusts it loses step and can stay out of step.
This one trusts length and checksum instead: bytes from a 10H on are a *candidate*; when it is
complete and its checksum is wrong, the first byte is given up and the rest is read again from the
next 10H.  No byte of a sound packet is thrown away because of what came before it, unless noise
happens to have a right checksum (1 in 256 false candidates).

Time is the program's: :meth:`Receiver.expire` is what it calls after a silence.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annelid.systems.erekobot.messages import Announces, nothing
from annelid.systems.erekobot.packets import STANDARD, SYNC, Packet, PacketLayout, Standard


@dataclass(frozen=True, slots=True)
class ReceivedPacket:
    """A sound packet, its bytes, and where in the stream it began."""

    packet: Packet
    raw: bytes
    at: int


class Receiver:
    """Feed it bytes; it gives packets.  It never raises, whatever it is fed."""

    __slots__ = ("_coming", "_needed", "announces", "candidate", "position", "rejected", "skipped")

    def __init__(self, announces: Announces = nothing) -> None:
        self.announces = announces
        self._coming: tuple[int, PacketLayout[Any]] | None = None
        """Address and layout of a packet that was announced."""
        self._needed = STANDARD.size
        self.candidate = bytearray()
        """Empty, or a 10H and what came after it."""
        self.position = 0
        """Of the candidate's first byte in the stream."""
        self.skipped = 0
        """Bytes in which no packet began."""
        self.rejected = 0
        """Candidates with a wrong checksum or impossible fields."""

    @property
    def layout(self) -> PacketLayout[Any]:
        """What the candidate is taken for."""
        if self._coming is not None and len(self.candidate) >= 2:
            address, layout = self._coming
            if self.candidate[1] == address:
                return layout
        return STANDARD

    def feed(self, byte: int) -> list[ReceivedPacket]:
        """The packets that this byte completes: nearly always none or one."""
        candidate = self.candidate
        if not candidate and byte != SYNC:
            self.position += 1
            self.skipped += 1
            return []
        candidate.append(byte)
        return [] if len(candidate) < self._needed else self._read()

    def expire(self) -> list[ReceivedPacket]:
        """Nothing more will come of the candidate: the packets that were hidden in it.

        An announcement whose packet has not begun stays good: a module that stores a long packet
        before it sends it on leaves a gap between the two.
        """
        heard: list[ReceivedPacket] = []
        while self.candidate:
            if self._coming is not None:
                self._coming = None
            else:
                self._drop(1)
            heard += self._read()
        return heard

    def _read(self) -> list[ReceivedPacket]:
        heard: list[ReceivedPacket] = []
        while True:
            layout = self.layout
            if len(self.candidate) < layout.size:
                # An announced packet shows itself with its second byte; till then, look each time.
                self._needed = layout.size if self._coming is None else len(self.candidate) + 1
                return heard
            raw = bytes(self.candidate[: layout.size])
            packet = layout.parse(raw)
            if packet is not None:
                heard.append(ReceivedPacket(packet, raw, self.position))
                coming = self.announces(packet.message) if isinstance(packet, Standard) else None
                self._coming = None if coming is None else (packet.address, coming)
                self._drop(layout.size)
            elif layout is not STANDARD:
                self._coming = None  # it may have been a Standard Packet after all
            else:
                self.rejected += 1
                self._drop(1)

    def _drop(self, count: int) -> None:
        """Give up ``count`` bytes, and more until the next 10H."""
        nxt = self.candidate.find(SYNC, count)
        gone = len(self.candidate) if nxt < 0 else nxt
        self.skipped += gone - count
        self.position += gone
        del self.candidate[:gone]
