"""A11: one run in each kind of environment of 001 §3.4, a user STL file among them.

A run counts when the robot goes the way it was asked to and every module stays where it belongs:
inside the bore, above the ground, between the walls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.case import Case, places
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.interval import Interval
from annelid.trial.load import resolve
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.terrain import Terrain

CASES: Final = {
    "pipe": Case("a11-pipe"),
    "open air": Case("a11-open-air"),
    "terrain": Case("a11-terrain"),
    "user STL": Case("a11-stl"),
}
LEAST_M: Final = 0.2
TUBE_M, BORE_M = 1.0, 0.040
"""Of the tube that a11-tube.stl draws."""
REPEATS: Final = 5


@dataclass(frozen=True)
class Visit:
    time: tuple[float, ...]
    progress: tuple[float, ...]
    escaped: bool

    @property
    def distance(self) -> float:
        return self.progress[-1] - self.progress[0]


def judge(run: Run) -> Visit:
    progress = run["robot"]["progress"].tolist()
    return Visit(tuple(run.time("robot").tolist()), tuple(progress), _outside(run))


def _outside(run: Run) -> bool:
    """Whether the front of a module has ever left the room that its world gives it."""
    robot, world = resolve(run.scenario)
    at = np.concatenate([places(run, module.name) for module in robot.modules])
    if isinstance(world, Pipe):
        tubes = world.scenery(robot.length).tubes
        return tubes is None or bool((tubes.clearance(at) < 0).any())
    if world.kind == "mesh":
        beyond = (at[:, 0] < 0) | (at[:, 0] > TUBE_M)
        return bool((beyond | (np.hypot(at[:, 1], at[:, 2]) > BORE_M / 2)).any())
    if isinstance(world, Terrain):
        aside = np.abs(at[:, 1]) > world.width_mm / 2000
        return bool(aside.any()) or any(z < world.height(x) for x, _, z in at.tolist())
    return bool((at[:, 2] < 0).any())


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials(CASES, judge, repeats=repeats)
    ways = {name: Interval.mean([seen.distance for seen in found[name]]) for name in CASES}
    escaped = {name: sum(seen.escaped for seen in found[name]) for name in CASES}
    shown = ", ".join(
        f"{name} {100 * way.value:.0f}"
        + (f" ± {100 * way.half:.0f}" if repeats > 1 else "")
        + (f" ({escaped[name]} escaped)" if escaped[name] else "")
        for name, way in ways.items()
    )
    return Outcome(
        ours=f"{shown} cm in 12 s",
        passed=all(
            seen.distance >= LEAST_M and not seen.escaped
            for each in found.values()
            for seen in each
        ),
        note=(
            f"At least {100 * LEAST_M:.0f} cm asked for in every run, {repeats} robots in each; no "
            "module outside.  Pipe with an elbow, and an STL tube of 24 facets: T R R H, pushed "
            "by H with limp joints; open air and undulating ground: six R, vertical wave."
        ),
        values={
            f"{name.replace(' ', '_')}_m{what}": value
            for name, way in ways.items()
            for what, value in (
                ("", way.value),
                ("_least", min(seen.distance for seen in found[name])),
            )
        },
        plots=(
            Figure(
                "Progress in each environment",
                "time, s",
                "progress, cm",
                tuple(
                    Series.of(name, each[0].time, 100 * np.array(each[0].progress))
                    for name, each in found.items()
                ),
            ),
        ),
    )
