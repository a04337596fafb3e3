"""The packets on ErekoBot's serial line (004, Fig. 4): their fields, in one table.

The table is the packet classes themselves: every field says its width on the wire and its range,
and encoder, decoder and checks are made from that.  All packets begin with the synchronisation
byte 10H and end with a checksum; 004 leaves byte order, checksum and reserved values open
(FACTS §5: big-endian, sum of all bytes before it modulo 256, address FFH for all).

==================  ======  ==================================================================
packet              bytes   after 10H and before the checksum
==================  ======  ==================================================================
Standard            5       address, message (2)
Configuration       11      address, new address, table (2), modules, period (2), phase (2)
BriefConfiguration  8       the fields that Fig. 4 prints: without table, phase in one byte
GaitProgram         9 + n   address, index, modules, period in ms (2), code (n), CRC-16 (2)
==================  ======  ==================================================================

004 prints "eleven bytes" for the Configuration Packet and lists fields of eight; FACTS §5 says how
that is resolved.  The GaitProgram packet is ours: the Fourth Profile, which 004 could not build.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from operator import attrgetter
from types import MappingProxyType
from typing import Annotated, Any, Final, Generic, NoReturn, TypeVar, get_type_hints

from annelid.errors import InputError

SYNC: Final = 0x10
HOST: Final = 0x00
"""The host, for answers and as time server; 004 gives it no address (proposed)."""
BROADCAST: Final = 0xFF
MODULES_MAX: Final = 10
PERIOD_MAX: Final = 32
"""004, Figs 7, 9, 11: "how many modules (1 to 10)", "period size (1 to 32)"."""
PROFILES: Final = (1, 2, 3, 4)
CODE_MAX: Final = 63
"""Bytes of a GaitProgram, so that the length fits into its announcement."""


class PacketError(InputError):
    """Bytes that are no packet, or a packet that cannot be sent."""


@dataclass(frozen=True, slots=True)
class WireField:
    """How one field travels: a ``struct`` letter, and the values that make sense."""

    format: str
    low: int
    high: int


Address = Annotated[int, WireField("B", 1, 254)]
"""Of one module; the program of Fig. 7 shows 23, so any byte that is not reserved."""
AnyAddress = Annotated[int, WireField("B", HOST, BROADCAST)]
Word = Annotated[int, WireField("H", 0, 0xFFFF)]
Count = Annotated[int, WireField("B", 1, 254)]
Period = Annotated[int, WireField("H", 1, PERIOD_MAX)]


class _Checked:
    """Refuses values out of range, when a packet is made."""

    __slots__ = ()

    def __post_init__(self) -> None:
        for name, low, high in RANGES[type(self)]:
            value = getattr(self, name)
            # One comparison for almost every packet; a bool or a float is no byte.
            if type(value) is not int or not low <= value <= high:
                refuse(type(self).__name__, name, value, low, high)


@dataclass(frozen=True, slots=True)
class Standard(_Checked):
    """Five bytes: an angle, a time state, start, stop, or what comes next (messages.py)."""

    address: AnyAddress
    message: Word


@dataclass(frozen=True, slots=True)
class Configuration(_Checked):
    """The movement of one module of the Third Profile."""

    address: Address
    new_address: Address
    table: Word
    modules: Count
    period: Period
    phase: Annotated[int, WireField("H", 0, PERIOD_MAX - 1)]


@dataclass(frozen=True, slots=True)
class BriefConfiguration(_Checked):
    """The eight bytes that Fig. 4 draws; it cannot name a table, so the module keeps its own."""

    address: Address
    new_address: Address
    modules: Count
    period: Period
    phase: Annotated[int, WireField("B", 0, PERIOD_MAX - 1)]


@dataclass(frozen=True, slots=True)
class GaitProgram(_Checked):
    """A gait as bytecode, for the Fourth Profile."""

    address: AnyAddress
    index: Annotated[int, WireField("B", 0, 254)]
    """The module's place in the line; 0: as it was flashed."""
    modules: Count
    period_ms: Annotated[int, WireField("H", 1, 0xFFFF)]
    code: bytes
    crc: Word
    """Of the code: one byte of checksum is too little for something that is going to run."""

    def __post_init__(self) -> None:
        _Checked.__post_init__(self)
        if not 1 <= len(self.code) <= CODE_MAX:
            refuse("GaitProgram", "length of code", len(self.code), 1, CODE_MAX)


