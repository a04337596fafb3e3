"""One byte on a serial line: its bits, its duration, its errors."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import Field

from annelid.electronics.link import LinkSpec, OnWire, wire_ns

HARDWARE_BUFFER = 2
"""Bytes that the chip itself holds (ATmega8 data sheet, USART: a two-level FIFO)."""


class UartSpec(LinkSpec):
    """A serial line; the defaults are ErekoBot's with its pull-up (004, 2.2.1 and 2.3.1).

    Except for the duplex: 004 says half, but its Table 3 (4.6 ms a module) is shorter than a
    packet (5.2 ms), so the modules must have passed packets on while they received them.
    """

    kind: Literal["uart"] = "uart"
    baud: Annotated[int, Field(ge=50, le=10_000_000)] = 9600
    data_bits: Annotated[int, Field(ge=5, le=8)] = 8
    parity: Literal["none", "even", "odd"] = "none"
    stop_bits: Literal[1, 2] = 1
    duplex: Literal["half", "full"] = "full"
    topology: Literal["line", "bus", "ring"] = "line"
    pull_up: bool = True
    floating_hz: Annotated[float, Field(ge=0.0, le=1e6)] = 20.0
    """False start bits per second on an idle wire without pull-up; 004 gives no number."""
    software_buffer: Annotated[int, Field(ge=0)] = 64
    """Bytes that wait for the program, beyond the two in the chip."""

    @property
    def bits_per_byte(self) -> int:
        """Ten for 8N1."""
        return 1 + self.data_bits + (self.parity != "none") + self.stop_bits

    def bytes_ns(self, count: int) -> int:
        """How long a burst of ``count`` bytes takes."""
        return wire_ns(count * self.bits_per_byte, self.baud)


def collided(spec: UartSpec, rng: np.random.Generator) -> tuple[int, OnWire]:
    """Bits of two senders: half the time the stop bit is missing, else any value comes out."""
    value = int(rng.integers(0, 1 << spec.data_bits))
    return value, OnWire.FRAMING if rng.random() < 0.5 else OnWire.CORRUPTED


def flipped(
    spec: UartSpec, value: int, bit_error: float, rng: np.random.Generator
) -> tuple[int, OnWire]:
    """Each bit may be read as its opposite.

    A missed start bit loses the byte, a missed stop bit is seen, an odd number of others is seen
    where there is parity; the rest goes through.
    """
    bits = (rng.random(spec.bits_per_byte) < bit_error).tolist()
    parity_bits = int(spec.parity != "none")
    end = 1 + spec.data_bits
    got = value ^ sum(1 << i for i, flip in enumerate(bits[1:end]) if flip)
    if bits[0]:
        return value, OnWire.LOST
    if any(bits[end + parity_bits :]):
        return got, OnWire.FRAMING
    if parity_bits and sum(bits[1 : end + 1]) % 2:
        return got, OnWire.PARITY
    return got, OnWire.DELIVERED if got == value else OnWire.CORRUPTED
