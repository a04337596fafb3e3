"""The columns of a table of the trace, wherever it is stored."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from annelid.errors import InputError

FORMAT = "1"
"""Written into every file; a reader may refuse what it does not know."""

TIME = "time_ns"
EVENTS = "events"

_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Column:
    """One channel: its name, such as ``servo_rad[R1.pitch]``, and its unit."""

    name: str
    unit: str
    kind: str = "float64"
    """``float64``, ``int64`` or ``text``."""


@dataclass(frozen=True, slots=True)
class TableSchema:
    """A named table; its first column is the virtual time in ns."""

    name: str
    columns: tuple[Column, ...]

    @property
    def units(self) -> dict[str, str]:
        return {column.name: column.unit for column in self.columns}


EVENT_SCHEMA = TableSchema(
    EVENTS,
    (
        Column(TIME, "ns", "int64"),
        Column("source", "", "text"),
        Column("kind", "", "text"),
        Column("detail", "JSON", "text"),
        Column("sequence", "1", "int64"),
    ),
)


def numeric_schema(name: str, columns: Mapping[str, str]) -> TableSchema:
    """A table of float channels (name to unit) after the time."""
    if not _NAME.fullmatch(name) or name == EVENTS:
        raise InputError(
            f"table: expected a name of small letters, digits and _ (not {EVENTS!r}), got {name!r}"
        )
    if not columns or TIME in columns:
        raise InputError(f"table {name!r}: expected channels beside {TIME!r}, got {list(columns)}")
    channels = tuple(Column(channel, unit) for channel, unit in columns.items())
    return TableSchema(name, (Column(TIME, "ns", "int64"), *channels))
