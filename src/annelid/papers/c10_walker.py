"""C10: legs by different delays through different connectors, and legs added in run time (002 §8).

A quadruped and a hexapod walk; a quadruped gets a third segment (spine and two legs) docked by hand
while it walks; a spine of three with four legs gets the last two.  The programs are the same on
every module and nothing is told to them.  Runs differ in friction, mass, and clocks.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees
from typing import Any, Final

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.cycles import COARSE, CYCLE_S, path, per_cycle
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

SETTLE, ADDED, AGAIN, END = 3, 8, 10, 16
"""Cycles: it has begun to walk; what is beside is docked; it has fallen in; the end."""
TOPPLED: Final = 45.0
"""Degrees of the head's tilt."""
WALKS: Final = 8.0
"""cm in a cycle that count as walking: most of a module's length."""
REPEATS: Final = 10


def varied(seed: int) -> dict[str, Any]:
    """Friction and mass far beyond the tolerances."""
    draw = RandomStreams(seed)["papers/c10"]
    friction = float(draw.uniform(0.35, 1.0))
    return {
        "robot.each.C.friction": friction,
        "robot.each.C.mass_g": float(draw.uniform(85, 115)),
        "world.surface.friction": friction,
    }


WALK: Final = {**COARSE, "duration_s": END * CYCLE_S, "control.options.drift_ppm": 2000}
DOCKED: Final = {**WALK, "events.0.at_s": ADDED * CYCLE_S}
CASES: Final = {
    "quadruped": Case("walker", WALK, varied),
    "hexapod": Case("c09-hexapod", WALK, varied),
    "segment added": Case("walker-hexapod", DOCKED, varied),
    "legs added": Case("c10-legs-added", WALK, varied),
}


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
        return self.after >= WALKS and self.tilt_deg < TOPPLED and not self.resets


def judge(run: Run) -> Walk:
    walking = run.time("robot") >= SETTLE * CYCLE_S
    way = path(run, SETTLE, END, ["S1"])
    return Walk(
        before=100 * per_cycle(way[: ADDED - SETTLE + 1]),
        after=100 * per_cycle(way[AGAIN - SETTLE :]),
        tilt_deg=degrees(run["robot"]["tilt"][walking].max()),
        path=tuple((float(x), float(y)) for x, y in way - way[0]),
        resets=run.metrics.resets,
    )


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials(CASES, judge, repeats=repeats)
    after = {body: Interval.mean([walk.after for walk in found[body]]) for body in found}
    before = Interval.mean([walk.before for walk in found["legs added"]])
    rates = ", ".join(f"{body} {sum(w.good for w in found[body])}/{repeats}" for body in found)
    return Outcome(
        ours=(
            f"walk without toppling: {rates}; "
            + ", ".join(each.told(0) for each in after.values())
            + " cm a cycle"
        ),
        passed=all(walk.good for walks in found.values() for walk in walks),
        note=(
            f"Friction 0.35-1.0, modules of 85-115 g, clocks off by up to 0.2 %; at least "
            f"{WALKS:g} cm a cycle at the end, and the head never {TOPPLED:g}° aslant.  What is "
            f"added lies beside at first and is docked by hand after {ADDED} cycles (four legs on "
            f"a spine of three: {before.told(0)} cm a cycle till then); no program is changed or "
            "reset."
        ),
        values={
            **{f"{body}_cm_per_cycle": each.value for body, each in after.items()},
            **{f"{body}_cm_per_cycle_half_interval": each.half for body, each in after.items()},
            **{f"{body}_tilt_deg_most": max(w.tilt_deg for w in found[body]) for body in found},
            **{f"{body}_good": sum(w.good for w in found[body]) for body in found},
        },
        plots=(
            Figure(
                "Way of the head, a point a cycle",
                "x (m)",
                "y (m)",
                tuple(Series.of(body, *zip(*found[body][0].path, strict=True)) for body in found),
            ),
        ),
    )
