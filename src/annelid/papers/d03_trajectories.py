"""D3: forward, lateral, diagonal, rotating and combined trajectories (003 §5)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climbed import climbed
from annelid.papers.counted import counted

WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "forward": {"control.options.way": [{"x_mm": 200}]},
    "lateral": {"control.options.way": [{"y_mm": 150}]},
    "diagonal": {"control.options.way": [{"x_mm": 120, "y_mm": 120}]},
    "rotating": {"control.options.way": [{"yaw_deg": 45}]},
    "combined": {},
}
"""The last is the scenario's own."""
PLANES: Final = {"floor": 0, "wall": 90}
NEAR_MM, NEAR_DEG = 5.0, 1.0
REPEATS: Final = 4


def heading(seed: int) -> dict[str, float]:
    """Up the wall with the first robot, then in any direction."""
    chance = np.random.default_rng(seed)
    return {"world.heading_deg": float(round(chance.uniform(0, 360))) if seed else 0.0}


def experiment(bench: Bench) -> Outcome:
    planes = ["floor"] if bench.quick else list(PLANES)
    cases = {
        (way, plane): Case(
            "d03-trajectories", {**WAYS[way], "world.slope_deg": PLANES[plane]}, varied=heading
        )
        for way, plane in product(WAYS, planes)
    }
    found = bench.trials(cases, climbed, repeats=1 if bench.quick else REPEATS)
    runs = [one for each in found.values() for one in each]
    good = [one.walked and one.off_mm <= NEAR_MM and one.off_deg <= NEAR_DEG for one in runs]
    worst_mm, worst_deg = max(one.off_mm for one in runs), max(one.off_deg for one in runs)
    return Outcome(
        ours=f"{counted(good)} walks; worst {worst_mm:.1f} mm, {worst_deg:.2f}°",
        passed=all(good),
        note=(
            f"Every walk must arrive within {NEAR_MM:.0f} mm and {NEAR_DEG:.0f}°: the largest "
            "distance of the true body from where it was wished at that moment.  "
            f"{' and '.join(planes)}, in any direction; {counted(o.walked for o in runs)} arrived"
        ),
        values={
            f"{way}_{plane}_{what}": value
            for (way, plane), each in found.items()
            for what, value in (
                ("mm", max(one.off_mm for one in each)),
                ("deg", max(one.off_deg for one in each)),
            )
        },
        plots=(
            Figure(
                "Paths of the body on the floor",
                "ahead (mm)",
                "left (mm)",
                tuple(
                    Series.of(way, *zip(*found[way, "floor"][0].path_mm, strict=True))
                    for way in WAYS
                ),
            ),
        ),
    )
