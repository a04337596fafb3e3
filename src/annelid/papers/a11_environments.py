"""A11: one run in each kind of environment of 001 §3.4, a user STL file among them.

A run counts when the robot goes the way it was asked to and every module stays where it belongs:
inside the bore, above the ground, between the walls.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import drive, simulation
from annelid.physics.simulation import Simulation
from annelid.worlds import parse_world, worlds
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.terrain import Terrain

Floats = NDArray[np.float64]

SECONDS = 12.0
BORE_MM, WALL_MM, TUBE_MM, FACETS = 40.0, 4.0, 1000.0, 24
START_MM = 250.0

PUSH = ({"gait": "push"}, {"gait": "relax", "modules": "R"})
SNAKE = ({"gait": "snake", "move": "forward"},)


@dataclass(frozen=True)
class Place:
    """An environment, who goes there and how far it must come."""

    name: str
    world: Mapping[str, Any]
    chain: str
    gaits: tuple[Mapping[str, Any], ...]
    least_m: float
    seed: int = 0


@dataclass(frozen=True)
class Visit:
    time: tuple[float, ...]
    progress: tuple[float, ...]
    escaped: bool

    @property
    def distance(self) -> float:
        return self.progress[-1] - self.progress[0]


def places(stl: Path, seed: int) -> tuple[Place, ...]:
    elbow = [{"part": "straight", "length_mm": 100}, {"part": "elbow"}]
    way = [*elbow, {"part": "straight", "length_mm": 400}]
    mesh = {"kind": "mesh", "file": str(stl), "start_mm": [START_MM, 0, 0], "contact": "round"}
    return (
        Place("pipe", {"kind": "pipe", "parts": way}, "TRRH", PUSH, 0.20, seed),
        Place("open air", {"kind": "open-air"}, "RRRRRR", SNAKE, 0.20, seed),
        Place("terrain", {"kind": "terrain"}, "RRRRRR", SNAKE, 0.20, seed),
        Place("user STL", {**mesh, "surface": {"friction": 0.0}}, "TRRH", PUSH, 0.20, seed),
    )


def tube_stl(path: Path) -> None:
    """What a user might draw: a tube along x, in millimetres."""
    import trimesh

    inner = BORE_MM / 2
    tube = trimesh.creation.annulus(inner, inner + WALL_MM, height=TUBE_MM, sections=FACETS)
    along_x = np.eye(4)
    along_x[:3, :3] = [[0, 0, 1], [0, 1, 0], [-1, 0, 0]]
    along_x[0, 3] = TUBE_MM / 2
    tube.apply_transform(along_x)
    tube.export(path)


def visit(place: Place) -> Visit:
    world = parse_world(place.world, worlds())
    sim = simulation(place.chain, world, seed=place.seed)
    looks = drive(
        sim, place.gaits, SECONDS, lambda run: (run.now_ns / 1e9, run.progress(), _outside(run))
    )
    time, progress, outside = zip(*looks, strict=True)
    return Visit(time, progress, any(outside))


def _outside(sim: Simulation) -> bool:
    """Whether a module's middle has left the room its world gives it."""
    centres = np.array([sim.placement(module.name).at for module in sim.robot.modules])
    world = sim.world
    if isinstance(world, Pipe):
        tubes = sim.plan.scenery.tubes
        return tubes is None or bool((tubes.clearance(centres) < 0).any())
    if world.kind == "mesh":
        beyond = (centres[:, 0] < 0) | (centres[:, 0] > TUBE_MM / 1000)
        return bool((beyond | (np.hypot(centres[:, 1], centres[:, 2]) > BORE_MM / 2000)).any())
    if isinstance(world, Terrain):
        aside = np.abs(centres[:, 1]) > world.width_mm / 2000
        under = [z < world.height(x) for x, _, z in centres]
        return bool(aside.any() or any(under))
    return bool((centres[:, 2] < 0).any())


def experiment(bench: Bench) -> Outcome:
    with TemporaryDirectory() as folder:
        stl = Path(folder) / "tube.stl"
        tube_stl(stl)
        todo = places(stl, bench.seed)
        visits = bench.map(visit, todo, what="visiting")
    fine = {
        place.name: seen.distance >= place.least_m and not seen.escaped
        for place, seen in zip(todo, visits, strict=True)
    }
    shown = ", ".join(
        f"{place.name} {100 * seen.distance:.0f} cm{' (escaped)' if seen.escaped else ''}"
        for place, seen in zip(todo, visits, strict=True)
    )
    return Outcome(
        ours=f"{shown} in {SECONDS:.0f} s",
        passed=all(fine.values()),
        note=(
            f"At least {100 * todo[0].least_m:.0f} cm asked for in each, no module outside. Pipe "
            f"with an elbow, and an STL tube of {FACETS} facets written for this run: T R R H, "
            f"pushed by H with limp joints; open air and undulating ground: six R, vertical wave."
        ),
        values={
            **{
                f"{place.name.replace(' ', '_')}_m": seen.distance
                for place, seen in zip(todo, visits, strict=True)
            },
        },
        plots=(
            Figure(
                "Progress in each environment",
                "time, s",
                "progress, cm",
                tuple(
                    Series.of(place.name, seen.time, 100 * np.array(seen.progress))
                    for place, seen in zip(todo, visits, strict=True)
                ),
            ),
        ),
    )
