"""Sets a robot down with its tolerances: a little turned, shifted and bent."""

from __future__ import annotations

import mujoco
import numpy as np

from annelid.physics.build import Plan
from annelid.physics.frames import Placement, rotate


def put_down(plan: Plan, data: mujoco.MjData, begin: dict[str, Placement]) -> None:
    """Bend the joints in ``data``, and move the first module of each piece (``begin``), by the
    drawn start.  Between walls a robot is not shifted to a side."""
    start = plan.built.start
    for name, off in start.joints.items():
        module, _, joint = name.partition(".")
        data.qpos[plan.model.joint(f"{module}/{joint}").qposadr[0]] += off
    for piece, place in begin.items():
        ahead, left = start.shifts.get(piece, (0.0, 0.0))
        turn = np.array(start.turns.get(piece, (0.0, 0.0, 0.0)))
        aside = 0.0 if plan.world.walled else left
        if ahead or aside:
            place.at[:] += rotate(place.turn, (ahead, aside, 0.0))
        if turn.any():
            mujoco.mju_quatIntegrate(place.turn, turn, 1.0)


def press_in_wheels(plan: Plan, data: mujoco.MjData) -> None:
    """Begin with sprung wheels pressed in, as a hand does that puts the robot into a tube.

    Relaxed they reach into its wall.  A drawn pipe pushes them back however deep they are; the wall
    of a user's mesh is as thick as it was drawn, and a wheel beyond its middle is pushed out of the
    tube and holds the robot there.
    """
    if not plan.world.walled or plan.scenery.tubes is not None:
        return
    model = plan.model
    slides = model.jnt_type == mujoco.mjtJoint.mjJNT_SLIDE
    for joint in np.flatnonzero(slides & (model.jnt_stiffness > 0) & (model.jnt_limited > 0)):
        place = model.jnt_qposadr[joint]
        ends, relaxed = model.jnt_range[joint], model.qpos_spring[place]
        data.qpos[place] = ends[np.argmax(np.abs(ends - relaxed))]
