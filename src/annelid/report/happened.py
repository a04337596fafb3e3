"""Describes events in words, for a reader who wants to know what went wrong and when."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final

from annelid.kernel.trace.reader import Event
from annelid.report import page, summary
from annelid.report.recording import Recording
from annelid.report.system import system_of

MOST_EVENTS = 200
OFTEN = 60
"""A kind of event with more of them is chatter, counted and not listed."""

Detail = Mapping[str, Any]
Words = Mapping[str, Callable[[Detail], str]]
"""Kind of event to a sentence about one."""

_WHEN = ("fault", "reason", "at_s", "when", "until_s", "servo", "cup", "sensor", "board", "link")
"""Fields of a fault that its sentence has elsewhere."""


def _fault(detail: Detail) -> str:
    more = ", ".join(f"{k} {summary.cell(v)}" for k, v in detail.items() if k not in _WHEN)
    what = str(detail.get("fault", "")).replace("_", " ")
    until = f", until {detail['until_s']:g} s" if "until_s" in detail else ""
    return f"breaks: {what}{f' ({more})' if more else ''}, {detail.get('reason', '')}{until}"


WORDS: Final[Words] = {
    "fault": _fault,
    "mended": lambda d: f"mended: {str(d.get('fault', '')).replace('_', ' ')}",
    "off": lambda d: f"goes off: {d.get('reason', '')}",
    "reset": lambda d: f"starts anew: {d.get('reason', '')}",
    "dead": lambda d: f"is dead: {d.get('reason', '')}; its servos {_servos(d)}",
    "hang": lambda d: f"its program hangs: {d.get('reason', '')}",
    "resume": lambda d: f"its program goes on: {d.get('reason', '')}",
    "crash": lambda d: f"its program crashed: {d.get('error', '')} ({d.get('where', '')})",
    "trip": lambda d: f"switched off by its current limit at {1000 * d['filtered_a']:.0f} mA",
    "fell": lambda d: f"falls ({', '.join(d['who'])}): {d['why']}",
    "home": lambda d: "is home again, and stays",
    "gone": lambda d: f"leaves home again, {summary.length(d['progress_m'])} along the way",
    "goal": lambda d: f"reaches the goal at {summary.length(d['progress_m'])}",
    "true": lambda d: f"“{d['words']}” is so: {d['why']}",
    "false": lambda d: f"“{d['words']}” is not so: {d['why']}",
    "misled": lambda d: f"“{d['words']}” is not so, by a broken sensor: {d['why']}",
    "owed": lambda d: f"has not said: {d['what']} ({d['why']})",
    "cut": lambda d: f"cut: {d['a']} from {d['b']}",
    "join": lambda d: f"joined: {d['a']} to {d['b']}",
}
"""What the core tells; a system may have words for its own events (``System.event_words``)."""


def _servos(detail: Detail) -> str:
    return "hold their last command" if detail.get("servos") == "freeze" else "let go"


def words(event: Event, own: Words = MappingProxyType({})) -> str:
    """One event, without its time and source; ``own`` are the words of its system."""
    told = WORDS.get(event.kind) or own.get(event.kind)
    try:
        if told is not None:
            return told(event.detail)
    except (KeyError, TypeError, ValueError):
        pass  # a program's own event that happens to have a name of ours
    detail = ", ".join(f"{name} {summary.cell(value)}" for name, value in event.detail.items())
    return f"{event.kind}: {detail}" if detail else event.kind


def events_section(recording: Recording) -> str:
    """What happened, in order; chatter is counted."""
    system = system_of(recording)
    own = {} if system is None else system.event_words
    counts = Counter(event.kind for event in recording.events)
    chatter = {
        kind: n
        for kind, n in counts.items()
        if kind == "wire" or (n > OFTEN and kind not in WORDS and kind not in own)
    }
    kept = [event for event in recording.events if event.kind not in chatter]
    rows = [
        (f"{event.time_ns * 1e-9:.3f}", event.source, words(event, own))
        for event in kept[:MOST_EVENTS]
    ]
    table = page.table(("time (s)", "who", "what"), rows, numbers=(0,))
    notes = []
    if len(kept) > len(rows):
        notes.append(f"{len(kept) - len(rows)} more are in the trace.")
    if chatter:
        told = ", ".join(f"{n} of “{kind}”" for kind, n in chatter.items())
        notes.append(f"In the trace, not here: {told}.")
    more = page.paragraph(" ".join(notes)) if notes else ""
    return page.section("Events", f'<div class="scroll">{table}</div>', more)
