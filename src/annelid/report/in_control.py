"""Report: which behaviour was in control and why, and what operator and robot told each other.

A robot's stacks of behaviours record every change of who wins a channel (``annelid.behaviour``);
drawn as lanes, a run reads as a story: this behaviour led, then that one took over.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from annelid.kernel.trace.reader import Event
from annelid.report import page
from annelid.report.figures import SECONDS
from annelid.report.plots import COLOURS, Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.report.system import system_of
from annelid.systems import System

MOST_ROWS = 80


@dataclass(frozen=True)
class Reign:
    """Who held a channel, from when to when (s)."""

    channel: str
    who: str
    start: float
    end: float
    why: str


def control_section(recording: Recording) -> str | None:
    """None where nobody decided for the whole robot."""
    run = recording.run
    happened = run.events()
    end = max((event.time_ns for event in happened), default=0) * 1e-9
    system = system_of(recording)
    channels = () if system is None else system.decides
    held = reigns([e for e in happened if e.kind == "decision"], channels, end)
    dialogue = [e for e in happened if e.source == "operator" and e.kind in ("says", "answer")]
    if not held and not dialogue:
        return None
    parts = []
    if held:
        parts.append(
            page.figure(
                _lanes(held, channels, recording),
                f"Which behaviour decided about {' and '.join(channels)}; a gap: nobody did.",
            )
        )
        rows = [
            (f"{one.start:.1f}", one.channel, one.who, f"{one.end - one.start:.1f}", one.why)
            for one in held[:MOST_ROWS]
        ]
        head = ("time (s)", "about", "decided by", "for (s)", "because")
        parts.append(f'<div class="scroll">{page.table(head, rows, numbers=(0, 3))}</div>')
        if len(held) > len(rows):
            parts.append(page.paragraph(f"{len(held) - len(rows)} more are in the trace."))
    if dialogue:
        lines = [(f"{e.time_ns * 1e-9:.1f}", *said(e, system)) for e in dialogue[:MOST_ROWS]]
        parts.append(page.table(("time (s)", "who", "said"), lines, numbers=(0,)))
    return page.section("In control", *parts)


def reigns(decisions: Sequence[Event], channels: Sequence[str], end: float) -> list[Reign]:
    """From changes to spans, in the order of their beginning."""
    found: list[Reign] = []
    for channel in channels:
        mine = [e for e in decisions if e.detail["channel"] == channel]
        for event, after in zip(mine, [*mine[1:], None], strict=False):
            who = " and ".join(event.detail["winners"])
            if who:
                until = end if after is None else after.time_ns * 1e-9
                start, why = event.time_ns * 1e-9, str(event.detail["reason"])
                found.append(Reign(channel, who, start, until, why))
    return sorted(found, key=lambda one: one.start)


def said(event: Event, system: System | None) -> tuple[str, str]:
    """Who, and what."""
    if event.kind == "says":
        return "operator", str(event.detail["line"])
    told = str(event.detail["words"])
    return "robot", told if system is None else system.plain(told)


def _lanes(held: Sequence[Reign], channels: Sequence[str], recording: Recording) -> str:
    panels = []
    for channel in channels:
        mine = [one for one in held if one.channel == channel]
        lanes = list(dict.fromkeys(one.who for one in mine))
        curves = []
        for place, lane in enumerate(lanes):
            spans = [one for one in mine if one.who == lane]
            x = [t for one in spans for t in (one.start, one.end, one.end)]
            y = [float(v) for _ in spans for v in (place, place, np.nan)]
            curves.append(Curve(x, y, colour=COLOURS[place % len(COLOURS)], width=7.0))
        ticks = [(float(place), lane) for place, lane in enumerate(lanes)]
        panels.append(
            PlotPanel(
                SECONDS,
                channel,
                curves,
                y_ticks=ticks,
                y_range=(len(lanes) - 0.4, -0.6),
                marks=recording.marks,
            )
        )
    return draw(panels, height=2.2)
