"""Traces on disk: one Arrow IPC stream file per table, in a folder.

Why Arrow streams: a run may be killed at any moment, and what it recorded must be readable.
Parquet keeps its index at the end and is lost without it; ``.npz`` is rewritten as a whole to
grow; MCAP is made for logs of messages, not for columns of numbers.  A stream grows batch by
batch, and everything up to the last whole batch is readable: by :class:`TraceReader`, by polars
and R (``read_ipc_stream`` in both), by pandas and DuckDB through pyarrow.

Every batch is one ``write`` to an unbuffered file, so from then on it belongs to the operating
system and survives the death of the process (not a power cut: there is no ``fsync``).
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Any

from annelid.errors import OutputError
from annelid.kernel.trace import arrow
from annelid.kernel.trace.schema import TableSchema
from annelid.kernel.trace.table import Columns

SUFFIX = ".arrow"


class DiskSink:
    """Writes the tables of one run into ``folder``, which it makes; never over an old trace."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, _GrowingFile] = {}
        self._schemas: dict[str, Any] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise _sentence(folder, error) from error

    def open(self, schema: TableSchema) -> None:
        """Begin a table: its file and schema exist before its first row does."""
        described = arrow.arrow_schema(schema)
        file = _GrowingFile(self.folder / f"{schema.name}{SUFFIX}")
        self._files[schema.name] = file
        self._schemas[schema.name] = described
        file.append(arrow.schema_message(described))

    def write(self, schema: TableSchema, columns: Columns) -> None:
        message = arrow.batch_message(self._schemas[schema.name], columns)
        self._files[schema.name].append(message)

    def close(self) -> None:
        """Mark every table as complete, unless one of them could not be written."""
        try:
            if not any(file.failed for file in self._files.values()):
                for file in self._files.values():
                    file.append(arrow.END_OF_STREAM)
        finally:
            for file in self._files.values():
                file.close()
            self._files.clear()


class _GrowingFile:
    """A file to which whole messages are appended or nothing is."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.failed = False
        self._length = 0
        try:
            self._file = path.open("xb", buffering=0)
        except FileExistsError:
            raise OutputError(
                f"{path}: a trace is here already; choose another folder or remove it"
            ) from None
        except OSError as error:
            raise _sentence(path, error) from error

    def append(self, message: bytes) -> None:
        if self.failed:
            raise OutputError(f"{self.path}: not written, because an earlier write failed")
        try:
            rest = memoryview(message)
            while rest:
                rest = rest[os.write(self._file.fileno(), rest) :]
        except OSError as error:
            self.failed = True
            with suppress(OSError):  # the reader copes with a torn batch, too
                self._file.truncate(self._length)
            raise _sentence(self.path, error) from error
        self._length += len(message)

    def close(self) -> None:
        self._file.close()


def _sentence(path: Path, error: OSError) -> OutputError:
    reason = os.strerror(error.errno) if error.errno else str(error)
    return OutputError(f"{path}: could not write the trace: {reason}; what was written is readable")
