"""From decisions in a trace to who was in control."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from annelid.kernel.trace.reader import Event
from annelid.report import in_control
from annelid.report.in_control import reigns, said
from annelid.spec import Spec
from annelid.systems import System
from annelid.systems.front import Words
from annelid.systems.microtub.protocol import CommandDirection
from annelid.systems.microtub.protocol.commands import COMMANDS
from annelid.systems.microtub.system import MICROTUB


def decided(at_s: float, channel: str, *winners: str) -> Event:
    detail = {"channel": channel, "winners": list(winners), "reason": f"{at_s:g}"}
    return Event(time_ns=round(at_s * 1e9), sequence=0, source="PC", kind="decision", detail=detail)


def test_changes_become_spans_and_gaps_stay_gaps():
    held = reigns(
        [
            decided(1, "destination", "wandering"),
            decided(1, "action", "move straight"),
            decided(3, "destination", "pipe following"),
            decided(4, "destination"),
            decided(6, "destination", "wandering"),
            decided(2, "yaw", "wave"),
        ],
        ("destination", "action"),
        end=10.0,
    )
    spans = [(one.channel, one.who, one.start, one.end) for one in held]
    assert spans == [
        ("destination", "wandering", 1.0, 3.0),
        ("action", "move straight", 1.0, 10.0),
        ("destination", "pipe following", 3.0, 4.0),
        ("destination", "wandering", 6.0, 10.0),
    ]
    assert held[0].why == "1"
    assert sum(one.end - one.start for one in held) == pytest.approx(16.0)


def answered(words: str) -> Event:
    return Event(time_ns=0, sequence=0, source="operator", kind="answer", detail={"words": words})


def test_a_system_puts_its_answers_in_plain_words_itself():
    lamp = System(
        name="lamp",
        title="",
        options=Spec,
        build=lambda *_: None,
        words=Words(parse=str, plain=lambda told: told.removeprefix("LMP ")),
    )
    assert said(answered("LMP it shines"), lamp) == ("robot", "it shines")
    assert said(answered("ANS 'explore: begun'"), lamp) == ("robot", "ANS 'explore: begun'")
    assert said(answered("a bend: to the left"), None) == ("robot", "a bend: to the left")
    assert said(answered("ANS 'explore: begun'"), MICROTUB) == ("robot", "explore: begun")


def test_the_report_knows_the_words_of_no_protocol():
    folder = Path(in_control.__file__).parent
    texts = {path.name: path.read_text("utf-8") for path in folder.glob("*.py")}
    names = {
        command.name for command in COMMANDS if CommandDirection.TO_OPERATOR in command.directions
    }
    found = [(f, n) for f, text in texts.items() for n in names if re.search(rf"\b{n}\b", text)]
    assert not found
