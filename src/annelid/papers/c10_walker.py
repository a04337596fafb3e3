"""C10: legs by different delays through different connectors, and legs added in run time (002 §8).

A quadruped and a hexapod walk; a quadruped gets a third segment (spine and two legs) docked by hand
while it walks; a spine of three with four legs gets the last two one by one.  The programs are the
same on every module and nothing is told to them.  Runs differ in friction, mass, and clocks.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import degrees
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.role_run import RoleRun, per_cycle
from annelid.papers.walk_run import legged

SETTLE, ADDED, AGAIN, END = 3, 8, 10, 16
"""Cycles: it has begun to walk; what is beside is docked; it has fallen in; the end."""
LOOKS: Final = 20
"""At the head's tilt in a cycle."""
TOPPLED: Final = 45.0
"""Degrees of the head's tilt."""
WALKS: Final = 8.0
"""cm in a cycle that count as walking: most of a module's length."""

ASIDE: Final = (-300.0, 400.0, 0.0)
BODIES: Final[Mapping[str, tuple[int, Mapping[str, Sequence[float]]]]] = MappingProxyType(
    {
        "quadruped": (2, {}),
        "hexapod": (3, {}),
        "segment added": (3, {"S3": ASIDE}),
        "legs added": (3, {"L3": ASIDE, "R3": (-300.0, -400.0, 0.0)}),
    }
)
"""Pairs of legs, and what lies beside at first."""

DOCKS: Final[Mapping[str, str]] = MappingProxyType(
    {"S3": "S2.back", "L3": "S3.left", "R3": "S3.right"}
)


@dataclass(frozen=True)
class Run:
    body: str
    seed: int


@dataclass(frozen=True)
class Walk:
    """Ways of the head in cm a cycle."""

    before: float
    after: float
    tilt_deg: float
    path: tuple[tuple[float, float], ...]
    resets: int

    @property
    def good(self) -> bool:
        return self.after >= WALKS and self.tilt_deg < TOPPLED


def walk(given: Run) -> Walk:
    pairs, beside = BODIES[given.body]
    draw = np.random.default_rng((10, given.seed))
    friction, mass = float(draw.uniform(0.35, 1.0)), float(draw.uniform(85, 115))
    who = legged(pairs, beside=beside, friction=friction, mass_g=mass)
    world: dict[str, Any] = {"surface": {"friction": friction}}
    spec = {"role": "walker", "drift_ppm": 2000.0}
    run = RoleRun(spec, who=who, world=world, seed=given.seed)
    run.run(SETTLE)
    tilts: list[float] = []
    first = _stroll(run, SETTLE, ADDED, tilts)
    for name in beside:
        own = "front" if name.startswith("S") else "back"
        run.sim.join(DOCKS[name], f"{name}.{own}", angle=0.0)
    _stroll(run, ADDED, AGAIN, tilts)
    last = _stroll(run, AGAIN, END, tilts)
    path = np.concatenate((first, last)) - first[0]
    return Walk(
        per_cycle(first) * 100,
        per_cycle(last) * 100,
        max(tilts),
        tuple((float(x), float(y)) for x, y in path),
        run.circuit.resets,
    )


def _stroll(run: RoleRun, begin: int, end: int, tilts: list[float]) -> np.ndarray:
    """Where the head is at every whole cycle, m."""
    places = [run.sim.placement("S1").at[:2].copy()]
    for cycle in range(begin, end):
        for look in range(1, LOOKS + 1):
            run.run(cycle + look / LOOKS)
            tilts.append(degrees(run.sim.tilt("S1")))
        places.append(run.sim.placement("S1").at[:2].copy())
    return np.array(places)


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 10))
    todo = [Run(body, seed) for body in BODIES for seed in seeds]
    found = dict(zip(todo, bench.map(walk, todo, what="C10"), strict=True))
    values: dict[str, float] = {}
    for body in BODIES:
        walks = [walk for run, walk in found.items() if run.body == body]
        values |= {
            f"{body}_good": sum(walk.good for walk in walks),
            f"{body}_cm_per_cycle_at_first": float(np.mean([walk.before for walk in walks])),
            f"{body}_cm_per_cycle": float(np.mean([walk.after for walk in walks])),
            f"{body}_cm_per_cycle_least": min(walk.after for walk in walks),
            f"{body}_tilt_deg_most": max(walk.tilt_deg for walk in walks),
        }
    rates = ", ".join(f"{body} {values[f'{body}_good']:.0f}/{len(seeds)}" for body in BODIES)
    ways = ", ".join(f"{values[f'{body}_cm_per_cycle']:.0f}" for body in BODIES)
    return Outcome(
        ours=f"walk without toppling: {rates}; {ways} cm a cycle",
        passed=all(walk.good and not walk.resets for walk in found.values()),
        note=(
            f"Friction 0.35-1.0, modules of 85-115 g, clocks off by up to 0.2 %; at least "
            f"{WALKS:g} cm a cycle at the end, and the head never {TOPPLED:g}° aslant.  What is "
            f"added lies beside at first and is docked by hand after {ADDED} cycles (four legs on "
            f"a spine of three, {values['legs added_cm_per_cycle_at_first']:.0f} cm a cycle till "
            "then); no program is changed or reset"
        ),
        values=values,
        plots=(
            Figure(
                "Way of the head, a point a cycle",
                "x (m)",
                "y (m)",
                tuple(
                    Series.of(body, *zip(*found[Run(body, bench.seed)].path, strict=True))
                    for body in BODIES
                ),
            ),
        ),
    )
