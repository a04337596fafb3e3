"""A robot driven by gaits for a while: the loop that the experiments on movement share.

They look at the physics at every control tick and keep what they see; a trial (``annelid.trial``)
does the same for users, with a run folder, which an experiment of hundreds of runs does not need.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import mujoco
import numpy as np

from annelid.kernel import to_seconds
from annelid.modules import shelf
from annelid.motion import bind, parse_gaits
from annelid.physics.frames import Placement, rotate
from annelid.physics.settings import Physics
from annelid.physics.simulation import Simulation
from annelid.robot import Robot, assemble, chain
from annelid.worlds import World, parse_world, worlds

Seen = TypeVar("Seen")

TICK_S = 0.010
"""Control tick of these experiments, s: phases of the inchworm are whole numbers of it."""

JITTER = 0.01
"""Of the first joint angles, rad: runs that differ by the seed alone differ by this."""


def robot(letters: str, **each: Mapping[str, Any]) -> Robot:
    return assemble(chain(letters, **each), shelf())


def straight_pipe(
    slope_deg: float = 0.0, *, length_mm: float = 2000.0, bore_mm: float = 40
) -> World:
    """Closed behind the robot where it is steep: somebody holds it until it holds itself."""
    parts = [{"part": "straight", "length_mm": length_mm}]
    launch = "closed" if slope_deg else "open"
    table = {
        "kind": "pipe",
        "bore_mm": bore_mm,
        "slope_deg": slope_deg,
        "parts": parts,
        "launch": launch,
    }
    return parse_world(table, worlds())


def open_air(**table: Any) -> World:
    return parse_world({"kind": "open-air", **table}, worlds())


def simulation(
    who: Robot | str,
    world: World,
    *,
    seed: int = 0,
    jitter: float = JITTER,
    ahead_m: float = 0.0,
    **physics: Any,
) -> Simulation:
    """``ahead_m`` puts the robot that far into the pipe: in a steep one it would otherwise slide
    back onto the closed end of the launch tube before its supports have spread."""
    made = robot(who) if isinstance(who, str) else who
    settings = Physics.parse(physics, where="physics")
    run = Simulation(made, world, settings, seed=seed, jitter=jitter)
    if ahead_m:
        forward = rotate(np.asarray(run.plan.scenery.start.turn), (1.0, 0.0, 0.0))
        first = made.modules[0].name
        here = run.placement(first)
        run.put(first, Placement(here.at + ahead_m * forward, here.turn))
        mujoco.mj_forward(run.model, run.data)
    return run


def drive(
    run: Simulation,
    gaits: Sequence[Mapping[str, Any]],
    seconds: float,
    look: Callable[[Simulation], Seen],
    *,
    tick_s: float = TICK_S,
) -> list[Seen]:
    """Command ``gaits`` for ``seconds`` from now; what ``look`` saw after every tick."""
    bound = bind(parse_gaits(gaits), run.robot)
    steps = max(1, round(tick_s * 1e9) // run.step_ns)
    start, seen = run.now_ns, []
    while run.now_ns - start < round(seconds * 1e9):
        run.actuators.write(bound.values(to_seconds(run.now_ns - start)))
        run.advance(steps)
        seen.append(look(run))
    return seen


def along(run: Simulation, module: str) -> float:
    """How far along the world's way a module's front is, m."""
    x, y, z = run.placement(module).at.tolist()
    return run.world.progress((x, y, z))
