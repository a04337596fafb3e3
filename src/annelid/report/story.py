"""The story of a run as captions: what the operator says, what the robot answers, what breaks.

Captions are the words of the recorded events, each from its own moment on.  Where too many come at
once, those that matter more are shown.  What the witness contradicts matters most.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from annelid.kernel.trace.reader import Event
from annelid.report.happened import WORDS, words
from annelid.report.recording import Recording
from annelid.report.system import system_of
from annelid.systems import System

SHORTEST_S: Final = 1.25
"""Two captions are at least so far apart, in seconds of the film."""
LONGEST_S: Final = 6.0
"""A caption stands no longer than this, when nothing else happens."""
MOST: Final = 90
"""Letters of a caption; the rest is cut off."""

WEIGHT: Final = {
    **dict.fromkeys(WORDS.keys() - {"true", "gone"}, 2),
    **dict.fromkeys(("false", "owed", "fell", "fault", "crash"), 3),
    "answer": 1,
    "says": 0,
}
"""Kinds of events that make a caption, and how much they matter."""


@dataclass(frozen=True)
class StoryLine:
    """One caption."""

    at: float
    """s of the run."""
    text: str
    weight: int


def story(recording: Recording) -> list[StoryLine]:
    """All captions in order; the same words twice in a row are one."""
    system = system_of(recording)
    own = {} if system is None else system.event_words
    found: list[StoryLine] = []
    for event in recording.events:
        if event.kind in WEIGHT:
            line = _line(event, words(event, own), system)
            if not (found and found[-1].text == line.text):
                found.append(line)
    return found


def _line(event: Event, told: str, system: System | None) -> StoryLine:
    if event.kind == "says":
        text = f"operator: {event.detail.get('line', '')}"
    elif event.kind == "answer":
        said = str(event.detail.get("words", ""))
        text = f"robot: {said if system is None else system.plain(said)}"
    else:
        who = "the robot" if event.source in ("trial", "witness") else event.source
        text = f"{who} {told}" if event.source != "witness" else f"{who}: {told}"
    return StoryLine(event.time_ns * 1e-9, text, WEIGHT[event.kind])


def shown(lines: Sequence[StoryLine], speed: float) -> Iterator[tuple[float, float, str]]:
    """(from, until, caption) in seconds of the run, for a film ``speed`` times as fast."""
    kept: list[StoryLine] = []
    for line in sorted(lines, key=lambda line: (-line.weight, line.at)):
        if all(abs(line.at - other.at) >= SHORTEST_S * speed for other in kept):
            kept.append(line)
    kept.sort(key=lambda line: line.at)
    for place, line in enumerate(kept):
        end = kept[place + 1].at if place + 1 < len(kept) else inf
        text = line.text if len(line.text) <= MOST else line.text[: MOST - 1] + "…"
        yield line.at, min(end, line.at + LONGEST_S * speed), text
