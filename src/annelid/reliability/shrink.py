"""Makes a failing scenario smaller while it fails in the same way."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any, Final

TRIES: Final = 16
"""Runs that are spent on one failure."""

Table = dict[str, Any]


def shrunk(
    table: Table, outcome: str, again: Callable[[Table], str], *, tries: int = TRIES
) -> Table:
    """The smallest table found for which ``again`` still gives ``outcome``."""
    best = deepcopy(table)
    left = tries
    smaller = True
    while smaller and left > 0:
        smaller = False
        for candidate in _smaller(best):
            left -= 1
            if again(candidate) == outcome:
                best, smaller = candidate, True
                break
            if left <= 0:
                break
    return best


def _smaller(table: Table) -> Iterator[Table]:
    """One change at a time, the one that helps most first."""
    faults = table.get("faults", [])
    for place in range(len(faults)):
        yield {**table, "faults": faults[:place] + faults[place + 1 :]}
    if table.get("tolerances", {}).get("draw"):
        yield {**table, "tolerances": {**table["tolerances"], "draw": False}}
    duration = table.get("duration_s", 0.0)
    last = max((fault.get("at_s") or 0.0 for fault in faults), default=0.0)
    for shorter in (round(last + 0.5, 3), round(duration / 2, 3)):
        if 0.1 < shorter < 0.8 * duration and shorter > last:
            yield {**table, "duration_s": shorter}
    for place, fault in enumerate(faults):
        if fault.get("until_s") is not None:
            kept = {name: value for name, value in fault.items() if name != "until_s"}
            yield {**table, "faults": [*faults[:place], kept, *faults[place + 1 :]]}
