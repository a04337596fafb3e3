"""The operator: a terminal, the words typed there, and the line to the central control (000 §3.3).

A line is an HLC command: ``EXP``, ``RPL home``, ``RPL 0 300 0 0``, ``SIR 3``.  A parameter that is
an Enum is given by its number or by a word of its meaning; upper or lower case does not matter.
Help and completion are made from the protocol's own table.

The line to the central control carries HLC frames (``protocol``) between two ends; what is on it
stands in the trace like everything else.  What the operator types comes from outside: from the
scenario, at set times, or from a prompt while the run goes on.  Both enter the same way, so that
what was typed by hand and written down afterwards gives the same run again.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, NamedTuple

from annelid.electronics.board import Board
from annelid.electronics.port import ANSWER, SAYS, TERMINAL, Outcome, Terminal, deliver
from annelid.errors import InputError, UnknownName
from annelid.kernel import AnyOf, Program, Receive
from annelid.systems.microtub.central.replies import answers
from annelid.systems.microtub.protocol import (
    CC,
    COMMANDS,
    OPERATOR,
    BadFrame,
    Command,
    CommandDirection,
    decode,
    encode,
    sentence,
)
from annelid.systems.microtub.protocol.enums import WireEnum
from annelid.systems.microtub.protocol.frames import require_form
from annelid.systems.microtub.protocol.parameters import EnumParameter, Value

OPERATOR_NAME: Final = "operator"
"""Of the node."""
OPERATOR_LINE: Final = "operator line"
"""Of the link, and of the ports at its two ends."""
ASKED: Final = {
    command.name: command
    for command in COMMANDS
    if command.level == "HLC" and CommandDirection.FROM_OPERATOR in command.directions
}
"""What an operator may say, by name."""
ORDERED: Final = {
    command.name: command
    for command in COMMANDS
    if CommandDirection.TO_MODULES in command.directions
}
"""What may be said to modules, by name."""


class Saying(NamedTuple):
    """A command and its parameters, ready for a frame."""

    command: Command
    values: tuple[Value, ...]


def parse_saying(line: str) -> Saying:
    """What ``line`` means; an :class:`InputError` says what was expected instead."""
    return _parsed(line, ASKED, "operator")


def parse_order(line: str) -> Saying:
    """What ``line`` means to modules: ``MS1 40``, ``MHE``, ``SIM distance``."""
    return _parsed(line, ORDERED, "module")


def _parsed(line: str, known: Mapping[str, Command], who: str) -> Saying:
    words = line.split()
    if not words:
        raise InputError(f"{who}: expected a command, one of {', '.join(known)}, got nothing")
    command = known.get(words[0].upper().rpartition(".")[2])
    if command is None:
        raise UnknownName(f"{who}'s command", words[0], known)
    values = tuple(_value(command, place, word) for place, word in enumerate(words[1:]))
    require_form(command, values)
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


def completions(line: str) -> list[str]:
    """How the last word of ``line`` may go on."""
    words = line.split()
    if not words or (len(words) == 1 and not line.endswith(" ")):
        begun = words[0].upper() if words else ""
        return [name for name in ASKED if name.startswith(begun)]
    command = ASKED.get(words[0].upper())
    if command is None:
        return []
    begun = "" if line.endswith(" ") else words[-1].lower()
    place = len(words) - (1 if line.endswith(" ") else 2)
    names = [each.name.lower() for each in _members(command, place)]
    return [name for name in names if name.startswith(begun)]


def help_lines() -> list[str]:
    """One line a command, with its parameters."""
    lines = []
    for command in ASKED.values():
        takes = [" ".join(p.name for p in form) for form in command.forms if form]
        lines.append(f"{command.name:4}{' or '.join(takes):28} {command.title}: {command.meaning}")
        for place in range(max(len(form) for form in command.forms)):
            for each in _members(command, place):
                lines.append(f"{'':8}{int(each)} {each.name.lower():20} {each.remark}")
    return lines


def operator(board: Board) -> Program:
    """Sends what is typed, shows what is answered, and notes which command that answers."""
    terminal: Terminal = board.ports[TERMINAL]
    line = board.ports[OPERATOR_LINE]

    unanswered: list[tuple[str, Saying]] = []
    """Lines that have reached the central control, and what they mean."""

    def show(words: str, to: str | None = None) -> None:
        """``to``: the line that this answers."""
        board.log(ANSWER, {"words": words} if to is None else {"words": words, "to": to})
        if terminal.screen is not None:
            terminal.screen(words)

    typed, heard = Receive(terminal.typed), Receive(line.received)
    while True:
        fired = yield AnyOf(typed, heard)
        if fired.index == 1:
            message = decode(fired.value)
            if isinstance(message, BadFrame):
                show(f"a frame that cannot be read: {message.reason}")
            else:
                paid = next((one for one in unanswered if answers(*one[1], message)), None)
                if paid is not None:
                    unanswered.remove(paid)
                show(sentence(message), None if paid is None else paid[0])
            continue
        board.log(SAYS, {"line": fired.value})
        try:
            saying = parse_saying(fired.value)
        except InputError as error:
            show(str(error), fired.value)
            continue
        unanswered.append((fired.value, saying))
        frame = encode(saying.command, *saying.values, to=CC, sender=OPERATOR)
        outcome = yield from deliver(line, frame)
        if outcome is not Outcome.ACKNOWLEDGED:
            unanswered.remove((fired.value, saying))
            show(f"the central control does not answer ({outcome.value})", fired.value)
