"""A board's end of the serial line: bytes on the wire, packets for the program.

The same class serves module and host; they differ in what they pass on.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from annelid.electronics.board import Board
from annelid.electronics.port import BytePort
from annelid.kernel import AnyOf, Receive, Wait, seconds
from annelid.systems.erekobot.messages import Announces, nothing
from annelid.systems.erekobot.packets import Packet, encode
from annelid.systems.erekobot.receiver import ReceivedPacket, Receiver
from annelid.systems.erekobot.relay import Forwarding, Passes, Relay

PORT = "serial"
"""What the port of an ErekoBot's board is called."""


class PacketPort:
    """``timeout_s`` None is 004 before it found the deadlock: a reception never gives up."""

    def __init__(
        self,
        board: Board,
        *,
        passes: Passes,
        forwarding: Forwarding,
        announces: Announces = nothing,
        timeout_s: float | None,
    ) -> None:
        self._board = board
        self.port: BytePort = board.ports[PORT]
        self.receiver = Receiver(announces)
        self._relay = Relay(self.receiver, forwarding, passes)
        self._timeout_ns = None if timeout_s is None else seconds(timeout_s)
        self._last_ns = board.now
        self._held: list[bytes] = []
        """Our own packets, waiting for one that is going on to be through."""

    def send(self, packet: Packet) -> None:
        """Queue a packet; never into the middle of one that is being passed on."""
        self._held.append(encode(packet))
        self._release()

    def receive(self, first: int) -> Generator[Wait, Any, list[Packet]]:
        """The communication interrupt of 004's flow charts, from its first byte on.

        Nothing else happens on the board until a packet is complete, or the timeout has passed:
        noise calls the module to the line, and the timeout lets it go again (004, 2.3.1).
        """
        start_ns = self._board.now
        byte = first
        while True:
            packets = self.take(byte)
            if packets:
                return packets
            fired = yield self._next_byte(start_ns)
            if fired.timed_out:
                return [each.packet for each in self._expire()]
            byte = fired.value

    def _next_byte(self, start_ns: int) -> AnyOf:
        """The next byte, or the timeout: counted from the last byte where a packet has begun,
        which prolongs the reception to twice the timeout at most."""
        received = Receive(self.port.received)
        if self._timeout_ns is None:
            return AnyOf(received)
        begun_ns = self._last_ns if self.receiver.candidate else start_ns
        patience_ns = min(begun_ns, start_ns + self._timeout_ns) + self._timeout_ns
        return AnyOf(received, self._board.until(patience_ns))

    def take(self, first: int) -> list[Packet]:
        """One byte that has come, and all that lie behind it by now."""
        heard = self._expire()
        self._last_ns = self._board.now
        for byte in (first, *self.port.received.drain()):
            found, on = self._relay.feed(byte)
            heard += found
            self.port.send(on)
        self._release()
        return [each.packet for each in heard]

    def _expire(self) -> list[ReceivedPacket]:
        """A packet with a hole as long as the timeout is none."""
        if self._timeout_ns is None or self._board.now - self._last_ns < self._timeout_ns:
            return []
        heard, on = self._relay.expire()
        self.port.send(on)
        self._release()
        return heard

    def _release(self) -> None:
        if self._held and self._relay.between_packets:
            self.port.send(b"".join(self._held))
            self._held.clear()
