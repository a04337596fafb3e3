"""Tells how often something went well, with its 95 % interval."""

from __future__ import annotations

from collections.abc import Iterable

from annelid.papers.interval import Interval


def counted(passed: Iterable[bool]) -> str:
    """``9 of 10 (60-98 %)``."""
    found = list(passed)
    rate = Interval.rate(found)
    return f"{sum(found)} of {len(found)} ({100 * rate.low:.0f}-{100 * rate.high:.0f} %)"
