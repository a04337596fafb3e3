"""B17: the parameter GA in open air, six rotation modules (000 §8.3, Table 11).

The same GA: 21 bits, 40 × 175, 0.7, 0.005; selection and elitism are ours.  Then gaits of a grid of
32 × 32 × 32 are drawn at random, which says where the GA's find and the paper's gait stand among
all gaits; with a GPU ``annelid landscape open-air --gpu`` computes every one of them.

The paper's optimum has the speed of ours, the ceiling of its range, and nearly the amplitude, at
twice the phase.  000 prints neither a module's mass nor its friction; whether the mass explains the
phase is tried by a second search with heavier modules (LAB saw it move with them).
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from annelid.offline.executors import processes
from annelid.offline.landscape.cores import compute
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.study_run import again, search_figure, searched

STUDY: Final = "open-air"
PAPER: Final = "111100111111111010000"
"""As printed."""
POINTS: Final = 32
SAMPLE: Final = 1500
RUNS: Final = 16
HEAVY_G: Final = 120.0
FINE: Final[dict[str, Any]] = {
    "scenario.physics.timestep_ms": 0.5,
    "scenario.physics.servo": "dcmotor",
}
WALL_S: Final = 600.0
"""The search must be done in ten minutes on two cores."""
NEAR: Final = 0.95
"""Of the best of the landscape's sample, which the GA's find must reach."""
GAIT: Final = "control.gaits.0."
PAPER_PHASE: Final = 1.97
PHASE_NEAR: Final = 0.3
"""How near the heavy robot's phase must come for mass to explain the paper's, rad."""


def experiment(bench: Bench) -> Outcome:
    few: dict[str, Any] = {"optimiser.population": 6, "budget.generations": 3}
    found = searched(bench, STUDY, few if bench.quick else {}, what="B17 GA")
    heavy_changes: dict[str, Any] = {
        "scenario.robot.each": {"R": {"mass_g": HEAVY_G}},
        "budget.generations": 60,
    }
    heavy = searched(
        bench, STUDY, heavy_changes | (few if bench.quick else {}), what="B17 GA, heavy"
    )
    best = found.best
    rows = _sample(bench, len(found.study.spec.space.genes))
    with processes(found.study, bench.workers) as evaluate:
        landscape = compute(
            found.study,
            POINTS,
            evaluate,
            rows=rows,
            tell=lambda done, total: bench.progress("B17 landscape", done / total),
        )
    runs = 2 if bench.quick else RUNS
    two = again(bench, STUDY, (best.genome, PAPER), runs=runs, what="B17 again")
    fine = again(bench, STUDY, (best.genome, PAPER), runs=runs // 2, changes=FINE, what="B17 fine")
    sample = landscape.scores[rows]
    paper = float(np.mean(two[PAPER]))
    better = float((sample > paper).mean())
    mean, top = float(np.mean(two[best.genome])), float(sample.max())
    fields = {name.removeprefix(GAIT): value for name, value in best.fields.items()}
    heavy_fields = {name.removeprefix(GAIT): v for name, v in heavy.best.fields.items()}
    last = found.result.curve[-1]
    explained = abs(heavy_fields["phase_rad"] - PAPER_PHASE) < PHASE_NEAR
    passed = (
        mean >= NEAR * top
        and found.wall_s <= WALL_S
        and fields["omega_rad_s"] >= 12.0
        and fields["amplitude_deg"] >= 60.0
    )
    return Outcome(
        ours=(
            f"{fields['amplitude_deg']:.0f}°, {fields['omega_rad_s']:.1f} rad/s, "
            f"{fields['phase_rad']:.2f} rad in generation {found.found_at}: {mean:.2f} m in 10 s; "
            f"the paper's gait {paper:.2f} m, better than {1 - better:.0%} of all; with modules of "
            f"{HEAVY_G:.0f} g the best phase is {heavy_fields['phase_rad']:.2f}"
        ),
        passed=passed,
        note=(
            f"{last.asked} genomes, {last.evaluations} different, {found.wall_s:.0f} s, overhead "
            f"{found.overhead:.1%} of CPU time; means of {runs} fresh runs. Quasi-static servo at "
            f"2 ms; at 0.5 ms with the DC motor {np.mean(fine[best.genome]):.2f} and "
            f"{np.mean(fine[PAPER]):.2f} m. Among {len(rows)} of {POINTS**3} gaits the furthest "
            f"goes {top:.2f} m. The speed is the ceiling of its range, as in the paper. Ours weigh "
            f"22 g; at {HEAVY_G:.0f} g the best is {heavy_fields['amplitude_deg']:.0f}°, "
            f"{heavy_fields['omega_rad_s']:.1f} rad/s, {heavy_fields['phase_rad']:.2f} rad: mass "
            f"{'explains' if explained else 'alone does not explain'} the paper's phase; neither "
            "mass nor friction is printed"
        ),
        values={
            **{f"best_{name}": float(value) for name, value in fields.items()},
            **{f"heavy_best_{name}": float(value) for name, value in heavy_fields.items()},
            "best_m": mean,
            "best_low_m": float(np.quantile(two[best.genome], 0.1)),
            "paper_m": paper,
            "share_of_gaits_better_than_the_papers": better,
            "furthest_of_the_sample_m": top,
            "best_at_0.5_ms_m": float(np.mean(fine[best.genome])),
            "paper_at_0.5_ms_m": float(np.mean(fine[PAPER])),
            "found_in_generation": float(found.found_at),
            "different_genomes": float(last.evaluations),
            "wall_s": found.wall_s,
            "overhead": found.overhead,
        },
        plots=(
            search_figure(
                "The search", {"22 g": found, f"{HEAVY_G:.0f} g": heavy}, "distance in 10 s, m"
            ),
            _ranks(sample, mean, paper),
        ),
    )


def _sample(bench: Bench, genes: int) -> list[int]:
    stream = np.random.default_rng(bench.seed)
    size = 12 if bench.quick else SAMPLE
    chosen: list[int] = stream.choice(POINTS**genes, size, replace=False).tolist()
    return sorted(chosen)


def _ranks(sample: np.ndarray, best: float, paper: float) -> Figure:
    ordered = np.sort(sample)[::-1]
    share = (np.arange(len(ordered)) + 0.5) / len(ordered) * 100
    at = [float((sample > value).mean() * 100) for value in (best, paper)]
    return Figure(
        "The landscape, gaits from the best to the worst",
        "share of gaits that get further, %",
        "distance in 10 s, m",
        (
            Series.of("gaits of the grid", share, ordered),
            Series.of("the GA's find", at[:1], [best], style="points"),
            Series.of("the paper's gait", at[1:], [paper], style="points"),
        ),
    )
