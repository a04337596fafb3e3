"""Shipped studies as experiments: searched within a claim's time, and their finds run again.

The best of a search is partly lucky (LAB: 4-6 % for single runs), so what is compared is run anew
with seeds that the search has not seen.
"""

from __future__ import annotations

import functools
import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from annelid.offline.evaluate import Evaluator
from annelid.offline.executors import processes
from annelid.offline.search import Result, Standing, search
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study, load_study
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Series

FRESH = 900_000
"""Added to the study's seed: chances that the search did not have."""


@dataclass(frozen=True)
class Searched:
    study: Study
    result: Result

    @property
    def best(self) -> Evaluation:
        if self.result.best is None:
            raise RuntimeError(f"{self.study.spec.name}: no genome could be judged")
        return self.result.best

    @property
    def found_at(self) -> int:
        """The generation, from 1, in which the best was asked for first: when best reached it."""
        top = self.best.score
        return next(g.number + 1 for g in self.result.curve if g.best == top)

    @property
    def cpu_s(self) -> float:
        """Of the search and all its evaluations."""
        each = (one.cpu_s for one in self.result.evaluations.values())
        return sum(each) + self.result.overhead_s

    @property
    def overhead(self) -> float:
        """Share of the CPU time that was not spent on simulating."""
        each = (one.simulating_s for one in self.result.evaluations.values())
        return 1 - sum(each) / self.cpu_s

    def curve(self, label: str) -> tuple[Series, Series]:
        curve = self.result.curve
        x = [generation.number + 1 for generation in curve]
        best = [np.nan if g.best is None else g.best for g in curve]
        mean = [np.nan if g.mean is None else g.mean for g in curve]
        return (
            Series.of(f"{label}, best", x, best),
            Series.of(f"{label}, mean", x, mean, style="dashed"),
        )


def searched(bench: Bench, name: str, changes: Mapping[str, Any], *, what: str) -> Searched:
    """Search a shipped study to its end, in a store that is thrown away."""
    study = load_study(name, changes={"seed": bench.seed, **changes})

    def tell(now: Standing) -> None:
        within = now.done / now.todo if now.todo else 1.0
        bench.progress(what, min((now.generation + within) / now.generations, 1.0))

    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "studies.sqlite", make=True) as store,
        processes(study, bench.workers) as evaluate,
    ):
        result = search(study, store, evaluate, listen=tell)
    return Searched(study, result)


@dataclass(frozen=True)
class Again:
    """One run of a genome, with the study changed in some fields."""

    study: str
    changes: str
    genome: str
    run: int


def _again(given: Again) -> float:
    evaluator = _evaluator(given.study, given.changes)
    study = evaluator.study
    ran = evaluator.run(study.space.read(given.genome), given.run)
    return study.judge(ran.metrics) if ran.lost is None else study.spec.fitness.lost or 0.0


@functools.lru_cache(maxsize=4)
def _evaluator(name: str, changes: str) -> Evaluator:
    return Evaluator(load_study(name, changes=json.loads(changes)))


def again(
    bench: Bench,
    name: str,
    genomes: Sequence[str],
    *,
    runs: int,
    first: int = 0,
    changes: Mapping[str, Any] | None = None,
    what: str = "",
) -> dict[str, list[float]]:
    """Values of ``runs`` fresh runs of each genome; ``first``: the number of the first of them,
    for those that were chosen by some and are to be judged by others."""
    text = json.dumps({**(changes or {}), "seed": bench.seed + FRESH})
    numbers = range(first, first + runs)
    todo = [Again(name, text, genome, run) for genome in genomes for run in numbers]
    values = bench.map(_again, todo, what=what)
    found: dict[str, list[float]] = {genome: [] for genome in genomes}
    for task, value in zip(todo, values, strict=True):
        found[task.genome].append(value)
    return found


def search_figure(title: str, found: Mapping[str, Searched], y_label: str) -> Figure:
    """The curves of some searches."""
    series = [one for label, run in found.items() for one in run.curve(label)]
    return Figure(title, "generation", y_label, tuple(series))
