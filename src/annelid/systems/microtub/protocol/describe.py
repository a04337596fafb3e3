"""Describes frames in words, for people who read the messages."""

from __future__ import annotations

from typing import Final

from annelid.electronics.port import Frame
from annelid.systems.microtub.protocol.answers import read_module_answer
from annelid.systems.microtub.protocol.commands import COMMANDS, LLC2
from annelid.systems.microtub.protocol.frames import BadFrame, Message, Reason, decode, form_of
from annelid.systems.microtub.protocol.grammar import Command, CommandDirection, who

QUOTES: Final = "'\""
"""About a text, as parameters show it: the second kind where the first is in it."""


def understand(wire: bytes, *, crc: bool | None = None) -> Message | BadFrame | None:
    """What bytes from the bus say, the address byte first; None: there are none.

    ``crc`` None: with or without, whichever makes sense.
    """
    if not wire:
        return None
    frame = Frame(wire[1:], wire[0] >> 1)
    if wire[0] & 1:
        return BadFrame(Reason.READ, frame.address)
    said = decode(frame, crc=bool(crc))
    if crc is None and isinstance(said, BadFrame):
        checked = decode(frame, crc=True)
        if isinstance(checked, Message):
            return checked
    return said


def describe(wire: bytes, *, crc: bool | None = None) -> str:
    """One line: ``CC → 5: MS1 servo 1 to 45°``."""
    said = understand(wire, crc=crc)
    if said is None:
        return "nothing"
    sender = "?" if said.sender is None else who(said.sender)
    return f"{sender} → {who(said.to)}: {sentence(said, wire)}"


def describe_frames(wire: bytes) -> list[tuple[bytes, str]]:
    """As the table of systems wants it: on I2C, every event of the wire is one frame."""
    return [(wire, describe(wire))]


def sentence(said: Message | BadFrame, wire: bytes = b"") -> str:
    """What is said, without who says it; of a bad frame its bytes, too."""
    if isinstance(said, BadFrame):
        if said.reason is Reason.SHORT and len(wire) <= 1:
            return "only the address"
        return f"bad frame, {said.reason}: {wire.hex(' ')}"
    command, values = said.command, said.values
    shown = [p.show(v) for p, v in zip(form_of(command, values) or (), values, strict=True)]
    if command is LLC2.AIM:
        answer = read_module_answer(str(values[0]))
        if answer is not None:
            return f"{command.name} the {answer[0].meaning} is {', '.join(map(str, answer[1]))}"
    told = command.says.format(*shown) if command.says else ", ".join(shown)
    return _lead(command) + told if told else _lead(command).removesuffix(": ")


def plain(told: str) -> str:
    """A sentence to the operator without the command that it came in, and without quotation marks
    where it is one text."""
    name = told.partition(" ")[0]
    to_operator = (each for each in COMMANDS if CommandDirection.TO_OPERATOR in each.directions)
    command = next((each for each in to_operator if each.name == name), None)
    if command is None:
        return told
    words = told.removeprefix(_lead(command))
    return words[1:-1] if len(words) > 1 and words[0] == words[-1] and words[0] in QUOTES else words


def _lead(command: Command) -> str:
    """How its sentences begin: its name, and its title where it has no words of its own."""
    if command.says:
        return f"{command.name} "
    title = command.title
    if not title[:2].isupper():  # MDL stays MDL
        title = title[0].lower() + title[1:]
    return f"{command.name} {title}: "
