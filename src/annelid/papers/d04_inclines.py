"""D4: 45° and vertical walls; the ceiling beyond the paper (003 §5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import Climb, climb, place

SLOPES: Final = (0.0, 45.0, 90.0, 180.0)
HEADINGS: Final = (0.0, 90.0, 200.0)
"""Up, across, and aslant down; and as many by chance."""
WALK: Final = Climb((place(x_mm=150),))


@dataclass(frozen=True)
class Cell:
    slope: float
    heading: float


def experiment(bench: Bench) -> Outcome:
    rng = np.random.default_rng(bench.seed)
    chance = tuple(np.round(rng.uniform(0, 360, len(HEADINGS))).tolist())
    headings = HEADINGS[:1] if bench.quick else HEADINGS + chance
    cells = [Cell(slope, heading) for slope in SLOPES for heading in headings]
    todo = [
        replace(WALK, slope_deg=cell.slope, heading_deg=cell.heading, seed=bench.seed + number)
        for number, cell in enumerate(cells)
    ]
    done = dict(zip(cells, bench.map(climb, todo, what="D4"), strict=True))
    arrived = sum(run.arrived and not run.fallen for run in done.values())
    held = all(run.pull < 1.0 and run.shear < 1.0 for run in done.values())

    def worst(slope: float, what: str) -> float:
        return max(
            run.pull if what == "pull" else run.shear
            for cell, run in done.items()
            if cell.slope == slope
        )

    return Outcome(
        ours=(
            f"{arrived} of {len(cells)} walks, none fell"
            if not any(run.fallen for run in done.values())
            else f"{arrived} of {len(cells)} walks, {sum(r.fallen for r in done.values())} fell"
        )
        + f"; cups used up to {max(run.pull for run in done.values()):.0%} of their pull, "
        + f"{max(run.shear for run in done.values()):.0%} of their shear",
        passed=arrived == len(cells) and held,
        note=(
            f"150 mm at 0, 45, 90 and 180° in {len(headings)} directions, cups of 30 N, µ 0.5; "
            "forces as the engine has them, of feet that are fully attached. Servos bear what "
            "the force model asks of them; gains are the same on all planes"
        ),
        values={
            f"{what}_use_{slope:.0f}": worst(slope, what)
            for slope in SLOPES
            for what in ("pull", "shear")
        },
        plots=(
            Figure(
                "Use of the cups' limits",
                "inclination (°)",
                "share used, the worst foot",
                tuple(
                    Series(what, SLOPES, tuple(worst(slope, what) for slope in SLOPES), "points")
                    for what in ("pull", "shear")
                ),
            ),
        ),
    )
