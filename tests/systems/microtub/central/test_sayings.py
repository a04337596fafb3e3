"""What an operator may type, and what is said about the rest."""

from __future__ import annotations

import pytest

from annelid.errors import InputError
from annelid.systems.microtub.central.operator import completions, help_lines, parse_saying
from annelid.systems.microtub.protocol import HLC, Destination, RobotInfo


@pytest.mark.parametrize(
    ("line", "command", "values"),
    [
        ("EXP", HLC.EXP, ()),
        ("  exp ", HLC.EXP, ()),
        ("RPL home", HLC.RPL, (Destination.HOME,)),
        ("rpl 4", HLC.RPL, (4,)),
        ("RPL coordinates 300 -20 0", HLC.RPL, (Destination.COORDINATES, 300, -20, 0)),
        ("RPL up 250", HLC.RPL, (Destination.UP, 250)),
        ("RPL pipe", HLC.RPL, (Destination.PIPE,)),
        ("SIR modules", HLC.SIR, (RobotInfo.WORKING_MODULES,)),
        ("SIE humidity", HLC.SIE, (2,)),
        ("HLC.STP", HLC.STP, ()),
    ],
)
def test_lines_are_commands(line: str, command: object, values: tuple[int, ...]):
    saying = parse_saying(line)
    assert saying.command is command
    assert saying.values == values


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("", "expected a command"),
        ("FLY", "unknown operator's command 'FLY'"),
        ("RPL 99", "place: expected .*4 home.*, got 99"),
        ("RPL 0 1 2", "parameters: expected 1, 2 or 4|parameters: expected 1 or 2 or 4"),
        ("RPL moon", "unknown RPL parameter 'moon'"),
        ("RPL 0 x 0 0", "expected a whole number, got 'x'"),
        ("RPL 0 99999 0 0", "-32768 to 32767"),
        ("AIR 1 2", "unknown operator's command 'AIR'"),
        ("EXP now", "expected a whole number"),
    ],
)
def test_what_is_none_is_answered_with_what_is(line: str, complaint: str):
    with pytest.raises(InputError, match=complaint):
        parse_saying(line)


def test_words_are_completed():
    assert completions("") == ["STP", "RST", "RPL", "DO", "EXP", "SIR", "SIE"]
    assert completions("r") == ["RST", "RPL"]
    assert completions("RPL ")[:5] == ["coordinates", "end", "bifurcation", "touch", "home"]
    assert completions("RPL f") == ["forward"]
    assert completions("rpl ho") == ["home"]
    assert completions("FLY ") == []


def test_help_has_every_command_and_every_choice():
    text = "\n".join(help_lines())
    for word in ("EXP", "RPL", "the next bifurcation", "make a hole", "picture", "Restart"):
        assert word in text
