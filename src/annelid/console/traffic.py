"""Lists the messages on the wires in words, the newest first."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from annelid.console import look
from annelid.console.messages import Happened
from annelid.systems import DescribeFrames

LISTED = 40


def traffic(events: Sequence[Happened], describe: DescribeFrames | None, wanted: str) -> str:
    """Those rows that have ``wanted`` in them, whatever the case."""
    rows = []
    for event in reversed(events):
        row = _row(event, describe)
        if wanted.casefold() in " ".join(row).casefold():
            rows.append([escape(cell) for cell in row])
        if len(rows) == LISTED:
            break
    if not rows:
        return look.dim("Nothing heard yet." if not events else "Nothing like that.")
    return look.table(("time", "from", "to", "outcome", "what"), rows)


def _row(event: Happened, describe: DescribeFrames | None) -> list[str]:
    detail = event.detail
    data = bytes.fromhex(str(detail.get("bytes", "")))
    words = data.hex(" ")
    if describe is not None and data:
        words = "; ".join(said for _, said in describe(data)) or words
    to = detail.get("to") or []
    heard = ", ".join(map(str, to)) if len(to) <= 2 else f"{len(to)} boards"
    outcome = str(detail.get("outcome", ""))
    when = f"{event.t_ns / 1e9:.3f} s"
    return [when, str(detail.get("from", "")), heard, outcome, words]
