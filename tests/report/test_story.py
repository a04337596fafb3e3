"""Captions tell what happened when it happens, and what matters first."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from annelid.kernel.trace.reader import Event
from annelid.report.story import LONGEST_S, MOST, SHORTEST_S, StoryLine, shown, story
from annelid.systems.microtub.system import MICROTUB


def event(at: float, kind: str, source: str = "PC", **detail: Any) -> Event:
    return Event(round(at * 1e9), source, kind, detail, 0)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setattr("annelid.report.story.system_of", lambda _: MICROTUB)

    def tell(*events: Event) -> list[tuple[float, str]]:
        recording: Any = SimpleNamespace(events=list(events))
        return [(line.at, line.text) for line in story(recording)]

    return tell


def test_the_operator_the_robot_and_the_witness_speak(told: Any):
    assert told(
        event(1, "says", "operator", line="EXP"),
        event(1, "answer", "operator", words="ANS 'explore: begun'"),
        event(2, "wire", "bus", words="MHE"),
        event(3, "false", "witness", words="home again", why="it is 1 m away"),
        event(4, "goal", "trial", progress_m=1.2),
        event(5, "true", "witness", words="home again", why="it is there"),
    ) == [
        (1, "operator: EXP"),
        (1, "robot: explore: begun"),
        (3, "the robot: “home again” is not so: it is 1 m away"),
        (4, "the robot reaches the goal at 1.20 m"),
    ]


def test_a_caption_begins_at_its_moment_and_never_later():
    lines = [StoryLine(at, f"at {at}", 1) for at in (0.0, 0.1, 9.0, 9.2, 40.0)]
    speed = 4.0
    for begin, end, text in shown(lines, speed):
        assert text == f"at {begin}"
        assert SHORTEST_S * speed <= end - begin <= LONGEST_S * speed


def test_of_two_at_once_the_one_that_matters_is_shown():
    lines = [StoryLine(1.0, "EXP", 0), StoryLine(1.1, "it fell", 3), StoryLine(1.2, "begun", 1)]
    assert [text for *_, text in shown(lines, 10.0)] == ["it fell"]
    assert [text for *_, text in shown(lines, 0.01)] == ["EXP", "it fell", "begun"]


def test_a_run_in_which_nothing_happens_has_no_captions():
    assert list(shown([], 1.0)) == []


def test_a_long_one_is_cut():
    ((*_, text),) = shown([StoryLine(0.0, "x" * 200, 1)], 1.0)
    assert len(text) == MOST


def test_what_breaks_in_a_recorded_run_is_told(run_folder: Path):
    from annelid.report.recording import Recording

    lines = story(Recording(run_folder))
    assert [(line.at, line.text) for line in lines] == [
        (0.5, "R1.yaw breaks: limp servo, at 0.5 s"),
        (1.0, "the robot cut: H1.back from V1.front"),
    ]
