"""Compares studies: different settings, different results."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from annelid.errors import InputError
from annelid.offline.folder import StoredStudy, stores_in
from annelid.offline.page import curve, found_at
from annelid.offline.store import Store
from annelid.report import page
from annelid.report.plots import Curve, PlotPanel, draw
from annelid.trial.compare import Comparison, ComparisonRow
from annelid.trial.fields import flatten


def studies_of(folders: Sequence[Path]) -> list[StoredStudy]:
    """All studies of these folders or stores; two or more."""
    found: list[StoredStudy] = []
    for folder in folders:
        for path in stores_in(folder):
            with Store.open(path) as store:
                found += [StoredStudy(store, name) for name in store.names]
    if len(found) < 2:
        raise InputError(f"compare: expected two studies or more, found {len(found)}")
    return found


def compare_studies(kept: Sequence[StoredStudy]) -> Comparison:
    return Comparison(tuple(labels(kept)), tuple(settings(kept)), tuple(outcomes(kept)))


def settings(kept: Sequence[StoredStudy]) -> list[ComparisonRow]:
    """Fields in which the studies differ."""
    flat = [flatten(one.spec.model_dump(mode="json", exclude={"about", "marks"})) for one in kept]
    names = dict.fromkeys(name for table in flat for name in table if name != "name")
    rows = [ComparisonRow(name, tuple(table.get(name) for table in flat)) for name in names]
    return [row for row in rows if len({str(value) for value in row.values}) > 1]


def outcomes(kept: Sequence[StoredStudy]) -> list[ComparisonRow]:
    """How the searches went, and the best of each."""
    table: list[dict[str, Any]] = []
    for one in kept:
        best = one.best
        cpu = sum(evaluation.cpu_s for evaluation in one.evaluations.values())
        table.append(
            {
                "finished": one.finished,
                "generations": len(one.generations),
                "evaluations": len(one.evaluations),
                "CPU time, s": cpu,
                "best score": None if best is None else best.score,
                "best, mean of its runs": None if best is None else best.mean,
                "best, low of its runs": None if best is None else best.low,
                "found in generation": found_at(one),
                **({} if best is None else {f"best {k}": v for k, v in best.fields.items()}),
            }
        )
    names = dict.fromkeys(name for row in table for name in row)
    return [ComparisonRow(name, tuple(row.get(name) for row in table)) for name in names]


def comparison_page(kept: Sequence[StoredStudy], path: Path) -> Path:
    names = labels(kept)
    curves = []
    for one, name in zip(kept, names, strict=True):
        best, _ = curve(one)
        curves.append(Curve(np.arange(1, len(best) + 1), best, name))
    panel = PlotPanel("generation", "best score so far", curves)
    title = "Compared: " + ", ".join(names)
    head = ("", *names)
    body = [
        page.heading("Annelid · comparison of studies", title),
        page.section("How the searches went", page.figure(draw([panel], height=3.4))),
        page.section("What came of it", page.table(head, _cells(outcomes(kept)))),
        page.section("What was set differently", page.table(head, _cells(settings(kept)))),
    ]
    return page.write(path, title, body)


def labels(kept: Sequence[StoredStudy]) -> list[str]:
    """Names, told apart by their place where two are the same."""
    names = [one.name for one in kept]
    return [
        f"{name} ({place})" if names.count(name) > 1 else name
        for place, name in enumerate(names, 1)
    ]


def _cells(rows: Sequence[ComparisonRow]) -> list[tuple[str, ...]]:
    return [(row.name, *row.shown) for row in rows]
