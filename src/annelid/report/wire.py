"""Report: packets on the wires in words, their way from board to board, and how long it took.

The trace has bytes per sender; here they become *frames* (split and put in words by the system
that sent them, if it can) and *journeys*: one frame passed on from board to board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np

from annelid.kernel.trace.reader import Event
from annelid.report import page
from annelid.report.plots import COLOURS, Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.systems import SYSTEMS, DescribeFrames
from annelid.trial.replay import Run

MOST_JOURNEYS = 80
"""Rows of the table; the trace has the others."""
WINDOW_NS = 150_000_000
"""How much of the traffic the timeline shows: a packet takes some ms from board to board."""
TOUCHING_NS = 1_000
"""Bytes of one sender that follow so closely are one stream."""
PATIENCE_NS = 200_000_000
"""A board that sends the same bytes within this time is passing them on."""
DELIVERED = "delivered"
SYNC_LINES = "sync/"
"""How the links of sync lines are called: they carry levels."""


@dataclass
class Stream:
    """Bytes of one sender without a gap."""

    link: str
    sender: str
    start_ns: int
    end_ns: int
    data: bytearray
    to: list[str]
    outcomes: list[str]
    """Of every byte."""
    length: int
    """More than ``data`` where the trace kept only the beginning."""
    got: bytes = b""
    """What arrived of a frame, where it is not what was sent."""


@dataclass(frozen=True)
class RecordedFrame:
    """One packet from one board to its hearers."""

    link: str
    sender: str
    to: tuple[str, ...]
    start_ns: int
    end_ns: int
    data: bytes
    words: str
    outcome: str


@dataclass
class Journey:
    """A frame and those who passed it on."""

    hops: list[RecordedFrame] = field(default_factory=list)

    @property
    def first(self) -> RecordedFrame:
        return self.hops[0]

    @property
    def heard(self) -> list[RecordedFrame]:
        """Without a last board that speaks to nobody."""
        return [hop for hop in self.hops if hop.to] or self.hops[:1]

    @property
    def delay_ns(self) -> int:
        """From its first bit to its last one at the last board that heard it."""
        return max(hop.end_ns for hop in self.heard) - self.first.start_ns

    @property
    def outcome(self) -> str:
        return "; ".join(dict.fromkeys(hop.outcome for hop in self.heard))


def wire_section(recording: Recording) -> str | None:
    """Timeline, delays and packets; None where nothing was sent."""
    found = conversation(recording.run)
    if not found:
        return None
    told = journeys(found)
    rows = [_row(journey) for journey in told[:MOST_JOURNEYS]]
    head = ("time (s)", "from", "heard by", "bytes", "meaning", "hops", "delay (ms)", "outcome")
    table = page.table(head, rows, numbers=(0, 5, 6))
    parts = [
        page.paragraph(_summary(found, told)),
        page.figure(
            _timeline(found, told),
            "Left: who sends when, at the beginning; a packet that is passed on makes a staircase. "
            "Right: how long each packet needed to the last board that heard it.",
        ),
        f'<div class="scroll">{table}</div>',
    ]
    if len(told) > len(rows):
        parts.append(page.paragraph(f"{len(told) - len(rows)} more are in the trace."))
    return page.section("Wire", *parts)


def conversation(run: Run) -> list[RecordedFrame]:
    """All that was on the wires of a run, in words where its system has them."""
    name = run.scenario.control.system
    if name is None:
        return frames(run.events("wire"), None)
    system = run.plugins.table(SYSTEMS)[name]
    return frames(run.events("wire"), system.describe_frames, framed=system.framed)


# -- from events to journeys ---------------------------------------------------------------------


def frames(
    events: Iterable[Event], describe: DescribeFrames | None, *, framed: bool = False
) -> list[RecordedFrame]:
    """In the order of their first bits; ``framed`` as :class:`annelid.systems.System` has it."""
    found: list[RecordedFrame] = []
    for stream in streams(events, framed=framed):
        data = bytes(stream.data)
        whole = stream.length == len(data)
        if stream.link.startswith(SYNC_LINES):
            pieces: Sequence[tuple[bytes, str]] = [(data, "high" if any(data[-1:]) else "low")]
        elif describe is None or not whole:
            pieces = [(data, "")]
        else:
            pieces = describe(data)
            if stream.got:
                pieces = [(data, f"{pieces[0][1]}; arrived as: {describe(stream.got)[0][1]}")]
        took = stream.end_ns - stream.start_ns
        at = 0
        for piece, words in pieces:
            start, at = at, at + len(piece)
            share = (start / len(data), at / len(data)) if data else (0.0, 1.0)
            found.append(
                RecordedFrame(
                    stream.link,
                    stream.sender,
                    tuple(stream.to),
                    stream.start_ns + round(took * share[0]),
                    stream.start_ns + round(took * share[1]),
                    piece,
                    words if whole else f"the beginning of {stream.length} bytes",
                    ", ".join(dict.fromkeys(stream.outcomes[start:at])),
                )
            )
    return sorted(found, key=lambda frame: frame.start_ns)


def streams(events: Iterable[Event], *, framed: bool = False) -> list[Stream]:
    """Events of kind ``wire``, put together where one sender went on without a gap.

    Frames stay apart: on a busy bus one begins where the last one ended.
    """
    found: list[Stream] = []
    last: dict[tuple[str, str], Stream] = {}
    sent = [event for event in events if event.kind == "wire" and "bytes" in event.detail]
    for event in sorted(sent, key=lambda e: int(e.detail["start_ns"])):
        detail = event.detail
        data = bytes.fromhex(detail["bytes"])
        start, end = int(detail["start_ns"]), int(detail["end_ns"])
        outcomes = [str(detail["outcome"])] * max(1, len(data))
        length = int(detail.get("bytes_length", len(data)))
        key = (event.source, str(detail["from"]))
        before = None if framed else last.get(key)
        if before is not None and abs(start - before.end_ns) <= TOUCHING_NS and length == len(data):
            before.data += data
            before.end_ns, before.length = end, before.length + length
            before.outcomes += outcomes
            before.to += [name for name in detail["to"] if name not in before.to]
            continue
        stream = Stream(*key, start, end, bytearray(data), list(detail["to"]), outcomes, length)
        if framed:
            stream.got = bytes.fromhex(detail.get("got", ""))
        found.append(stream)
        last[key] = stream
    return found


def journeys(found: Sequence[RecordedFrame]) -> list[Journey]:
    """Equal bytes on one link, sent by a board that has just heard them."""
    all_: list[Journey] = []
    open_: dict[tuple[str, bytes], list[Journey]] = {}
    for frame in found:
        candidates = open_.setdefault((frame.link, frame.data), [])
        candidates[:] = [
            journey
            for journey in candidates
            if frame.start_ns - journey.hops[-1].start_ns <= PATIENCE_NS
        ]
        journey = next((j for j in candidates if frame.sender in j.hops[-1].to), None)
        if journey is None:
            journey = Journey()
            all_.append(journey)
            candidates.append(journey)
        journey.hops.append(frame)
    return all_


# -- in words and pictures -----------------------------------------------------------------------


def _row(journey: Journey) -> tuple[str, ...]:
    first, heard = journey.first, journey.heard
    hearers = list(dict.fromkeys(name for hop in heard for name in hop.to))
    shown = first.data[:24].hex(" ") + (" …" if len(first.data) > 24 else "")
    return (
        f"{first.start_ns * 1e-9:.4f}",
        first.sender,
        f"{hearers[0]} … {hearers[-1]}" if len(hearers) > 2 else ", ".join(hearers) or "nobody",
        shown,
        first.words,
        str(len(heard)),
        f"{journey.delay_ns * 1e-6:.2f}",
        journey.outcome,
    )


def _summary(found: Sequence[RecordedFrame], told: Sequence[Journey]) -> str:
    total = sum(len(frame.data) for frame in found)
    text = f"{len(told)} packets, {len(found)} with their repetitions by others, {total} bytes."
    passed = [journey for journey in told if len(journey.heard) > 1]
    if passed:
        longest = max(passed, key=lambda journey: journey.delay_ns)
        hop = fmean(
            (j.heard[-1].start_ns - j.first.start_ns) / (len(j.heard) - 1) * 1e-6 for j in passed
        )
        text += (
            f" Passing a packet on costs {hop:.2f} ms from board to board; the slowest took "
            f"{longest.delay_ns * 1e-6:.1f} ms over {len(longest.heard)} hops."
        )
    bad = Counter(
        frame.outcome for frame in found if frame.outcome != DELIVERED and (frame.to or not passed)
    )
    if bad:
        text += " Not all went well: " + ", ".join(f"{n} × {what}" for what, n in bad.items()) + "."
    return text


def _timeline(found: Sequence[RecordedFrame], told: Sequence[Journey]) -> str:
    start = found[0].start_ns
    shown = [frame for frame in found if frame.start_ns - start <= WINDOW_NS]
    lanes = list(dict.fromkeys(frame.sender for frame in found))
    curves = []
    for place, lane in enumerate(lanes):
        mine = [frame for frame in shown if frame.sender == lane]
        x = [t * 1e-6 for frame in mine for t in (frame.start_ns, frame.end_ns, frame.end_ns)]
        y = [float(v) for _ in mine for v in (place, place, np.nan)]
        curves.append(Curve(x, y, colour=COLOURS[place % len(COLOURS)], width=6.0))
    ticks = [(float(place), lane) for place, lane in enumerate(lanes)]
    traffic = PlotPanel(
        "time (ms)", "sender", curves, y_ticks=ticks, y_range=(len(lanes) - 0.4, -0.6)
    )
    when = [journey.first.start_ns * 1e-9 for journey in told]
    delay = [journey.delay_ns * 1e-6 for journey in told]
    later = PlotPanel(
        "time (s)",
        "delay to the last board (ms)",
        [Curve(when, delay, "", "points")],
        y_range=(0.0, 1.1 * max(delay) + 1e-6),
    )
    return draw([traffic, later], columns=2, height=3.0)
