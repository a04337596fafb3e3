"""Encodes commands as I2C frames, and decodes them.

::

    bytes    dst << 1   src   instruction   type data   type data   …   [PEC]
             I2C's address     Tables 4–6    Table 1                     optional

    frame = encode(LLC1.MS1, 45, to=5)              # from the CC, unless sender=… says otherwise
    match decode(frame):
        case Message(command, values, to, sender): …
        case BadFrame(reason): …

000's frame has address, instruction and parameters but no sender, though PC1 and PCL must tell the
CC who speaks: the byte after the address is the sender (proposed).

Two sides, two manners.  What a program wants to *send* and cannot is its mistake: a
:class:`ProtocolError` that names command, parameter and range.  What comes from the *wire* may be
anything: :func:`decode` never raises, it returns a :class:`BadFrame`.

**CRC** (extension, off by default).  I2C has no checksum, so one flipped bit moves a servo.  With
``crc=True`` the frame ends with the PEC of SMBus: CRC-8, polynomial 07H, over address byte and all
that follows.  It finds every error of up to three bits in frames of up to 14 bytes before it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, NamedTuple, NoReturn

from annelid.electronics.port import Frame
from annelid.systems.microtub.protocol.commands import COMMANDS
from annelid.systems.microtub.protocol.grammar import (
    CC,
    Command,
    Form,
    ProtocolError,
    route,
    who,
)
from annelid.systems.microtub.protocol.parameters import SIZES, Value

HEAD: Final = 2
"""Sender and instruction."""


class Message(NamedTuple):
    """A sound frame, understood."""

    command: Command
    values: tuple[Value, ...]
    to: int
    sender: int


class Reason(StrEnum):
    """What is wrong with a frame; the first thing that is found."""

    READ = "a read, which MICROTUB does not use"
    SHORT = "no sender and instruction"
    CRC = "wrong checksum"
    INSTRUCTION = "unknown instruction"
    ROUTE = "this sender cannot say that to this address"
    TYPE = "unknown parameter type"
    CUT_SHORT = "the last parameter is not complete"
    PARAMETERS = "parameters that this command does not have"
    RANGE = "a parameter out of range"


@dataclass(frozen=True, slots=True)
class BadFrame:
    """No command; with as much as could be read, for an alarm."""

    reason: Reason
    to: int
    sender: int | None = None
    opcode: int | None = None


def _crc_table() -> tuple[int, ...]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte << 1 ^ (0x107 if byte & 0x80 else 0)  # noqa: PLW2901
        table.append(byte)
    return tuple(table)


_CRC: Final = _crc_table()
_BY_OPCODE: Final[tuple[Command | None, ...]] = tuple(
    {command.opcode: command for command in COMMANDS}.get(opcode) for opcode in range(256)
)
_KINDS: Final = len(SIZES)


def pec(wire: bytes) -> int:
    """SMBus's packet error code of address byte and data."""
    crc = 0
    for byte in wire:
        crc = _CRC[crc ^ byte]
    return crc


def wire_bytes(frame: Frame) -> bytes:
    """What is on the bus, and in the trace: address and write bit, then the data."""
    return bytes((frame.address << 1 & 0xFF,)) + frame.data


def encode(command: Command, *values: Value, to: int, sender: int = CC, crc: bool = False) -> Frame:
    """The frame of one command."""
    # A float equal to a route is in the set, too, but is no byte.
    if type(to) is not int or type(sender) is not int or route(sender, to) not in command.routes:
        _refuse_route(command, sender, to)
    form = require_form(command, values)
    data = bytes((sender, command.opcode))
    for parameter, value in zip(form, values, strict=True):
        data += parameter.put(value)
    if crc:
        data += bytes((pec(bytes((to << 1,)) + data),))
    return Frame(data, to)


