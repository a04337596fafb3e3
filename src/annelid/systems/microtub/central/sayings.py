"""The operator's words as HLC commands: ``EXP``, ``RPL home``, ``RPL 0 300 0 0``, ``SIR 3``.

A parameter that is an Enum is given by its number or by a word of its meaning; upper or lower case
does not matter.  One table makes help and completion, and it is the protocol's own.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from annelid.electronics.port import EVERYONE
from annelid.errors import InputError, UnknownName
from annelid.systems.microtub.protocol import Command, CommandDirection, encode
from annelid.systems.microtub.protocol.commands import COMMANDS
from annelid.systems.microtub.protocol.enums import WireEnum
from annelid.systems.microtub.protocol.grammar import CC, OPERATOR
from annelid.systems.microtub.protocol.parameters import EnumParameter, Value

ASKED: Final = tuple(
    command
    for command in COMMANDS
    if command.level == "HLC" and CommandDirection.FROM_OPERATOR in command.directions
)
"""What an operator may say."""
ORDERED: Final = tuple(
    command for command in COMMANDS if CommandDirection.TO_MODULES in command.directions
)
"""What may be said to modules."""


class Saying(NamedTuple):
    """A command and its parameters, ready for a frame."""

    command: Command
    values: tuple[Value, ...]


def parse_saying(line: str) -> Saying:
    """What ``line`` means; an :class:`InputError` says what was expected instead."""
    saying = _parsed(line, ASKED, "operator")
    encode(saying.command, *saying.values, to=CC, sender=OPERATOR)  # says what does not fit
    return saying


def parse_order(line: str) -> Saying:
    """What ``line`` means to modules: ``MS1 40``, ``MHE``, ``SIM distance``."""
    saying = _parsed(line, ORDERED, "module")
    encode(saying.command, *saying.values, to=EVERYONE)
    return saying


def _parsed(line: str, known: Sequence[Command], who: str) -> Saying:
    names = [command.name for command in known]
    words = line.split()
    if not words:
        raise InputError(f"{who}: expected a command, one of {', '.join(names)}, got nothing")
    name = words[0].upper().rpartition(".")[2]
    command = next((each for each in known if each.name == name), None)
    if command is None:
        raise UnknownName(f"{who}'s command", words[0], names)
    values = tuple(_value(command, place, word) for place, word in enumerate(words[1:]))
    return Saying(command, values)


def _value(command: Command, place: int, word: str) -> Value:
    try:
        return int(word)
    except ValueError:
        pass
    members = list(_members(command, place))
    named = [each for each in members if each.name.lower() == word.lower()]
    found = named or [each for each in members if word.lower() in each.meaning.lower().split()]
    if len(found) == 1:
        return found[0]
    if not members:
        raise InputError(f"{command.name}: expected a whole number, got {word!r}")
    raise UnknownName(f"{command.name} parameter", word, [each.meaning for each in members])


def _members(command: Command, place: int) -> Iterator[WireEnum]:
    for form in command.forms:
        parameter = form[place] if place < len(form) else None
        if isinstance(parameter, EnumParameter):
            yield from parameter.members


def _names() -> list[str]:
    return [command.name for command in ASKED]


def completions(line: str) -> list[str]:
    """How the last word of ``line`` may go on."""
    words = line.split()
    if not words or (len(words) == 1 and not line.endswith(" ")):
        begun = words[0].upper() if words else ""
        return [name for name in _names() if name.startswith(begun)]
    command = next((each for each in ASKED if each.name == words[0].upper()), None)
    if command is None:
        return []
    begun = "" if line.endswith(" ") else words[-1].lower()
    place = len(words) - (1 if line.endswith(" ") else 2)
    names = [each.name.lower() for each in _members(command, place)]
    return [name for name in names if name.startswith(begun)]


def help_lines() -> list[str]:
    """One line a command, with its parameters."""
    lines = []
    for command in ASKED:
        takes = [" ".join(p.name for p in form) for form in command.forms if form]
        lines.append(f"{command.name:4}{' or '.join(takes):28} {command.title}: {command.meaning}")
        for place in range(max(len(form) for form in command.forms)):
            for each in _members(command, place):
                lines.append(f"{'':8}{int(each)} {each.name.lower():20} {each.remark}")
    return lines
