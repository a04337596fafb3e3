"""Shows which behaviour is in control: strips over time, and a list with reasons."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from annelid.behaviour.chronicle import DECISION
from annelid.console import look
from annelid.console.messages import Happened
from annelid.report.plots import COLOURS

WINDOW_S = 30.0
STRIPS = 8
LISTED = 14
NOBODY = "nobody"


def winner(event: Happened) -> str:
    return ", ".join(event.detail.get("winners") or ()) or NOBODY


def timeline(events: Sequence[Happened], now_s: float) -> str:
    """The last half minute: a strip for each channel on which winners have changed most lately."""
    begin = max(0.0, now_s - WINDOW_S)
    span = max(now_s - begin, 1e-3)
    strips: dict[str, list[tuple[float, str]]] = {}
    for event in events:
        if event.kind == DECISION:
            channel = f"{event.source} {event.detail.get('channel', '')}"
            strips.setdefault(channel, []).append((event.t_ns / 1e9, winner(event)))
    if not strips:
        return look.dim("No behaviour has decided anything yet.")
    names = sorted({name for strip in strips.values() for _, name in strip} - {NOBODY})
    latest = sorted(strips, key=lambda channel: (not _central(channel), -strips[channel][-1][0]))
    rows = []
    for channel in latest[:STRIPS]:
        strip = strips[channel]
        bars = []
        for place, (start, name) in enumerate(strip):
            end = strip[place + 1][0] if place + 1 < len(strip) else now_s
            if end < begin or name == NOBODY:
                continue
            left = 100 * max(start - begin, 0) / span
            width = max(100 * (end - max(start, begin)) / span, 0.4)
            colour = COLOURS[names.index(name) % len(COLOURS)]
            bars.append(
                f'<div title="{escape(name)} from {start:.2f} s" style="position:absolute;'
                f"left:{left:.2f}%;width:{width:.2f}%;height:100%;background:{colour};"
                'color:#fff;font-size:0.7rem;overflow:hidden;padding-left:2px;line-height:1.2em">'
                f"{escape(name)}</div>"
            )
        rows.append(
            f'<div class="dim" style="font-size:{look.SMALL}">{escape(channel)}</div>'
            '<div style="position:relative;height:1.2em;background:rgba(128,128,128,0.2);'
            f'margin-bottom:0.2em">{"".join(bars)}</div>'
        )
    foot = f'<div class="dim" style="font-size:{look.SMALL}">{begin:.0f} s … {now_s:.0f} s</div>'
    return "".join(rows) + foot


def winners(events: Sequence[Happened]) -> str:
    """The last decisions, in words."""
    told = [event for event in events if event.kind == DECISION][-LISTED:]
    rows = [
        [
            f"{event.t_ns / 1e9:.2f} s",
            escape(f"{event.source} {event.detail.get('channel', '')}"),
            f"<b>{escape(winner(event))}</b> " + escape("; ".join(_reasons(event))),
        ]
        for event in reversed(told)
    ]
    return look.table(("time", "channel", "in control, and why"), rows) if rows else ""


def _reasons(event: Happened) -> list[str]:
    """The winner's own, and what became of the others."""
    own = event.detail.get("reason")
    return [str(each) for each in (own, *(event.detail.get("losers") or ())) if each]


def _central(channel: str) -> bool:
    """What decides on the whole robot stands first."""
    return channel.rsplit(" ", maxsplit=1)[-1] in ("action", "destination")
