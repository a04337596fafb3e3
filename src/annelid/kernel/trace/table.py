"""Tables that are cheap to append to: rows are collected in memory and written in blocks.

A block leaves when it is full or when virtual time passes a mark (:class:`Trace` decides), never
because some wall time went by: the same run must give the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.kernel.trace.schema import EVENT_SCHEMA, TableSchema

Columns = Sequence[NDArray[Any] | Sequence[Any]]
Emit = Callable[[TableSchema, Columns], None]
"""Takes a block, column by column; the arrays are only lent."""

NEVER = 1 << 62


class NumericTable:
    """Fixed float channels; one row per sample.  Made by :meth:`Trace.table`."""

    def __init__(
        self, schema: TableSchema, rows: int, emit: Emit, on_mark: Callable[[int], None]
    ) -> None:
        self.schema = schema
        self.mark_ns = NEVER
        """Virtual time at which all tables are flushed; set by the trace."""
        self._emit = emit
        self._on_mark = on_mark
        self._rows = rows
        self._width = len(schema.columns) - 1
        self._times = np.empty(rows, np.int64)
        self._values = np.empty((rows, self._width), np.float64)
        self._used = 0
        self._last = -NEVER

    def append(self, t_ns: int, values: NDArray[np.float64] | Sequence[float]) -> None:
        """One row.  Times must not go back; NaN stands for "not measured"."""
        if len(values) != self._width:
            raise InputError(self._misfit("values", self._width, len(values)))
        if t_ns < self._last:
            raise InputError(self._backwards(t_ns))
        if t_ns >= self.mark_ns:
            self._on_mark(t_ns)
        used = self._used
        self._times[used] = t_ns
        self._values[used] = values
        self._last = t_ns
        self._used = used = used + 1
        if used == self._rows:
            self.flush()

    def flush(self) -> None:
        """Pass on what has gathered."""
        used, self._used = self._used, 0
        if used:
            self._emit(self.schema, [self._times[:used], *self._values[:used].T.copy()])

    def _misfit(self, what: str, expected: object, got: object) -> str:
        return f"table {self.schema.name!r}: {what}: expected {expected}, got {got}"

    def _backwards(self, t_ns: int) -> str:
        return f"table {self.schema.name!r}: time went back from {self._last} to {t_ns} ns"


class EventTable:
    """What happened: messages, faults, decisions, operator commands, crashes.

    ``detail`` is stored as JSON with sorted keys; ``sequence`` numbers the events of a run.
    """

    schema = EVENT_SCHEMA

    def __init__(self, rows: int, emit: Emit, on_mark: Callable[[int], None]) -> None:
        self.mark_ns = NEVER
        self._emit = emit
        self._on_mark = on_mark
        self._rows = rows
        self._columns: list[list[Any]] = [[] for _ in EVENT_SCHEMA.columns]
        self._sequence = 0

    def append(
        self, t_ns: int, source: str, kind: str, detail: Mapping[str, Any] | None = None
    ) -> None:
        """``source`` did or suffered ``kind``; the detail is taken as it is now."""
        text = encode_detail(detail) if detail else "{}"
        if t_ns >= self.mark_ns:
            self._on_mark(t_ns)
        times, sources, kinds, details, sequences = self._columns
        times.append(t_ns)
        sources.append(source)
        kinds.append(kind)
        details.append(text)
        sequences.append(self._sequence)
        self._sequence += 1
        if len(times) >= self._rows:
            self.flush()

    def flush(self) -> None:
        """Pass on what has gathered."""
        if self._columns[0]:
            columns, self._columns = self._columns, [[] for _ in EVENT_SCHEMA.columns]
            self._emit(self.schema, columns)


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic | np.ndarray):
        return value.tolist()
    if isinstance(value, bytes | bytearray):
        return value.hex()
    if isinstance(value, set | frozenset):
        return sorted(value)
    raise InputError(
        f"event detail: expected numbers, text, lists and tables, got {type(value).__name__}"
    )


_encode = json.JSONEncoder(
    sort_keys=True, separators=(",", ":"), allow_nan=False, default=_plain
).encode


def encode_detail(detail: Mapping[str, Any]) -> str:
    """Strict JSON: bytes as hex, arrays as lists, NaN and infinity as text."""
    try:
        return _encode(detail)
    except (ValueError, TypeError):
        return _encode(_strict(detail))


def _strict(value: Any) -> Any:
    """The slow way, for what JSON cannot say: odd floats and keys that are not text."""
    if isinstance(value, Mapping):
        return {str(key): _strict(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_strict(item) for item in value]
    if isinstance(value, np.generic | np.ndarray):
        return _strict(value.tolist())
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value
