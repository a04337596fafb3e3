"""Where two traces, or two tables of values, first part."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import to_seconds
from annelid.kernel.trace import TraceSource
from annelid.kernel.trace.schema import EVENTS


@dataclass(frozen=True)
class Difference:
    """Where two traces, or two tables of metrics, first part."""

    table: str
    column: str
    time_s: float | None
    recorded: str
    replayed: str

    def __str__(self) -> str:
        at = "" if self.time_s is None else f" at {self.time_s:.4f} s"
        return f"{self.table}.{self.column}{at}: recorded {self.recorded}, replayed {self.replayed}"


def other_value(table: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Difference | None:
    """The first value that does not follow from the scenario."""
    for name in (*old, *new):
        if old.get(name) != new.get(name):
            return Difference(table, name, None, repr(old.get(name)), repr(new.get(name)))
    return None


def first_difference(
    recorded: TraceSource, replayed: TraceSource, *, whole: bool = True, ends: bool = True
) -> Difference | None:
    """The earliest cell in which two traces differ.  ``whole``: rows that the recorded one lacks
    count, too; ``ends``: so does the reason of the stop."""
    found: list[tuple[float, Difference]] = []
    for table in sorted(set(recorded.tables) | set(replayed.tables)):
        if table not in recorded.tables or table not in replayed.tables:
            if whole or table in recorded.tables:
                sides = (
                    "present" if table in t.tables else "missing" for t in (recorded, replayed)
                )
                found.append((np.inf, Difference(table, "(table)", None, *sides)))
            continue
        old, new = _rows(recorded, table, ends), _rows(replayed, table, ends)
        for column in dict.fromkeys((*old, *new)):
            if column not in new or column not in old:
                sides = ("present" if column in side else "missing" for side in (old, new))
                found.append((np.inf, Difference(table, column, None, *sides)))
                continue
            at = _first(old[column], new[column], whole=whole)
            if at is not None:
                times = old["time_ns"] if at < len(old["time_ns"]) else new["time_ns"]
                time_s = to_seconds(int(times[at]))
                cells = (_cell(side[column], at) for side in (old, new))
                found.append((time_s, Difference(table, column, time_s, *cells)))
    return min(found, key=lambda pair: pair[0])[1] if found else None


def not_recorded(recorded: TraceSource, replayed: TraceSource) -> Iterator[str]:
    """What a replay has and the recording has not, table by table, in words."""
    for table in replayed.tables:
        if table not in recorded.tables:
            yield f"trace: the table {table} is not there"
            continue
        old, new = (_rows(side, table, ends=False)["time_ns"] for side in (recorded, replayed))
        if len(old) < len(new):
            until = f"after {to_seconds(int(old[-1])):.3f} s" if len(old) else "at all"
            yield f"trace: {table} has no rows {until}"


def _rows(source: TraceSource, table: str, ends: bool) -> dict[str, NDArray[Any]]:
    rows = source.read(table)
    return rows if ends or table != EVENTS else _without_end(rows)


def _without_end(rows: dict[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    ended = len(rows["kind"]) and rows["kind"][-1] == "stop"
    return {name: column[:-1] for name, column in rows.items()} if ended else rows


def _first(a: NDArray[Any], b: NDArray[Any], *, whole: bool) -> int | None:
    """Index of the first row that differs; NaN equals NaN."""
    common = min(len(a), len(b))
    left, right = a[:common], b[:common]
    differs = left != right
    if left.dtype.kind == "f":
        differs &= ~(np.isnan(left) & np.isnan(right))
    if differs.any():
        return int(np.argmax(differs))
    return common if len(a) > len(b) or (whole and len(a) != len(b)) else None


def _cell(column: NDArray[Any], at: int) -> str:
    return (
        repr(column[at].item() if hasattr(column[at], "item") else column[at])
        if at < len(column)
        else "no row"
    )
