"""The few functions of Arrow that a trace needs, with types, imported only when used.

A stream file is a schema message, batch messages, and a mark that says "this is the end".  The
messages are made here and written by :mod:`annelid.kernel.trace.disk` itself, one ``write`` each,
so that a failed write can be undone to the byte.

pyarrow takes a quarter of a second to import and has no complete types: both stop at this file.
"""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.errors import MissingDependency, MissingFile, SpecError
from annelid.kernel.trace.schema import FORMAT, TIME, Column, TableSchema

END_OF_STREAM = b"\xff\xff\xff\xff\x00\x00\x00\x00"
"""The Arrow IPC end-of-stream marker (continuation, then a length of zero)."""


def pyarrow() -> Any:
    """The module, loaded on first use."""
    try:
        return importlib.import_module("pyarrow")
    except ImportError as error:
        raise MissingDependency("traces on disk need pyarrow: pip install pyarrow") from error


def arrow_schema(schema: TableSchema) -> Any:
    """Names, types and units; the table's name and the format's version in the metadata."""
    pa = pyarrow()
    types = {"int64": pa.int64(), "float64": pa.float64(), "text": pa.string()}
    fields = [
        pa.field(c.name, types[c.kind], nullable=False, metadata={"unit": c.unit})
        for c in schema.columns
    ]
    return pa.schema(fields, metadata={"annelid.table": schema.name, "annelid.trace": FORMAT})


def table_schema(schema: Any) -> TableSchema:
    """The inverse of :func:`arrow_schema`, from a file; a ``ValueError`` for somebody else's."""
    metadata = schema.metadata or {}
    version = metadata.get(b"annelid.trace", b"").decode(errors="replace")
    if version != FORMAT:
        raise ValueError(f"expected format {FORMAT!r} of a trace, got {version!r}")
    kinds = {"int64": "int64", "double": "float64", "string": "text"}
    if strange := [f.name for f in schema if str(f.type) not in kinds]:
        raise ValueError(f"column {strange[0]!r} is of no known kind")
    if not len(schema) or (schema[0].name, str(schema[0].type)) != (TIME, "int64"):
        raise ValueError(f"expected {TIME!r} as the first column")
    columns = tuple(
        Column(f.name, (f.metadata or {}).get(b"unit", b"").decode(), kinds[str(f.type)])
        for f in schema
    )
    return TableSchema(metadata.get(b"annelid.table", b"").decode(), columns)


def schema_message(schema: Any) -> bytes:
    """The bytes with which a stream begins."""
    return bytes(schema.serialize())


def batch_message(schema: Any, columns: Sequence[NDArray[Any] | Sequence[Any]]) -> bytes:
    """The bytes of one batch of rows, given column by column."""
    pa = pyarrow()
    arrays = [pa.array(c, type=f.type) for c, f in zip(columns, schema, strict=True)]
    return bytes(pa.RecordBatch.from_arrays(arrays, schema=schema).serialize())


def _whole(batch: Any) -> Any:
    """The same batch; what was spoilt inside of it counts as torn."""
    batch.validate(full=True)
    if any(column.null_count for column in batch.columns):
        raise pyarrow().ArrowInvalid("a cell without a value")
    return batch


class StreamFile:
    """What can be read of one stream file: all whole batches, whatever comes after them."""

    def __init__(self, path: Path) -> None:
        pa = pyarrow()
        batches = []
        end = 0
        try:
            source = pa.memory_map(str(path))
            stream = pa.ipc.open_stream(source)
        except FileNotFoundError:
            raise MissingFile(f"{path}: no such file") from None
        except (pa.ArrowException, OSError):
            raise SpecError(f"{path}: not a trace table, or cut off before its first row") from None
        try:
            self.schema = table_schema(stream.schema)
        except ValueError as error:
            raise SpecError(f"{path}: not a table of a trace: {error}") from None
        # A torn message ends the reading: an ArrowException in its head, an OSError in its body.
        try:
            while True:
                end = source.tell()
                batches.append(_whole(stream.read_next_batch()))
        except (StopIteration, pa.ArrowException, OSError):
            pass
        self.table: Any = pa.Table.from_batches(batches, schema=stream.schema)
        source.seek(end)
        self.complete: bool = source.read() == END_OF_STREAM
        """Whether the writer closed it; a run that was killed left it open."""

    def numpy(self) -> dict[str, NDArray[Any]]:
        """Column name to array, the caller's own; text becomes an array of ``str`` objects."""
        return {
            column.name: np.array(self.table.column(i).to_numpy())
            for i, column in enumerate(self.schema.columns)
        }