Packet = Standard | Configuration | BriefConfiguration | GaitProgram
P = TypeVar("P", bound=Packet)


def wires(kind: type) -> tuple[tuple[str, WireField | None], ...]:
    """Every field in order; None for the one of variable length."""
    hints = get_type_hints(kind, include_extras=True)
    return tuple((name, getattr(hints[name], "__metadata__", (None,))[0]) for name in hints)


RANGES: Final[Mapping[type, tuple[tuple[str, int, int], ...]]] = MappingProxyType(
    {
        kind: tuple((name, wire.low, wire.high) for name, wire in wires(kind) if wire)
        for kind in (Standard, Configuration, BriefConfiguration, GaitProgram)
    }
)
"""Field, lowest and highest value, of every packet."""


class PacketLayout(Generic[P]):
    """One packet as bytes; ``tail`` is the length of its variable field."""

    __slots__ = ("_get", "_struct", "kind", "size")

    def __init__(self, kind: type[P], tail: int = 0) -> None:
        formats = (wire.format if wire else f"{tail}s" for _, wire in wires(kind))
        self.kind = kind
        self._struct = struct.Struct(">B" + "".join(formats))
        self._get: Callable[[P], tuple[Any, ...]] = attrgetter(*(n for n, _ in wires(kind)))
        self.size = self._struct.size + 1
        """Checksum included."""

    def encode(self, packet: P) -> bytes:
        body = self._struct.pack(SYNC, *self._get(packet))
        return body + bytes((sum(body) & 0xFF,))

    def parse(self, data: Sequence[int]) -> P | None:
        """The packet that these bytes are, or None: what a receiver asks of anything it hears."""
        raw = bytes(data)
        if len(raw) != self.size or raw[0] != SYNC or sum(raw[:-1]) & 0xFF != raw[-1]:
            return None
        try:
            return self.kind(*self._struct.unpack(raw[:-1])[1:])
        except PacketError:
            return None

    def decode(self, data: bytes) -> P:
        """As :meth:`parse`, for those who want to know what is wrong."""
        if len(data) != self.size:
            _broken(self.kind, f"{self.size} bytes", f"{len(data)}")
        if data[0] != SYNC:
            _broken(self.kind, f"synchronisation byte {SYNC:02X}H", f"{data[0]:02X}H")
        if (wanted := sum(data[:-1]) & 0xFF) != data[-1]:
            _broken(self.kind, f"checksum {wanted:02X}H", f"{data[-1]:02X}H")
        return self.kind(*self._struct.unpack(data[:-1])[1:])


STANDARD: Final = PacketLayout(Standard)
CONFIGURATION: Final = PacketLayout(Configuration)
BRIEF_CONFIGURATION: Final = PacketLayout(BriefConfiguration)


@cache
def program_layout(length: int) -> PacketLayout[GaitProgram]:
    """Of one with ``length`` bytes of code."""
    return PacketLayout(GaitProgram, length)


def encode(packet: Packet) -> bytes:
    """The bytes of any packet."""
    match packet:
        case Standard():
            return STANDARD.encode(packet)
        case Configuration():
            return CONFIGURATION.encode(packet)
        case BriefConfiguration():
            return BRIEF_CONFIGURATION.encode(packet)
        case GaitProgram():
            return program_layout(len(packet.code)).encode(packet)


def refuse(where: str, field: str, got: object, low: float, high: float) -> NoReturn:
    """One sentence for everything out of range in this package."""
    raise PacketError(f"{where}: {field}: expected {low} to {high}, got {got!r}")


def check_modules(count: int, *, beyond_paper: bool = False) -> int:
    """004 allows ten modules; the wire has room for 254, for those who say that they mean it."""
    high = 254 if beyond_paper else MODULES_MAX
    if not 1 <= count <= high:
        hint = "" if beyond_paper else "; beyond_paper = true allows 254, which 004 never tried"
        raise PacketError(f"erekobot: modules: expected 1 to {high}, got {count}{hint}")
    return count


def _broken(kind: type, expected: str, got: str) -> NoReturn:
    raise PacketError(f"{kind.__name__}: expected {expected}, got {got}")
