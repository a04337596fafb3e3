"""Reads a trace back, even an incomplete one, and compares two of them."""

from __future__ import annotations

import json
import struct
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.plain import shortened
from annelid.errors import MissingFile, SpecError, UnknownName
from annelid.kernel.trace.arrow import StreamFile
from annelid.kernel.trace.disk import SUFFIX
from annelid.kernel.trace.schema import EVENT_SCHEMA, EVENTS, TableSchema


class TraceSource(Protocol):
    """Where rows can be had: a :class:`TraceReader` or a :class:`MemorySink`."""

    @property
    def tables(self) -> list[str]: ...

    def schema(self, table: str) -> TableSchema: ...

    def read(self, table: str) -> dict[str, NDArray[Any]]: ...


class TraceReader:
    """The trace in ``folder``; each table is read when it is first asked for.

    A table whose last batch was torn by a kill or a full disk is read up to it;
    :meth:`complete` tells the difference.
    """

    def __init__(self, folder: Path | str) -> None:
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise MissingFile(f"{self.folder}: expected the folder of a trace, found none")
        self._files: dict[str, StreamFile] = {}

    @property
    def tables(self) -> list[str]:
        """Names, sorted.  A table killed before its schema was written is not one."""
        return sorted(
            p.name.removesuffix(SUFFIX)
            for p in self.folder.glob(f"*{SUFFIX}")
            if p.is_file() and p.stat().st_size > 0
        )

    def schema(self, table: str) -> TableSchema:
        return self._file(table).schema

    def read(self, table: str) -> dict[str, NDArray[Any]]:
        """Column name to array."""
        return self._file(table).numpy()

    def arrow(self, table: str) -> Any:
        """The ``pyarrow.Table``, for pandas, polars and DuckDB."""
        return self._file(table).table

    def complete(self, table: str) -> bool:
        """Whether the run closed this table, rather than being cut short."""
        return self._file(table).complete

    def _file(self, table: str) -> StreamFile:
        if table not in self._files:
            if table not in self.tables:
                raise UnknownName("table", table, self.tables, where=str(self.folder))
            path = self.folder / f"{table}{SUFFIX}"
            found = StreamFile(path)
            if found.schema.name != table:
                raise SpecError(
                    f"{path}: expected the table {table!r} of a trace, got the table "
                    f"{shortened(found.schema.name)!r}"
                )
            self._files[table] = found
        return self._files[table]


@dataclass(frozen=True, slots=True)
class Event:
    """One row of the event table, its detail decoded."""

    time_ns: int
    source: str
    kind: str
    detail: dict[str, Any]
    sequence: int


def events(source: TraceSource, *, kind: str | None = None, by: str | None = None) -> list[Event]:
    """What happened, in order; only that ``kind`` or ``by`` that source, if given."""
    rows = source.read(EVENTS)
    if missing := [c.name for c in EVENT_SCHEMA.columns if c.name not in rows]:
        raise SpecError(f"the table of events has no column {missing[0]!r}")
    keep = np.ones(len(rows["kind"]), bool)
    if kind is not None:
        keep &= rows["kind"] == kind
    if by is not None:
        keep &= rows["source"] == by
    columns = [rows[name][keep].tolist() for name in ("time_ns", "source", "kind", "detail")]
    sequences = rows["sequence"][keep].tolist()
    return [
        Event(t, who, what, _detail(detail, t), sequence)
        for t, who, what, detail, sequence in zip(*columns, sequences, strict=True)
    ]


def _detail(text: str, t_ns: int) -> dict[str, Any]:
    try:
        detail = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise SpecError(f"event at {t_ns} ns: its detail is not JSON: {error}") from None
    if not isinstance(detail, dict):
        raise SpecError(f"event at {t_ns} ns: expected a table as its detail")
    return detail


def digest(trace: TraceSource | Path | str) -> str:
    """A hash of all tables, names, units and values: equal digests mean equal runs, bit for bit.

    It does not depend on how rows were cut into batches, nor on where the trace is kept.
    """
    source = TraceReader(trace) if isinstance(trace, Path | str) else trace
    state = blake2b(digest_size=16)

    def feed(data: bytes) -> None:
        state.update(struct.pack("<Q", len(data)))
        state.update(data)

    for table in source.tables:
        feed(table.encode())
        rows = source.read(table)
        for column in source.schema(table).columns:
            feed(f"{column.name}\n{column.unit}\n{column.kind}".encode())
            values = rows[column.name]
            if column.kind == "text":
                feed(struct.pack("<Q", len(values)))
                for value in values:
                    feed(str(value).encode())
            else:
                feed(np.ascontiguousarray(values, dtype=column.kind).tobytes())
    return state.hexdigest()
