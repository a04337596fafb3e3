"""Answers questions such as "why did servo 3 stop?" from the trace, in words.

Only changes of the winner are recorded, so the answer for any moment is the last change before
it::

    >>> print(why(events(TraceReader(run)), "yaw", seconds(12.4), source="R3"))
    R3 yaw at 12.400 s: nothing, by avoid overheating (inhibit), since 12.310 s. 52 °C.
    Before that it was vertical wave's. vertical wave was inhibited by avoid overheating.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from annelid.behaviour.chronicle import DECISION, FLIP_FLOP
from annelid.errors import InputError, UnknownName
from annelid.kernel.time import to_seconds
from annelid.kernel.trace import Event


def why(events: Iterable[Event], channel: str, t_ns: int, *, source: str | None = None) -> str:
    """Who held ``channel`` at ``t_ns`` and for what reason.

    ``source`` is the node, which may be left out where only one has such a channel.  ``events``
    are those of the trace in their order; other kinds among them do no harm.
    """
    told = [
        event
        for event in events
        if event.kind in (DECISION, FLIP_FLOP) and source in (None, event.source)
    ]
    on_channel = [event for event in told if event.detail["channel"] == channel]
    if not on_channel:
        raise UnknownName(
            "channel", channel, {event.detail["channel"] for event in told}, where=source or ""
        )
    nodes = sorted({event.source for event in on_channel})
    if len(nodes) > 1:
        raise InputError(
            f"why: expected one node with a channel {channel!r}; say which with source, one of"
            f" {', '.join(nodes)}"
        )
    past = [event for event in on_channel if event.time_ns <= t_ns]
    title = f"{nodes[0]} {channel} at {to_seconds(t_ns):.3f} s"
    decisions = [event for event in past if event.kind == DECISION]
    if not decisions:
        first_s = to_seconds(on_channel[0].time_ns)
        return f"{title}: nothing yet; nobody had spoken before {first_s:.3f} s."
    last = decisions[-1]
    sentences = [f"{title}: {_held(last)}.", *_because(last.detail), *_fights(past, last)]
    return " ".join(sentences)


def _held(event: Event) -> str:
    detail, since_s = event.detail, to_seconds(event.time_ns)
    value = detail["value"]
    said = "nothing" if value is None else f"{value:.4g}" if _is_number(value) else str(value)
    if not detail["winners"]:
        return f"nothing ({detail['rule']}), since {since_s:.3f} s"
    at_first = "" if value is None else " at first"
    who = f"{_names(detail['winners'])} ({detail['rule']})"
    return f"{said}{at_first}, by {who}, since {since_s:.3f} s"


def _because(detail: dict[str, Any]) -> list[str]:
    sentences = [f"{detail['reason']}."] if detail["reason"] else []
    if detail["before"]:
        sentences.append(f"Before that it was {_names(detail['before'])}'s.")
    if detail["winners"]:  # of an empty channel the reason has said it
        sentences += [f"{loser}." for loser in detail["losers"]]
    return sentences


def _fights(past: Sequence[Event], last: Event) -> list[str]:
    """A flip-flop told since shortly before the decision in force."""
    return [
        f"{' and '.join(event.detail['between'])} keep undoing each other here"
        f" ({event.detail['undone']} times within {to_seconds(event.detail['window_ns']):g} s)."
        for event in past
        if event.kind == FLIP_FLOP and last.time_ns - event.time_ns <= event.detail["window_ns"]
    ]


def _names(sources: Sequence[str]) -> str:
    return " and ".join(sources)


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
