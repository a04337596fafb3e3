"""A scenario as MJCF, for plain MuJoCo: the same bodies, joints, motors and ground.

What the plain engine lacks is left out and told in the file: the electronics around the motors
(dead band, measured currents, overcurrent trips), the time that a suction cup needs, a tether,
boards and programs.  The analytic wall of a pipe is replaced by convex pieces of a mesh.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Final

import mujoco
import numpy as np

from annelid.boundary.files import write_file
from annelid.physics.build import Plan, build
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount, Touches
from annelid.worlds.prisms import prisms
from annelid.worlds.scenery import Scenery, Solid

FACETS: Final = 16
"""Of a pipe's wall, round its bore."""

WALL: Final = 0.004
"""Thickness of the pieces, m."""

START: Final = "start"
"""Name of the keyframe in which the scenario begins."""


def write_mjcf(sim: Simulation, out: Path) -> Path:
    """Write the model; ``sim`` stands at its start."""
    return write_file(out, mjcf(sim))


def mjcf(sim: Simulation) -> str:
    plan = sim.plan
    scenery = plan.scenery if plan.scenery.tubes is None else _with_walls(plan.scenery)
    plain = build(plan.robot, plan.world, plan.physics, scenery=scenery, built=plan.built)
    spec = plain.spec
    for cup in plain.cups:
        spec.actuator(cup.name).dyntype = mujoco.mjtDyn.mjDYN_NONE
        spec.actuator(cup.name).actdim = 0
    spec.delete(spec.numeric("electrics"))
    spec.nuserdata = 0
    spec.modelname = plan.robot.letters
    key = spec.add_key(name=START)
    key.qpos, key.ctrl = sim.data.qpos, sim.data.ctrl
    spec.compile()
    text: str = spec.to_xml()
    head, rest = text.split("\n", 1)
    return f"{head}\n{_notes(plain)}\n{rest}"


def _with_walls(scenery: Scenery) -> Scenery:
    """Convex pieces where a pipe had an analytic wall."""
    assert scenery.tubes is not None
    vertices, faces = scenery.tubes.mesh(FACETS)
    pieces = prisms(np.asarray(vertices, float), faces.astype(np.int64), depth=WALL)
    solids = tuple(Solid(points) for points in pieces)
    return replace(scenery, tubes=None, solids=solids, meets=Touches.PIPE)


def _notes(plan: Plan) -> str:
    """What the reader of the file must know."""
    lines = [f'Load the keyframe "{START}" first: there the robot stands as in the scenario.']
    drives = [m.name for m in plan.motors if isinstance(m.mount, DriveMount)]
    others = "Controls of servos are angles (rad), of linear servos places (m)"
    lines.append(f"{others}, of drives volts." if drives else f"{others}.")
    lines.append("Not in this file: dead band, current measurement and trips of the servos.")
    if drives:
        lines.append(
            "A drive at 0 V is not braked: set tendon frictionloss of NAME/brake to hold it."
        )
    if plan.cups:
        lines.append("A suction cup (control 0 to 1) holds at once; Annelid's needs time.")
    if any(isinstance(solid, Solid) for solid in plan.scenery.solids):
        lines.append(f"Pipe walls are {len(plan.scenery.solids)} convex pieces, {FACETS} round.")
    return "\n".join(["  <!--", *(f"    {line}" for line in lines), "  -->"])
