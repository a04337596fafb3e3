"""The tables of a run as CSV or Parquet files, one for each table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from annelid.boundary.files import writing
from annelid.trial.replay import Run


def write_csv(run: Run, out: Path) -> Path:
    """Columns are named ``progress (m)``: CSV has no other place for units."""
    from pyarrow import csv

    def write(table: Any, path: Path) -> None:
        names = [_with_unit(field) for field in table.schema]
        csv.write_csv(table.rename_columns(names), path)

    return _each(run, out, "csv", write)


def write_parquet(run: Run, out: Path) -> Path:
    """Units are in the metadata of the columns."""
    from pyarrow import parquet

    return _each(run, out, "parquet", parquet.write_table)


def _each(run: Run, out: Path, suffix: str, write: Any) -> Path:
    with writing(out):
        out.mkdir(parents=True, exist_ok=True)
        for table in run.tables:
            write(run.to_arrow(table), out / f"{table}.{suffix}")
    return out


def _with_unit(field: Any) -> str:
    unit = (field.metadata or {}).get(b"unit", b"").decode()
    return f"{field.name} ({unit})" if unit else str(field.name)
