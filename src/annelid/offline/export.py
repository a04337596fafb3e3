"""Writes every evaluation of a study as a table, for other tools."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from annelid.boundary.files import writing
from annelid.errors import InputError
from annelid.offline.evaluate import measures
from annelid.offline.folder import StoredStudy

FORMATS = (".csv", ".parquet")


def table(kept: StoredStudy) -> list[dict[str, Any]]:
    """A row per genome: when it was first asked for, its fields, scores, mean metrics, times."""
    first: dict[str, int] = {}
    for number, keys in enumerate(kept.generations):
        for key in keys:
            first.setdefault(key, number)
    rows = []
    for key, one in kept.evaluations.items():
        rows.append(
            {
                "study": kept.name,
                "genome": key,
                "generation": first.get(key),
                "seed": one.seed,
                "state": one.state,
                "score": one.score,
                "mean": one.mean,
                "low": one.low,
                "spread": one.spread,
                "runs": len(one.runs),
                "why": one.why,
                "wall_s": one.wall_s,
                "cpu_s": one.cpu_s,
                **one.fields,
                **_named(measures(one), one.fields),
            }
        )
    return rows


def _named(found: Mapping[str, float], fields: Mapping[str, Any]) -> dict[str, float]:
    """Metrics under their own names, which a column above may have taken."""
    return {
        f"metric.{name}": value
        for name, value in found.items()
        if name not in fields and name != "seed"
    }


def export(kept: StoredStudy, path: Path) -> Path:
    """CSV or Parquet, by the file's ending."""
    rows = table(kept)
    if path.suffix not in FORMATS:
        raise InputError(f"{path}: expected a file that ends in {' or '.join(FORMATS)}")
    if not rows:
        raise InputError(f"study {kept.name!r} has no evaluations yet")
    with writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            from annelid.trial.summary import write_csv

            write_csv(path, rows)
        else:
            import pyarrow as pa
            import pyarrow.parquet as pq

            names = dict.fromkeys(name for row in rows for name in row)
            columns = {name: [row.get(name) for row in rows] for name in names}
            pq.write_table(pa.table(columns), path)
    return path
