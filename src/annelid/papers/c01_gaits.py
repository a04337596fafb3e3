"""C1-C3: caterpillar, sidewinder and rolling track of eight modules (002 §5).

002 gives speeds and not the time of a cycle, so one number is free: the length of a step, 22 ms,
with which the caterpillar goes as fast as printed.  The same cycle is then asked of the other two.
What counts is the way in a cycle and how the three compare: the track must be the fastest, and the
ratios near the printed ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.role_run import COARSE, FINE, MODULES, RoleRun, per_cycle

PRINTED: Final[Mapping[str, float]] = MappingProxyType(
    {"caterpillar": 0.13, "sidewinder": 0.24, "rolling-track": 0.50}
)
"""km/h (002 §5.1-5.3)."""

SETTLE, CYCLES = 3, 8
"""Cycles to fall into step (the track needs two to elect), and cycles measured."""

NEAR = 0.15
"""How far a ratio may be off: the paper prints two digits and names no cycle."""


@dataclass(frozen=True)
class Run:
    role: str
    seed: int
    fine: bool = False


@dataclass(frozen=True)
class Way:
    cm: float
    """In a cycle."""
    cycle_s: float
    path: tuple[tuple[float, float], ...]


def go(given: Run) -> Way:
    run = RoleRun({"role": given.role}, seed=given.seed, physics=FINE if given.fine else COARSE)
    path = run.path(SETTLE, SETTLE + CYCLES)
    places = tuple((float(x), float(y)) for x, y in path - path[0])
    return Way(per_cycle(path) * 100, run.network.cycle_s, places)


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    todo = [Run(role, seed) for role in PRINTED for seed in seeds]
    if not bench.quick:
        todo += [Run(role, bench.seed, fine=True) for role in PRINTED]
    found = dict(zip(todo, bench.map(go, todo, what="C1"), strict=True))
    values: dict[str, float] = {}
    series = []
    for role, printed in PRINTED.items():
        ways = [way for run, way in found.items() if run.role == role and not run.fine]
        cm, cycle_s = float(np.mean([way.cm for way in ways])), ways[0].cycle_s
        values |= {
            f"{role}_cm_per_cycle": cm,
            f"{role}_cm_per_cycle_least": min(way.cm for way in ways),
            f"{role}_km_h": cm / cycle_s * 0.036,
            f"{role}_printed_km_h": printed,
            f"{role}_cycle_s_for_printed_speed": cm / printed * 0.036,
        }
        if not bench.quick:
            values[f"{role}_cm_per_cycle_at_0.5_ms"] = found[Run(role, bench.seed, True)].cm
        series.append(Series.of(role, *zip(*ways[0].path, strict=True)))
    speeds = {role: values[f"{role}_km_h"] for role in PRINTED}
    ratios = [speed / speeds["caterpillar"] for speed in speeds.values()]
    cms = ", ".join(f"{role} {values[f'{role}_cm_per_cycle']:.1f}" for role in PRINTED)
    track = values["rolling-track_cycle_s_for_printed_speed"]
    fastest = max(speeds, key=lambda role: speeds[role]) == "rolling-track"
    wanted = [printed / PRINTED["caterpillar"] for printed in PRINTED.values()]
    near = all(abs(r / w - 1) <= NEAR for r, w in zip(ratios, wanted, strict=True))
    return Outcome(
        ours=(
            f"cm a cycle: {cms}; km/h: " + ", ".join(f"{speed:.2f}" for speed in speeds.values())
        ),
        passed=fastest and near,
        note=(
            f"{MODULES} modules, {len(seeds)} runs each; one cycle of {cycle_s:.2f} s for all, "
            "chosen so that the caterpillar has its printed speed.  Ratios "
            + " : ".join(f"{ratio:.2f}" for ratio in ratios)
            + " against 1 : 1.85 : 3.85.  The track's wave was inferred; one cycle takes it "
            f"{MODULES // 2} modules on, and 0.50 km/h want a cycle of {track:.1f} s"
        ),
        values=values,
        plots=(Figure("Way of the centre, a point a cycle", "x (m)", "y (m)", tuple(series)),),
    )
