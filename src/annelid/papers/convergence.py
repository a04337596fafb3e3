"""Does the answer depend on the timestep?  A scenario's speed at several steps, beside the finest.

A number that changes when the step is halved is the integrator's, not the robot's.  So every kind
of locomotion is run at 0.25 to 2 ms, each a few times from different starts, and the default step
of its scenario must come within ``WITHIN`` of the finest.  Beside the speeds stand three things
that a simulator gets wrong at rest: how fast a stopped drive creeps, how fast a robot slips on a
slope that friction can hold, and how deep it sinks into what it lies on.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import atan, degrees
from pathlib import Path
from statistics import fmean, stdev
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np
import trimesh

from annelid.boundary.markdown import markdown_table
from annelid.kernel import seconds
from annelid.modules import shelf
from annelid.papers import Bench
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import assemble, chain
from annelid.trial.load import changed, load, parse
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial
from annelid.worlds.pipe import PipeNetwork, Straight
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.plane import Plane
from annelid.worlds.scenery import GROUND_FRICTION

STEPS_MS = (0.25, 0.5, 1.0, 2.0)
WINDING_MAX_MS = 1.0
"""Above it a winding's current is not resolved, and servos are quasi-static."""
WITHIN = 0.03

SHIPPED: tuple[tuple[str, float], ...] = (
    ("push", 10.0),
    ("inchworm", 10.0),
    ("snake", 10.0),
    ("climber", 40.0),
    ("caterpillar", 24.0),
    ("sidewinder", 24.0),
    ("rolling-track", 24.0),
)
"""The kinds of locomotion, and for how long; ``push`` stays in the straight."""


@dataclass(frozen=True)
class Going:
    """One run of a scenario at one step."""

    scenario: str
    step_ms: float
    seed: int
    duration_s: float | None = None
    plugin_files: tuple[Path, ...] = ()


@dataclass(frozen=True)
class Speeds:
    """Of one scenario, cm/s."""

    scenario: str
    default_ms: float
    found: tuple[tuple[float, tuple[float, ...]], ...]
    """Per step: the speeds of all runs."""

    def mean(self, step_ms: float) -> float:
        return fmean(dict(self.found)[step_ms])

    def spread(self, step_ms: float) -> float | None:
        """Standard deviation; None of one run, and of copies."""
        runs = dict(self.found)[step_ms]
        return stdev(runs) if len(set(runs)) > 1 else None

    @property
    def off(self) -> float:
        """How far the default step is from the finest."""
        finest = self.mean(min(step for step, _ in self.found))
        return self.mean(self.default_ms) / finest - 1 if finest else 0.0

    @property
    def verdict(self) -> str:
        return "pass" if abs(self.off) <= WITHIN else "short"


def speed(going: Going) -> float:
    """Of the robot's centre over the second half of the run, as the crow flies, cm/s."""
    plugins = load_plugins(going.plugin_files)
    scenario = load(going.scenario, plugins=plugins)
    duration_s = going.duration_s or scenario.duration_s
    fields: dict[str, Any] = {
        "physics.timestep_ms": going.step_ms,
        "seed": going.seed,
        "duration_s": duration_s,
        "stop_at_goal": False,
    }
    if going.step_ms > WINDING_MAX_MS:
        fields["physics.servo"] = "quasi-static"
    trial = Trial(changed(scenario, fields, plugins=plugins), plugins=plugins)
    middle: list[np.ndarray] = []

    def look() -> None:
        if trial.now_ns >= seconds(duration_s / 2) and not middle:
            trial.sim.advance_to(trial.now_ns)
            middle.append(trial.sim.centre())

    trial.every(seconds(0.1), look)
    trial.measure()
    return 100 * float(np.linalg.norm(trial.sim.centre() - middle[0])) / (duration_s / 2)


def speeds(
    bench: Bench,
    scenario: str,
    *,
    duration_s: float | None = None,
    steps_ms: Sequence[float] = STEPS_MS,
    repeats: int = 2,
    plugin_files: tuple[Path, ...] = (),
) -> Speeds:
    default = load(scenario, plugins=load_plugins(plugin_files)).physics.timestep_ms
    steps = sorted({*steps_ms, default})
    runs = [
        Going(scenario, step, bench.seed + k, duration_s, plugin_files)
        for step in steps
        for k in range(repeats)
    ]
    found = bench.map(speed, runs, what=scenario)
    rows = tuple((s, tuple(found[k * repeats : (k + 1) * repeats])) for k, s in enumerate(steps))
    return Speeds(scenario, default, rows)


Rest = Literal["creep", "slip", "depth"]

