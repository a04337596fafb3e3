"""What a search costs beside the simulations it asks for."""

from __future__ import annotations

import tempfile
from pathlib import Path

from annelid.offline.executors import Here
from annelid.offline.search import search
from annelid.offline.store import Store
from annelid.offline.study import load_study
from annelid.trial.bench_row import Row

STUDY = "open-air"


def search_overhead(*, quick: bool) -> Row:
    """Asking, telling, looking up, binding gaits, judging, keeping: everything but stepping."""
    study = load_study(STUDY, changes={"budget.generations": 2 if quick else 5})
    here = Here(study)
    list(here([study.space.read("0" * len(study.space))]))  # compiles what is compiled once
    with (
        tempfile.TemporaryDirectory() as folder,
        Store.open(Path(folder) / "studies.sqlite", make=True) as store,
    ):
        result = search(study, store, here)
    evaluations = result.evaluations.values()
    stepping = sum(one.simulating_s for one in evaluations)
    spent = sum(one.cpu_s for one in evaluations) + result.overhead_s
    return Row(
        "search beside its simulations",
        100 * (1 - stepping / spent),
        "%",
        5.0,
        f"share of CPU time; study {STUDY}, {len(evaluations)} runs of 10 s at 2 ms, one process",
    )
