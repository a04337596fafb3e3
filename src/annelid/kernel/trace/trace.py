"""The recorder of a run: named tables of numbers and one table of events."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Protocol, Self

from annelid.errors import InputError, OutputError
from annelid.kernel.time import SECOND
from annelid.kernel.trace.disk import DiskSink
from annelid.kernel.trace.memory import MemorySink
from annelid.kernel.trace.schema import EVENT_SCHEMA, TableSchema, numeric_schema
from annelid.kernel.trace.table import Columns, EventTable, NumericTable


class Sink(Protocol):
    """Where blocks of rows go."""

    def open(self, schema: TableSchema) -> None: ...

    def write(self, schema: TableSchema, columns: Columns) -> None: ...

    def close(self) -> None: ...


class Trace:
    """Collects rows and passes them in blocks to every sink.

    All tables are passed on together when virtual time crosses a multiple of ``flush_ns``, and
    one by itself when it has ``block_rows``: after a kill, at most that much is missing.  A run
    much slower than real time may want a smaller ``flush_ns``.  A context manager: leaving it,
    even by an exception, writes what is left.
    """

    def __init__(self, *sinks: Sink, block_rows: int = 1024, flush_ns: int = SECOND) -> None:
        if block_rows < 1 or flush_ns < 1:
            raise InputError(
                f"trace: expected block_rows and flush_ns of 1 or more, got {block_rows},"
                f" {flush_ns}"
            )
        self._sinks = sinks
        self._block_rows = block_rows
        self._flush_ns = flush_ns
        self._mark_ns = flush_ns
        self._tables: dict[str, NumericTable] = {}
        self._closed = False
        self._broken = False
        self.events = EventTable(block_rows, self._emit, self._pass_mark)
        self.events.mark_ns = flush_ns
        self._open(EVENT_SCHEMA)

    @classmethod
    def in_memory(cls) -> tuple[Trace, MemorySink]:
        """A trace and the place where it can be read."""
        sink = MemorySink()
        return cls(sink), sink

    @classmethod
    def to_folder(cls, folder: Path) -> Trace:
        """A trace on disk; read it with ``TraceReader(folder)``."""
        return cls(DiskSink(folder))

    def table(self, name: str, columns: Mapping[str, str]) -> NumericTable:
        """The table of float channels ``{name: unit}``, made on first asking."""
        schema = numeric_schema(name, columns)
        table = self._tables.get(name)
        if table is None:
            table = NumericTable(schema, self._block_rows, self._emit, self._pass_mark)
            table.mark_ns = self._mark_ns
            self._open(schema)
            self._tables[name] = table
        elif table.schema != schema:
            raise InputError(
                f"table {name!r}: expected the channels it was made with,"
                f" {list(table.schema.units)[1:]}, got {list(columns)}"
            )
        return table

    def flush(self) -> None:
        """Pass on all rows now; for the end of a phase, not for every step."""
        self.events.flush()
        for table in self._tables.values():
            table.flush()

    def close(self) -> None:
        """Pass on what is left and mark the trace complete; after a failed write, only close."""
        if self._closed:
            return
        self._closed = True
        try:
            if not self._broken:
                self.flush()
        finally:
            for sink in self._sinks:
                sink.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self, schema: TableSchema) -> None:
        for sink in self._sinks:
            sink.open(schema)

    def _emit(self, schema: TableSchema, columns: Columns) -> None:
        try:
            for sink in self._sinks:
                sink.write(schema, columns)
        except OutputError:
            self._broken = True
            raise

    def _pass_mark(self, t_ns: int) -> None:
        self._mark_ns = (t_ns // self._flush_ns + 1) * self._flush_ns
        self.events.mark_ns = self._mark_ns
        for table in self._tables.values():
            table.mark_ns = self._mark_ns
        self.flush()