def form_of(command: Command, values: tuple[Any, ...]) -> Form | None:
    """The form of ``command`` that these values have; None: it has no such form."""
    count = len(values)
    for form in command.forms:
        if len(form) == count:
            for parameter, value in zip(form, values, strict=True):
                if not parameter.fits(value):
                    break
            else:
                return form
    return None


def require_form(command: Command, values: tuple[Any, ...]) -> Form:
    """The form of ``command`` that these values have; a :class:`ProtocolError` if it has none."""
    form = form_of(command, values)
    if form is None:
        _refuse_values(command, values)
    return form


def decode(frame: Frame, *, crc: bool = False) -> Message | BadFrame:
    """What a frame from the wire says."""
    data, to = frame.data, frame.address
    if crc:
        # The code of a frame that ends with its own code is 0.
        if len(data) > HEAD and pec(wire_bytes(frame)):
            return BadFrame(Reason.CRC, to)
        data = data[:-1]
    end = len(data)
    if end < HEAD:
        return BadFrame(Reason.SHORT, to)
    sender, opcode = data[0], data[1]
    command = _BY_OPCODE[opcode]
    if command is None:
        return BadFrame(Reason.INSTRUCTION, to, sender, opcode)
    if route(sender, to) not in command.routes:
        return BadFrame(Reason.ROUTE, to, sender, opcode)
    raws: list[bytes] = []
    kinds = b""
    at = HEAD
    while at < end:
        kind = data[at]
        at += 1
        size = SIZES[kind] if kind < _KINDS else -1
        if size <= 0:
            if size < 0:
                return BadFrame(Reason.TYPE, to, sender, opcode)
            if at == end:
                return BadFrame(Reason.CUT_SHORT, to, sender, opcode)
            size = data[at]
            at += 1
        raws.append(data[at : at + size])
        kinds += bytes((kind,))
        at += size
    if at > end:
        return BadFrame(Reason.CUT_SHORT, to, sender, opcode)
    forms = command.by_kinds.get(kinds)
    if forms is None:
        return BadFrame(Reason.PARAMETERS, to, sender, opcode)
    for form in forms:
        values = []
        for parameter, raw in zip(form, raws, strict=True):
            value = parameter.take(raw)
            if value is None:
                break
            values.append(value)
        else:
            return Message(command, tuple(values), to, sender)
    return BadFrame(Reason.RANGE, to, sender, opcode)


def _refuse_route(command: Command, sender: object, to: object) -> NoReturn:
    senders = {s for d in command.directions for s in d.senders}
    if type(sender) is not int or sender not in senders:
        _refuse(command, "sender", _span(senders), sender)
    receivers = {r for d in command.directions if sender in d.senders for r in d.receivers}
    _refuse(command, "to", _span(receivers), to)


def _refuse_values(command: Command, values: tuple[Any, ...]) -> NoReturn:
    """Blame the first parameter that does not fit the form that fits best."""
    counts = sorted({len(form) for form in command.forms})
    if len(values) not in counts:
        names = " or ".join(f"({', '.join(p.name for p in form)})" for form in command.forms)
        _refuse(command, "parameters", f"{' or '.join(map(str, counts))}: {names}", len(values))
    faults = []
    for form in command.forms:
        if len(form) == len(values):
            at = next(i for i, p in enumerate(form) if not p.fits(values[i]))
            faults.append((at, form[at]))
    furthest = max(at for at, _ in faults)
    blamed = [parameter for at, parameter in faults if at == furthest]
    names = " or ".join(dict.fromkeys(p.name for p in blamed))
    allowed = " or ".join(dict.fromkeys(p.allowed for p in blamed))
    _refuse(command, names, allowed, values[furthest])


def _refuse(command: Command, what: str, allowed: str, got: object) -> NoReturn:
    raise ProtocolError(f"{command.full_name}: {what}: expected {allowed}, got {got!r}")


def _span(addresses: set[int]) -> str:
    low, high = min(addresses), max(addresses)
    return f"{low} ({who(low)})" if low == high else f"{low} to {high}"