REST: dict[Rest, str] = {
    "creep": "a stopped drive creeps down a vertical pipe, mm/s",
    "slip": "a chain of six R slips on a slope of 80 % of what friction holds, mm/s",
    "depth": "six R lie in a floor, mm deep",
}


def at_rest(given: tuple[Rest, float]) -> float:
    """One of ``REST`` at one step."""
    what, step_ms = given
    physics = Physics(timestep_ms=step_ms, servo="quasi-static")
    if what == "creep":
        world: Pipe | Plane = Pipe(slope_deg=90, launch="closed", parts=(Straight(length_mm=700),))
    else:
        slope = degrees(atan(0.8 * GROUND_FRICTION)) if what == "slip" else 0.0
        world = Plane(slope_deg=slope)
    robot = assemble(chain("H" if what == "creep" else "RRRRRR"), shelf())
    sim = Simulation(robot, world, physics, jitter=0.01)
    sim.advance_to(seconds(2.0))
    before = sim.centre()
    sim.advance_to(seconds(6.0))
    if what == "depth":
        return -1000 * float(sim.data.contact.dist.min())
    return 1000 * float(np.linalg.norm(sim.centre() - before)) / 4.0


def table(found: Sequence[Speeds]) -> list[str]:
    """Rows of Markdown."""
    steps = sorted({step for one in found for step, _ in one.found})
    rows = []
    for one in found:
        cells = []
        for step in steps:
            spread = one.spread(step) if step in dict(one.found) else None
            shown = f"{one.mean(step):.3f}" if step in dict(one.found) else "–"
            cells.append(shown if spread is None else f"{shown} ± {spread:.3f}")
        judged = (f"{one.default_ms:g} ms", f"{one.off:+.1%}", one.verdict)
        rows.append((one.scenario, *cells, *judged))
    head = ("cm/s at", *(f"{step:g} ms" for step in steps), "default", "off", "verdict")
    return list(markdown_table(head, rows))


def rest_table(bench: Bench, steps_ms: Sequence[float] = STEPS_MS) -> list[str]:
    todo = [(what, step) for what in REST for step in steps_ms]
    found = dict(zip(todo, bench.map(at_rest, todo, what="at rest"), strict=True))
    rows = (
        (text, *(f"{found[what, step]:.4f}" for step in steps_ms)) for what, text in REST.items()
    )
    return list(markdown_table(("at rest", *(f"{step:g} ms" for step in steps_ms)), rows))


FACETS = (16, 32, 48, 96)
DRAWN: tuple[tuple[str, tuple[dict[str, str], ...]], ...] = (
    ("H", ({"gait": "push"},)),
    ("TRRHRRVP", ({"gait": "push"}, {"gait": "relax", "modules": "R"})),
    ("SES", ({"gait": "inchworm"},)),
    ("TRRRRRR", ({"gait": "snake", "move": "forward"},)),
)
"""Chains that go through a straight pipe, and the same pipe drawn as a mesh."""
DRAWN_S = 10.0


def through(given: tuple[int, int | None]) -> float:
    """How far one of ``DRAWN`` comes in a pipe, or in its mesh of so many facets, m."""
    place, facets = given
    letters, gaits = DRAWN[place]
    way: dict[str, Any] = {"kind": "pipe", "parts": [{"part": "straight", "length_mm": 700}]}
    with TemporaryDirectory() as folder:
        if facets is not None:
            file = Path(folder) / "pipe.stl"
            network = PipeNetwork(parts=(Straight(length_mm=1100),)).tubes()
            vertices, faces = network.mesh(facets=facets)
            trimesh.Trimesh(vertices * 1000, faces, process=False).export(file)
            way = {"kind": "mesh", "file": str(file), "start_mm": [400, 0, 0]}
        scenario = parse(
            {
                "name": "drawn",
                "duration_s": DRAWN_S,
                "jitter_deg": 0.5,
                "robot": {"chain": letters},
                "world": way,
                "control": {"gaits": gaits},
            }
        )
        return Trial(scenario).measure().progress_m


def mesh_table(bench: Bench) -> list[str]:
    """A pipe drawn as a mesh gives the pipe's speeds, if it is fine enough to be round."""
    todo = [(place, facets) for place in range(len(DRAWN)) for facets in (None, *FACETS)]
    found = dict(zip(todo, bench.map(through, todo, what="drawn pipes"), strict=True))
    rows = []
    for place, (letters, _) in enumerate(DRAWN):
        pipe = found[place, None]
        drawn = [f"{found[place, n] / pipe - 1:+.1%}" for n in FACETS]
        rows.append((letters, f"{100 * pipe / DRAWN_S:.2f}", *drawn))
    head = ("cm/s in", "pipe", *(f"mesh of {n} facets" for n in FACETS))
    return list(markdown_table(head, rows))
