"""Computes points of a landscape on the CPU, to check a GPU's results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from importlib.metadata import version
from time import perf_counter

import numpy as np

from annelid.offline.executors import Evaluate
from annelid.offline.landscape.job import grid
from annelid.offline.landscape.result import Agreement, Landscape, today
from annelid.offline.study import Study

OTHER_SEED = 1_000_003
"""Added to the study's seed for the second start."""


def compute(
    study: Study,
    points: int,
    evaluate: Evaluate,
    *,
    rows: Sequence[int] | None = None,
    tell: Callable[[int, int], None] | None = None,
) -> Landscape:
    """The whole grid, or some rows of it; all others are NaN."""
    found = grid(study, points)
    chosen = range(len(found.genomes)) if rows is None else rows
    genomes = {study.space.key(found.genomes[row]): (row, found.genomes[row]) for row in chosen}
    scores = np.full(len(found.genomes), np.nan)
    begun = perf_counter()
    for done, one in enumerate(evaluate([genome for _, genome in genomes.values()]), 1):
        scores[genomes[one.genome][0]] = 0.0 if one.score is None else one.score
        if tell is not None:
            tell(done, len(genomes))
    spent = perf_counter() - begun
    return Landscape(
        found.fields,
        points,
        found.table,
        scores,
        run_s=spent,
        compile_s=0.0,
        device="this machine's cores",
        engine=f"mujoco {version('mujoco')}",
        date=today(),
    )


def fallen(landscape: Landscape) -> list[int]:
    """Rows that count as failures: robots that fell over, or whose numbers ran away."""
    return np.flatnonzero(landscape.scores == 0.0).tolist()


def checked(
    landscape: Landscape,
    study: Study,
    evaluate: Evaluate,
    *,
    tell: Callable[[int, int], None] | None = None,
) -> Landscape:
    """The landscape with every failure of a GPU computed again here.

    In single precision and with few iterations of the solver six robots of a hundred fall over that
    stay upright on the cores.  They are few enough to be asked twice.
    """
    rows = fallen(landscape)
    again = compute(study, landscape.points, evaluate, rows=rows, tell=tell)
    scores = landscape.scores.copy()
    scores[rows] = again.scores[rows]
    engine = f"{landscape.engine}; {len(rows)} falls again in {again.run_s:.0f} s, {again.engine}"
    return replace(landscape, scores=scores, engine=engine)


def sample(landscape: Landscape, size: int, seed: int = 0) -> tuple[int, ...]:
    """Some rows that were computed."""
    computed = np.flatnonzero(np.isfinite(landscape.scores))
    stream = np.random.default_rng(seed)
    chosen = stream.choice(computed, min(size, len(computed)), replace=False)
    return tuple(sorted(int(row) for row in chosen))


def compare(
    landscape: Landscape,
    study: Study,
    another: Study,
    evaluators: tuple[Evaluate, Evaluate],
    rows: Sequence[int],
) -> Agreement:
    """The same gaits here, from the same start and, as ``another`` study has it, from a second."""
    found = [
        compute(one, landscape.points, evaluate, rows=rows).scores[list(rows)]
        for one, evaluate in zip((study, another), evaluators, strict=True)
    ]
    return Agreement(tuple(rows), landscape.scores[list(rows)], *found)
