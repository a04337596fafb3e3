"""Measures what a search costs besides its simulations, and how fast it evaluates."""

from __future__ import annotations

import tempfile
from pathlib import Path
from time import perf_counter

import numpy as np

from annelid.offline.executors import ByPool, Evaluate, processes
from annelid.offline.landscape import file
from annelid.offline.landscape.job import continuous
from annelid.offline.search import Result, search
from annelid.offline.store import Store
from annelid.offline.study import Study, load_study
from annelid.trial.bench_row import BenchRow

STUDY = "open-air"
CORES = 2


def search_overhead(*, quick: bool) -> BenchRow:
    """Asking, telling, looking up, binding gaits, judging, keeping: everything but stepping."""
    study = load_study(STUDY, changes={"budget.generations": 2 if quick else 5})
    here = ByPool(study)
    list(here([study.space.read("0" * len(study.space))]))  # compiles what is compiled once
    result = _searched(study, here)
    evaluations = result.evaluations.values()
    stepping = sum(one.simulating_s for one in evaluations)
    spent = sum(one.cpu_s for one in evaluations) + result.overhead_s
    return BenchRow(
        "search beside its simulations",
        100 * (1 - stepping / spent),
        "%",
        5.0,
        f"share of CPU time; study {STUDY}, {len(evaluations)} runs of 10 s at 2 ms, one process",
    )


def cores_busy(*, quick: bool) -> BenchRow:
    """Generations are complete before the next one is asked for, and the last run of each keeps one
    core waiting; so does a parent that is slow to ask."""
    study = load_study(STUDY, changes={"budget.generations": 2 if quick else 5})
    stream = np.random.default_rng(0)
    with processes(study, CORES) as evaluate:
        list(evaluate([study.space.draw(stream) for _ in range(2 * CORES)]))  # starts them
        begun = perf_counter()
        result = _searched(study, evaluate)
        wall = perf_counter() - begun
    evaluations = result.evaluations.values()
    return BenchRow(
        f"{CORES} cores kept busy by a search",
        100 * sum(one.cpu_s for one in evaluations) / (wall * CORES),
        "%",
        80.0,
        f"CPU time of the evaluations over wall time; study {STUDY}, {len(evaluations)} runs; "
        "what else runs on the machine counts",
        above=True,
    )


def landscape_on_gpu() -> BenchRow:
    """As it was when the kept landscape was computed: there may be no card here."""
    study = continuous(load_study(STUDY))
    kept, _ = file.load(file.shipped(study), study)
    return BenchRow(
        f"landscape of {len(kept.scores)} gaits on a GPU",
        kept.run_s,
        "s",
        60.0,
        f"10 s each at 2 ms, compiling not counted; kept from {kept.date}: one {kept.device}, "
        f"{kept.engine}",
    )


def _searched(study: Study, evaluate: Evaluate) -> Result:
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "studies.sqlite", make=True) as store,
    ):
        return search(study, store, evaluate)
