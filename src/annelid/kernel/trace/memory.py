"""Traces in memory, for tests, searches and the console; no Arrow involved."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.kernel.trace.schema import TableSchema
from annelid.kernel.trace.table import Columns


class MemorySink:
    """Keeps all blocks and reads like a :class:`TraceReader`."""

    def __init__(self) -> None:
        self._schemas: dict[str, TableSchema] = {}
        self._blocks: dict[str, list[list[NDArray[Any]]]] = {}

    def open(self, schema: TableSchema) -> None:
        self._schemas[schema.name] = schema
        self._blocks[schema.name] = []

    def write(self, schema: TableSchema, columns: Columns) -> None:
        self._blocks[schema.name].append(
            [
                np.array(column, dtype=object if described.kind == "text" else described.kind)
                for column, described in zip(columns, schema.columns, strict=True)
            ]
        )

    def close(self) -> None:
        """Nothing to finish."""

    @property
    def tables(self) -> list[str]:
        """Names, sorted."""
        return sorted(self._schemas)

    def schema(self, table: str) -> TableSchema:
        if table not in self._schemas:
            raise UnknownName("table", table, self._schemas, where="trace")
        return self._schemas[table]

    def read(self, table: str) -> dict[str, NDArray[Any]]:
        """Column name to array, in the order of appending."""
        columns = self.schema(table).columns
        blocks = self._blocks[table]
        joined: dict[str, NDArray[Any]] = {}
        for i, column in enumerate(columns):
            dtype = object if column.kind == "text" else column.kind
            parts = [block[i] for block in blocks]
            joined[column.name] = np.concatenate([np.empty(0, dtype), *parts])
        return joined
