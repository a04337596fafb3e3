"""How a robot that was drawn is put down: a little turned, shifted and bent."""

from __future__ import annotations

import mujoco
import numpy as np

from annelid.physics.build import Plan
from annelid.physics.frames import rotate


def put_down(plan: Plan, data: mujoco.MjData) -> None:
    """Move the pose in ``data`` by the drawn start.  In a bore the wall, not a hand, decides how
    far a robot lies to a side."""
    start = plan.built.start
    for name, off in start.joints.items():
        module, _, joint = name.partition(".")
        data.qpos[plan.model.joint(f"{module}/{joint}").qposadr[0]] += off
    for root in plan.roots:
        piece = root.split("/")[0]
        ahead, left = start.shifts.get(piece, (0.0, 0.0))
        turn = np.array(start.turns.get(piece, (0.0, 0.0, 0.0)))
        place = plan.model.joint(f"{piece}/free").qposadr[0]
        pose = data.qpos[place : place + 7]
        aside = left if plan.world.bore is None else 0.0
        if ahead or aside:
            pose[:3] += rotate(pose[3:].copy(), (ahead, aside, 0.0))
        if turn.any():
            mujoco.mju_quatIntegrate(pose[3:], turn, 1.0)
