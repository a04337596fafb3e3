"""From decisions in a trace to who was in control."""

from __future__ import annotations

import pytest

from annelid.kernel.trace.reader import Event
from annelid.report.in_control import reigns, said


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


@pytest.mark.parametrize(
    ("words", "shown"),
    [
        ("ANS 'explore: begun'", "explore: begun"),
        ("AIR answer information of the robot: working modules, 'chvb'", "working modules, 'chvb'"),
        ("AIE answer environment information: bore, 41 mm", "bore, 41 mm"),
        ("a bend: to the left", "a bend: to the left"),
    ],
)
def test_the_robot_s_words_stand_without_the_command_they_came_in(words: str, shown: str):
    event = Event(time_ns=0, sequence=0, source="operator", kind="answer", detail={"words": words})
    assert said(event) == ("robot", shown)
