"""D3: forward, lateral, diagonal, rotating and combined trajectories (003 §5)."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any, Final

from annelid.papers import Bench, Case, Outcome
from annelid.papers.climbed import climbed, heading, paths_figure, reasons
from annelid.papers.interval import Rate

WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    "combined": {},
    "rotating": {"control.options.way": [{"yaw_deg": 45}]},
    "forward": {"control.options.way": [{"x_mm": 200}]},
    "lateral": {"control.options.way": [{"y_mm": 150}]},
    "diagonal": {"control.options.way": [{"x_mm": 120, "y_mm": 120}]},
}
"""The first is the scenario's own."""
SLOPES: Final = {"floor": 0, "wall": 90}
NEAR_MM, NEAR_DEG = 5.0, 1.0
REPEATS: Final = 4


def experiment(bench: Bench) -> Outcome:
    planes, ways = (["floor"], [*WAYS][:2]) if bench.quick else ([*SLOPES], [*WAYS])
    cases = {
        (way, plane): Case(
            "d03-trajectories", {**WAYS[way], "world.slope_deg": SLOPES[plane]}, varied=heading
        )
        for way, plane in product(ways, planes)
    }
    found = bench.trials(cases, climbed, repeats=1 if bench.quick else REPEATS)
    runs = [one for each in found.values() for one in each]
    good = [one.walked and one.off_mm <= NEAR_MM and one.off_deg <= NEAR_DEG for one in runs]
    worst_mm, worst_deg = max(one.off_mm for one in runs), max(one.off_deg for one in runs)
    return Outcome(
        ours=f"{Rate.count(good)} walks; worst {worst_mm:.1f} mm, {worst_deg:.2f}°",
        passed=all(good),
        note=(
            f"Every walk must arrive within {NEAR_MM:.0f} mm and {NEAR_DEG:.0f}°: the largest "
            "distance of the true body from where it was wished at that moment.  "
            f"{' and '.join(planes)}, in any direction{reasons(runs)}"
        ),
        values={
            f"{way}_{plane}_mm": max(one.off_mm for one in each)
            for (way, plane), each in found.items()
        },
        plots=(paths_figure("Body on the floor", {way: found[way, "floor"][0] for way in ways}),),
    )
