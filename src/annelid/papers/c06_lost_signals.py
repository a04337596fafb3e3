"""C6: a lost signal costs one period, and three in four may get lost (002 §7; FACTS §2).

With perfect clocks a chain in step would need no signals at all, so the modules' oscillators are
off by up to 0.2 % here: what signals are for.  Loss begins when the chain is in step; how much
later a chain starts when its first signals get lost is the other half, measured on two modules.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.role_run import RoleRun, per_cycle

LOSSES: Final = (0.0, 0.25, 0.5, 0.75)
DRIFT_PPM: Final = 2000.0
SETTLE, CYCLES = 3, 20
KEPT: Final = 0.95
"""Of the speed without loss, at three in four lost."""


@dataclass(frozen=True)
class Run:
    loss: float
    seed: int


def crawl(given: Run) -> float:
    """cm in a cycle."""
    run = RoleRun({"role": "caterpillar", "drift_ppm": DRIFT_PPM}, seed=given.seed)
    run.run(SETTLE)
    run.network.infrared.disturb(loss=given.loss)
    return per_cycle(run.path(SETTLE, SETTLE + CYCLES)) * 100


def late(lost: int) -> float:
    """By how many periods the second module's first signal comes later when it misses so many."""
    firsts = []
    for missed in (0, lost):
        run = RoleRun({"role": "caterpillar"}, modules=2)
        if missed:
            run.network.infrared.disturb(loss=1.0)
            run.run(missed - 0.5)
            run.network.infrared.mend()
        run.run(missed + 1)
        firsts.append(run.sent("C2.back")[0])
    return firsts[1] - firsts[0]


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    todo = [Run(loss, seed) for loss in LOSSES for seed in seeds]
    ways = dict(zip(todo, bench.map(crawl, todo, what="C6"), strict=True))
    mean = {loss: float(np.mean([ways[Run(loss, seed)] for seed in seeds])) for loss in LOSSES}
    kept = [ways[Run(LOSSES[-1], seed)] / ways[Run(0.0, seed)] for seed in seeds]
    cost = {lost: late(lost) for lost in (1, 2)}
    periodic = all(abs(cost[lost] - lost) < 0.02 for lost in cost)
    return Outcome(
        ours=(
            f"{min(kept):.1%} of the speed at 75 % loss; "
            f"a lost signal costs {cost[1]:.2f} periods, two {cost[2]:.2f}"
        ),
        passed=min(kept) >= KEPT and periodic,
        note=(
            f"Caterpillar of eight, {len(seeds)} runs of {CYCLES} cycles, the least; clocks off by "
            f"up to {DRIFT_PPM / 1e4:g} %; loss begins when all are in step"
        ),
        values={
            **{f"cm_per_cycle_at_{loss:.0%}_loss": way for loss, way in mean.items()},
            "kept_least": min(kept),
            "periods_for_one_lost": cost[1],
            "periods_for_two_lost": cost[2],
        },
        plots=(
            Figure(
                "Caterpillar of eight",
                "signals lost",
                "cm a cycle",
                (Series("ours", tuple(mean), tuple(mean.values()), "points"),),
            ),
        ),
    )
