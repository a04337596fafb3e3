"""Lists the messages of a run as lines of text, all or filtered."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annelid.errors import UnknownName
from annelid.report.wire import DELIVERED, RecordedFrame

FEW = 2
"""Hearers that are named; of more, the first, the last and the number."""
BYTES_SHOWN = 24


@dataclass(frozen=True)
class FrameFilter:
    """Which frames to show; what is None does not matter."""

    sender: str | None = None
    """A port (``R1``), or an address that the message names (``5``, ``CC``)."""
    to: str | None = None
    link: str | None = None
    word: str | None = None
    """A command or another word of the message, in upper or lower case."""
    since_s: float | None = None
    until_s: float | None = None

    def of(self, frames: Sequence[RecordedFrame]) -> list[RecordedFrame]:
        """A port or link that occurs nowhere in the run is a mistake, not an empty answer."""
        found = list(frames)
        for what, name, test in (
            ("sender", self.sender, _is_from),
            ("receiver", self.to, _is_to),
            ("link", self.link, _is_on),
        ):
            if name is not None:
                if frames and not any(test(frame, name) for frame in frames):
                    raise UnknownName(what, name, _names(frames, what))
                found = [frame for frame in found if test(frame, name)]
        if self.word is not None:
            word = re.compile(rf"(?<!\w){re.escape(self.word)}(?!\w)", re.IGNORECASE)
            found = [frame for frame in found if word.search(frame.words)]
        if self.since_s is not None:
            found = [frame for frame in found if frame.start_ns >= self.since_s * 1e9]
        if self.until_s is not None:
            found = [frame for frame in found if frame.start_ns < self.until_s * 1e9]
        return found


def lines(frames: Sequence[RecordedFrame]) -> Iterator[str]:
    """A table in plain text, one line to a frame, a heading first."""
    rows = [("time (s)", "link", "from", "heard by", "message")]
    rows += [_row(frame) for frame in frames]
    widths = [max(len(row[k]) for row in rows) for k in range(4)]
    for time, link, sender, to, message in rows:
        yield (
            f"{time:>{widths[0]}}  {link:{widths[1]}}  {sender:{widths[2]}}  {to:{widths[3]}}  "
            f"{message}"
        )


def _row(frame: RecordedFrame) -> tuple[str, str, str, str, str]:
    to = frame.to
    heard = ", ".join(to) if len(to) <= FEW else f"{to[0]} … {to[-1]} ({len(to)})"
    shown = frame.data[:BYTES_SHOWN].hex(" ") + (" …" if len(frame.data) > BYTES_SHOWN else "")
    outcome = "" if frame.outcome == DELIVERED else f"  [{frame.outcome}]"
    time = f"{frame.start_ns * 1e-9:.6f}"
    return time, frame.link, frame.sender, heard or "nobody", (frame.words or shown) + outcome


def _is_from(frame: RecordedFrame, name: str) -> bool:
    """Several masters of I2C that send the same bits are ``R1+R2``."""
    wanted = name.casefold()
    return wanted in frame.sender.casefold().split("+") or (
        frame.words.casefold().startswith(f"{wanted} →")
    )


def _is_to(frame: RecordedFrame, name: str) -> bool:
    """Those who heard it, and the one it was meant for."""
    wanted = name.casefold()
    meant = re.search(r"(?:→|\bto) ([\w ]+):", frame.words.casefold())
    return any(wanted == hearer.casefold() for hearer in frame.to) or (
        meant is not None and meant[1] == wanted
    )


def _is_on(frame: RecordedFrame, name: str) -> bool:
    return frame.link.casefold() == name.casefold()


def _names(frames: Sequence[RecordedFrame], what: str) -> set[str]:
    if what == "sender":
        return {name for frame in frames for name in frame.sender.split("+")}
    if what == "receiver":
        return {name for frame in frames for name in frame.to}
    return {frame.link for frame in frames}
