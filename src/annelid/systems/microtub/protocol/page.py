"""Writes the protocol as a page of documentation (``docs/microtub-protocol.md``)."""

from __future__ import annotations

from collections.abc import Iterator

from annelid.boundary.markdown import markdown_table
from annelid.systems.microtub.protocol.c_header import VERSION
from annelid.systems.microtub.protocol.commands import COMMANDS
from annelid.systems.microtub.protocol.enums import TABLES
from annelid.systems.microtub.protocol.grammar import CC, MODULES, OPERATOR, Command, Level
from annelid.systems.microtub.protocol.parameters import EnumParameter, Parameter, ParameterType

_LEVELS: dict[Level, str] = {
    "LLC1": "LLC1: each module translates them into what they mean to it (Table 4)",
    "LLC2": "LLC2: they mean the same to every module (Table 5)",
    "HLC": "HLC: between operator and central control (Table 6)",
}

_CODING = {
    ParameterType.ANGLE: (
        "whole degrees, two's complement; a servo that counts from 0 takes this plus 90"
    ),
    ParameterType.ENUM: "one of the tables below",
    ParameterType.STRING: "a byte n, then n printable ASCII characters",
    ParameterType.VALUE: "big-endian; two's complement where it can be negative",
    ParameterType.BOOL: "0 or 1 (000: 1 bit)",
    ParameterType.MODULE_ID: "a small letter; 000 has r, e, s, h, c",
    ParameterType.MDL: "the byte 17, then 17 digits from 0 to 3 (000 §3.4)",
}


_TOP = f"""\
# MICROTUB's protocol

Made by `annelid export default protocol-page`; do not edit. Names, parameters and meanings are
those of paper 000 (Tables 1 and 4 to 8); opcodes are proposed, for the paper prints none. Version
{VERSION}.

## Frame

An I2C write, at 100 kbit/s:

```text
dst << 1 | src | instruction | type data | type data | … [| PEC]
```

Addresses: 0 all (general call), {MODULES[0]} to {MODULES[-1]} modules, {CC} central control (CC),
{OPERATOR} operator (not on the bus). 000's frame has no sender; `src` is ours, because PC1 and PCL
must say who speaks. Modules may also talk to each other, but never to all: after a general call,
I2C chips may take the senders 04H and 06H for a reset. The I2C specification reserves addresses
1 to 7; 000 uses them, and so may you if nothing else is on the bus.

PEC is SMBus's: CRC-8, polynomial 07H, from 0, over all bytes before it. It is an extension and off
by default.

## Parameter types (Table 1)
"""


def docs_page() -> str:
    """Markdown."""
    return "\n".join(_lines()) + "\n"


def _lines() -> Iterator[str]:
    yield _TOP
    types = ((int(kind), kind.title, kind.size or "n + 1", _CODING[kind]) for kind in ParameterType)
    yield from markdown_table(("type", "name", "bytes", "coding"), types)
    head = ("opcode", "name", "direction", "parameters", "instruction", "remarks")
    for level, title in _LEVELS.items():
        yield from ("", f"## {title}", "")
        yield from markdown_table(head, (_row(one) for one in COMMANDS if one.level == level))
    for name, table in TABLES.items():
        yield from ("", f"## Enum {name}", "", " ".join((table.__doc__ or "").split()), "")
        members = ((int(member), member.remark) for member in table)
        yield from markdown_table(("value", "meaning"), members)


def _row(command: Command) -> tuple[str, ...]:
    return (
        f"{command.opcode:02X}H",
        command.name,
        ", ".join(direction.value for direction in command.directions),
        "<br>or ".join(" + ".join(map(parameter, form)) or "none" for form in command.forms),
        command.title,
        command.meaning,
    )


def parameter(one: Parameter) -> str:
    """``Angle angle (-90 to 90 degrees)``; an Enum by its numbers."""
    if isinstance(one, EnumParameter):
        return f"Enum {one.name} ({', '.join(str(int(member)) for member in one.members)})"
    return f"{one.kind.title} {one.name} ({one.allowed})"
