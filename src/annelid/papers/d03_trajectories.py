"""D3: forward, lateral, diagonal, rotating and combined trajectories (003 §5)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import Climb, climb, place

WAYS: Final[Mapping[str, Climb]] = {
    "forward": Climb((place(x_mm=200),)),
    "lateral": Climb((place(y_mm=150),)),
    "diagonal": Climb((place(x_mm=120, y_mm=120),)),
    "rotating": Climb((place(yaw_deg=45),)),
    "combined": Climb(
        (
            place(x_mm=100, y_mm=40, yaw_deg=20, z_mm=8, pitch_deg=3),
            place(x_mm=160, y_mm=-20, yaw_deg=-10),
        )
    ),
}
NEAR_MM, NEAR_DEG = 5.0, 1.0
KINDS: Final = ("floor", "wall_up", "wall_by_chance")
"""Where: the last with the robot turned at random before it starts."""


def experiment(bench: Bench) -> Outcome:
    slopes = (0.0,) if bench.quick else (0.0, 90.0, 90.0)
    rng = np.random.default_rng(bench.seed)
    todo = {
        (name, number): replace(
            way,
            slope_deg=slope,
            heading_deg=float(np.round(rng.uniform(0, 360))) if number > 1 else 0.0,
            seed=bench.seed + number,
        )
        for name, way in WAYS.items()
        for number, slope in enumerate(slopes)
    }
    done = dict(zip(todo, bench.map(climb, list(todo.values()), what="D3"), strict=True))
    good = {
        key: run.arrived
        and not run.fallen
        and run.error_mm <= NEAR_MM
        and run.error_deg <= NEAR_DEG
        for key, run in done.items()
    }
    worst_mm = max(run.error_mm for run in done.values())
    worst_deg = max(run.error_deg for run in done.values())
    return Outcome(
        ours=(
            f"{sum(good.values())} of {len(good)} walks; worst {worst_mm:.1f} mm, {worst_deg:.2f}°"
        ),
        passed=all(good.values()),
        note=(
            "Largest distance of the true body from where it was wished at that moment; "
            + ("floor" if bench.quick else "floor, up a vertical wall, and on it by chance")
        ),
        values={
            f"{name}_{KINDS[number]}_{what}": value
            for (name, number), run in done.items()
            for what, value in (("mm", run.error_mm), ("deg", run.error_deg))
        },
        plots=(
            Figure(
                "Paths of the body on the floor",
                "ahead (mm)",
                "left (mm)",
                tuple(
                    Series.of(name, *zip(*run.path_mm, strict=True))
                    for (name, number), run in done.items()
                    if number == 0
                ),
            ),
        ),
    )
