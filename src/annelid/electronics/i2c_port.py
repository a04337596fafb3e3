"""A board's end of an I2C bus, the frames on the bus, and who wins when several start at once.

All send their bits together; the bus is low wherever one of them pulls it low, and a master that
meant high and reads low has lost and withdraws.  So the lowest bit string wins, unharmed, and
each loser drops out at the first bit in which it differs from the winner.

A frame that is the beginning of a longer one ends with a stop where the other goes on.  The I2C
specification calls this undefined; the wires decide it: the stop needs SDA to rise, so a 0 that
follows in the longer frame hides the stop and wins, a 1 loses to the low level that prepares it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field

from annelid.electronics.link import LinkSpec, wire_ns
from annelid.electronics.port import EVERYONE, Carrier, Frame, Outcome, QueuedFramePort
from annelid.errors import InputError
from annelid.kernel import Timer, microseconds

BITS_PER_BYTE = 9
"""Eight and the acknowledge."""
START_AND_STOP = 2
MAX_ADDRESS = 0x7F


class I2cSpec(LinkSpec):
    """The bus of 000; the timeout is SMBus's (3.0, t_TIMEOUT)."""

    kind: Literal["i2c"] = "i2c"
    clock_hz: Annotated[int, Field(ge=1_000, le=5_000_000)] = 100_000
    stretch_us: Annotated[float, Field(ge=0.0, le=1e6)] = 0.0
    """How long a receiver holds the clock after each byte, to keep up."""
    timeout_ms: Annotated[float, Field(gt=0.0, le=1e6)] = 25.0
    inbox: Annotated[int, Field(ge=1)] = 64
    """Frames that wait for the program; the next is not acknowledged."""

    def bits_ns(self, bits: int) -> int:
        """From the beginning of the start condition."""
        return wire_ns(bits, self.clock_hz)

    def frame_ns(self, data_bytes: int) -> int:
        """Start, address byte, data and stop."""
        sent = 1 + data_bytes
        bits = START_AND_STOP + BITS_PER_BYTE * sent
        return self.bits_ns(bits) + sent * microseconds(self.stretch_us)


class I2cPort(QueuedFramePort):
    """A module on the bus; ``address`` ``None`` is a master that nobody can call."""

    __slots__ = ("address", "deadline", "general_call", "section")

    def __init__(
        self, bus: Carrier, name: str, address: int | None, *, general_call: bool, inbox: int
    ) -> None:
        super().__init__(bus, name, capacity=inbox)
        self.address = address
        self.general_call = general_call
        self.section = BusSection(())
        self.deadline: Timer | None = None

    def check(self, frame: Frame) -> None:
        if not 0 <= frame.address <= MAX_ADDRESS:
            raise InputError(f"{self.name}: address: expected 0 to 127, got {frame.address}")

    def finish(self, outcome: Outcome) -> None:
        super().finish(outcome)
        if not self.queue:
            self.section.wanting.pop(self, None)


class BusSection:
    """A bus, or what a cut has left of it."""

    __slots__ = ("_by_address", "_general", "start_ns", "starting", "transfer", "wanting")

    def __init__(self, ports: Sequence[I2cPort]) -> None:
        self._by_address = {port.address: [port] for port in ports}
        self._general = [port for port in ports if port.general_call]
        self.wanting = {port: None for port in ports if port.queue}
        """Those with something to send."""
        self.starting = False
        """In the hold time of a start."""
        self.start_ns = 0
        self.transfer: Transfer | None = None

    def called(self, address: int) -> Sequence[I2cPort]:
        """Those who listen to this address, dead or alive."""
        return self._general if address == EVERYONE else self._by_address.get(address, ())


@dataclass(slots=True, eq=False)
class Transfer:
    """The frame on the bus."""

    masters: list[I2cPort]
    """Those who send these very bits; one as a rule."""
    sent: bytes
    """Address byte and data."""
    got: bytes
    """What the inputs read of it."""
    receivers: list[I2cPort]
    """Those who know themselves to be called."""
    missed: list[I2cPort]
    start_ns: int
    end_ns: int
    acknowledged: bool


def first_difference(a: bytes, b: bytes) -> int | None:
    """The bit of the wire, from 0 and acknowledges counted, in which two differ."""
    if a == b:
        return None
    for i, (x, y) in enumerate(zip(a, b, strict=False)):
        if x != y:
            return BITS_PER_BYTE * i + 8 - (x ^ y).bit_length()
    return BITS_PER_BYTE * min(len(a), len(b))


def beats(a: bytes, b: bytes) -> bool:
    """Whether ``a`` would win against ``b``, which is not the same."""
    for x, y in zip(a, b, strict=False):
        if x != y:
            return x < y
    if len(a) > len(b):
        return a[len(b)] < 0x80
    return b[len(a)] >= 0x80


def winner(contenders: Sequence[bytes]) -> bytes:
    """The bit string that stays on the bus."""
    best = contenders[0]
    for other in contenders[1:]:
        if other != best and beats(other, best):
            best = other
    return best
