"""C5: cut in two, both halves go on; docked in another order they are one again (002 §7).

A caterpillar of eight is cut in the middle while it crawls.  The halves crawl on, each by its own
clocks, here up to 0.5 % off; then the rear half is picked up and docked in front of the other, so
that the order is 5 6 7 8 1 2 3 4.  Nobody tells the modules: the old head hears its first signal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.in_step import in_step_from, lags
from annelid.papers.role_run import RoleRun

CUT, JOINED, MEASURED, END = 6, 14, 18, 26
"""Cycles: of the cut, of the docking, from when the new one is measured, of the end."""
SETTLED: Final = 3
"""Cycles until a chain of eight is in step at the beginning."""
AGAIN: Final = 3.0
"""Cycles in which it must be one again: the root's next signal and seven delays of a fifth."""
DRIFT_PPM: Final = 5000.0
KEPT: Final = 0.9
WORKS: Final = 0.5
"""Of the speed of eight, that a half must have to be said to go on."""

FRONT, REAR = ("C1", "C2", "C3", "C4"), ("C5", "C6", "C7", "C8")


@dataclass(frozen=True)
class Life:
    """Of one caterpillar; ways in cm a cycle."""

    whole: float
    front: float
    rear: float
    again: float
    in_step: float
    """Cycles from the docking until all are; infinite: never."""
    halves_in_step: bool
    behind: tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...]
    """Per module: cycles, and how far it was behind the head of eight."""


def crawl(seed: int) -> Life:
    run = RoleRun({"role": "caterpillar", "drift_ppm": DRIFT_PPM}, seed=seed)
    run.run(SETTLED)
    (whole,) = _ways(run, [FRONT + REAR], CUT)
    run.sim.cut("C4.back", "C5.front")
    front, rear = _ways(run, [FRONT, REAR], JOINED)
    run.sim.join("C8.back", "C1.front", angle=0.0)
    run.run(MEASURED)
    (again,) = _ways(run, [REAR + FRONT], END)
    halves = [in_step_from(run, half, begin=CUT, end=JOINED) for half in (FRONT, REAR)]
    one = in_step_from(run, REAR + FRONT, begin=JOINED, end=END)
    return Life(whole, front, rear, again, one - JOINED, max(halves) < CUT + 1, _behind(run))


def _ways(run: RoleRun, pieces: Sequence[Sequence[str]], until: int) -> list[float]:
    """How far each piece gets in a cycle, from now on, cm."""
    begun = run.kernel.now / 1e9 / run.network.cycle_s
    before = [_centre(run, piece) for piece in pieces]
    run.run(until)
    after = [_centre(run, piece) for piece in pieces]
    ways = [float(np.linalg.norm(b - a)) for a, b in zip(before, after, strict=True)]
    return [way / (until - begun) * 100 for way in ways]


def _centre(run: RoleRun, piece: Sequence[str]) -> np.ndarray:
    places: np.ndarray = np.mean([run.sim.placement(name).at[:2] for name in piece], axis=0)
    return places


def _behind(run: RoleRun) -> tuple[tuple[str, tuple[float, ...], tuple[float, ...]], ...]:
    """Each module against C1, in fractions of a cycle."""
    found = []
    for name in (*FRONT[1:], *REAR):
        (lag,) = lags(run, ("C1", name))
        fractions = lag.steps / run.network.role.period
        found.append((name, tuple(lag.cycle.tolist()), tuple(fractions.tolist())))
    return tuple(found)


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    lives = bench.map(crawl, seeds, what="C5")
    halves = min(min(life.front, life.rear) / life.whole for life in lives)
    kept = min(life.again / life.whole for life in lives)
    slowest = max(life.in_step for life in lives)
    values = {
        "in_step_again_cycles_slowest": slowest,
        "half_speed_least": halves,
        "kept_speed_least": kept,
        "cm_per_cycle_whole": float(np.mean([life.whole for life in lives])),
        "cm_per_cycle_front_half": float(np.mean([life.front for life in lives])),
        "cm_per_cycle_rear_half": float(np.mean([life.rear for life in lives])),
        "cm_per_cycle_rejoined": float(np.mean([life.again for life in lives])),
        "halves_in_step": sum(life.halves_in_step for life in lives) / len(lives),
    }
    return Outcome(
        ours=(
            f"halves at {halves:.0%} of the speed of eight or more; docked in another order, "
            f"in step after {slowest:.1f} cycles at the latest, {kept:.0%} of the speed"
        ),
        passed=(
            halves >= WORKS
            and all(life.halves_in_step for life in lives)
            and slowest <= AGAIN
            and kept >= KEPT
        ),
        note=(
            f"Caterpillars of eight, {len(lives)} runs, the least; cut after {CUT} cycles, 5678 "
            f"docked in front of 1234 after {JOINED}; clocks off by up to {DRIFT_PPM / 1e4:g} %"
        ),
        values=values,
        plots=(
            Figure(
                f"Cut at {CUT}, docked in another order at {JOINED}",
                "cycle",
                "behind C1 (cycles)",
                tuple(Series(*each, style="points") for each in lives[0].behind),
            ),
        ),
    )
