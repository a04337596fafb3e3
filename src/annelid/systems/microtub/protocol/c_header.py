"""Writes the protocol as a C header for real firmware, from the same tables."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from annelid.systems.microtub.protocol.commands import COMMANDS
from annelid.systems.microtub.protocol.enums import TABLES
from annelid.systems.microtub.protocol.grammar import CC, MODULES, OPERATOR, Command
from annelid.systems.microtub.protocol.parameters import NumberParameter, Parameter, ParameterType

VERSION: Final = 1
"""Of opcodes and layout; to be raised with every change that firmware would notice."""

_TOP: Final = """\
/* microtub_protocol.h: MICROTUB's commands (paper 000, Tables 1 and 4 to 8).
 * Made by `annelid export default c-header`; do not edit.
 *
 * A frame is an I2C write:
 *
 *     byte 0    destination << 1      (the I2C address byte)
 *     byte 1    source
 *     byte 2    instruction           MICROTUB_LLC1_..., LLC2_..., HLC_...
 *     byte 3    parameters            each one type byte, then its data
 *     last      PEC                   only where both ends have agreed on it
 *
 * As a struct, behind the address byte that the I2C hardware takes away:
 *
 *     struct __attribute__((packed)) microtub_frame {
 *         uint8_t source;
 *         uint8_t instruction;
 *         uint8_t parameters[];
 *     };
 *
 * Values are big-endian; an Angle is an int8_t in degrees; a String has its length before it.
 */
#ifndef MICROTUB_PROTOCOL_H
#define MICROTUB_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>
"""

_BOTTOM: Final = """\
/* Bytes of data behind a type byte: 0 where a length byte comes first, -1 for unknown types. */
static inline int microtub_size(uint8_t type)
{
    switch (type) {
%s    default:
        return -1;
    }
}

/* SMBus's packet error code over the address byte and all that follows. */
static inline uint8_t microtub_pec(const uint8_t *bytes, size_t length)
{
    uint8_t crc = 0;
    while (length--) {
        crc ^= *bytes++;
        for (int bit = 0; bit < 8; bit++)
            crc = (uint8_t)((crc << 1) ^ ((crc & 0x80) ? 0x07 : 0));
    }
    return crc;
}

#endif
"""


def c_header() -> str:
    """One file, C99 and C++, in ASCII."""
    return "\n".join(
        (
            _TOP,
            *_defines(),
            "",
            *_enum("Parameter types (Table 1).", "type", _types()),
            *_enum("Instructions (Tables 4 to 6).", "instruction", _instructions()),
            *(line for name in TABLES for line in _table(name)),
            _BOTTOM % "".join(_sizes()),
        )
    )


def _defines() -> Iterator[str]:
    numbers = {
        "PROTOCOL_VERSION": VERSION,
        "ADDRESS_ALL": 0,
        "ADDRESS_FIRST": MODULES[0],
        "ADDRESS_LAST": MODULES[-1],
        "ADDRESS_CC": CC,
        "ADDRESS_OPERATOR": OPERATOR,
        "MDL_LENGTH": 17,
    }
    for name, number in numbers.items():
        yield f"#define MICROTUB_{name} {number}"


def _enum(comment: str, name: str, members: Iterable[tuple[str, str, str]]) -> Iterator[str]:
    yield f"/* {comment} */"
    yield f"enum microtub_{name} {{"
    for member, number, remark in members:
        yield f"    {f'MICROTUB_{member} = {number},':42} /* {remark} */"
    yield "};"
    yield ""


def _types() -> Iterator[tuple[str, str, str]]:
    for kind in ParameterType:
        size = f"{kind.size} bytes" if kind.size > 1 else "1 byte" if kind.size else "n + 1 bytes"
        yield f"TYPE_{kind.name}", str(int(kind)), size


def _instructions() -> Iterator[tuple[str, str, str]]:
    for command in COMMANDS:
        yield f"{command.level}_{command.name}", f"0x{command.opcode:02X}", _remark(command)


def _remark(command: Command) -> str:
    forms = " or ".join(" + ".join(map(_type, form)) or "none" for form in command.forms)
    who = ", ".join(d.value for d in command.directions).replace("→", "to")
    return f"{command.title}; {who}; {forms}"


def _type(parameter: Parameter) -> str:
    signed = (
        isinstance(parameter, NumberParameter)
        and parameter.kind is ParameterType.VALUE
        and parameter.signed
    )
    return f"{'signed ' if signed else ''}{parameter.kind.title} {parameter.name}"


def _table(name: str) -> Iterator[str]:
    comment = " ".join((TABLES[name].__doc__ or "").split()).replace("§", "section ")
    members = ((f"{name}_{m.name}", str(int(m)), m.remark) for m in TABLES[name])
    return _enum(comment, name.lower(), members)


def _sizes() -> Iterator[str]:
    for kind in ParameterType:
        yield f"    case MICROTUB_TYPE_{kind.name}:\n        return {kind.size};\n"
