"""Shipped studies as experiments: searched within a claim's time, and their finds run again.

The best of a search is partly lucky (LAB: 4-6 % for single runs), so what is compared is run anew
with seeds that the search has not seen.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from annelid.offline.evaluate import Evaluator
from annelid.offline.executors import processes
from annelid.offline.search import Result, Standing, search
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study, load_study
from annelid.papers import Bench, Figure
from annelid.papers.curves import curves

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
    todo = [(genome, run) for genome in genomes for run in range(first, first + runs)]
    values = iter(bench.map(partial(_again, name, text), todo, what=what))
    return {genome: list(islice(values, runs)) for genome in genomes}


def _again(name: str, changes: str, task: tuple[str, int]) -> float:
    """One run of a genome, with the study changed in some fields."""
    evaluator = _evaluator(name, changes)
    study, (genome, run) = evaluator.study, task
    ran = evaluator.run(study.space.read(genome), run)
    return study.judge(ran.metrics) if ran.lost is None else study.spec.fitness.lost or 0.0


@lru_cache(maxsize=4)
def _evaluator(name: str, changes: str) -> Evaluator:
    return Evaluator(load_study(name, changes=json.loads(changes)))


def search_figure(title: str, found: Mapping[str, Searched], y_label: str) -> Figure:
    """The best of every generation of some searches."""
    best = {
        label: [(g.number + 1, np.nan if g.best is None else g.best) for g in run.result.curve]
        for label, run in found.items()
    }
    return curves(title, "generation", y_label, best)
