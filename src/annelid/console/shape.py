"""Describes a simulated robot to the page: its model, its modules, its servos."""

from __future__ import annotations

import mujoco
import numpy as np

from annelid.console.messages import ServoLabel
from annelid.physics.simulation import Simulation
from annelid.robot.body import DriveMount, LinearMount, Mount


def saved(model: mujoco.MjModel) -> bytes:
    """The compiled model, to be loaded in another process."""
    buffer = np.empty(mujoco.mj_sizeModel(model), np.uint8)
    mujoco.mj_saveModel(model, None, buffer)
    return buffer.tobytes()


def modules(sim: Simulation) -> tuple[tuple[str, str], ...]:
    return tuple((each.name, each.type.title) for each in sim.robot.modules)


def servos(sim: Simulation) -> tuple[ServoLabel, ...]:
    return tuple(ServoLabel(motor.name, *_for_people(motor.mount)) for motor in sim.plan.motors)


def _for_people(mount: Mount) -> tuple[str, float]:
    if isinstance(mount, LinearMount):
        return "mm", 1000.0
    if isinstance(mount, DriveMount):
        return "%", 100.0
    return "°", 180.0 / np.pi
