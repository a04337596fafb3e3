"""The cable the tail drags: friction that grows with the length paid out, and an end to it.

It acts on the last module along its own axis, against its motion, at every step.  How the cable
lies in the bends behind is not modelled; ``drag_n_per_m`` stands for it.
"""

from __future__ import annotations

import math
from typing import Any, Final

import mujoco
from numba import njit

from annelid.physics.build import Plan

USERDATA: Final = 2
"""Where the tether's values start in ``userdata`` (see ``electrics.HEADER``)."""

BODY, DRAG, PAID, LENGTH, LAST, STIFFNESS = 0, 1, 2, 3, 4, 7

TAUT: Final = 300.0
"""Stiffness of the cable at its end, N/m."""

CREEP: Final = 0.002
"""Speed above which the friction is fully there, m/s."""

LIGHT: Final = 0.02
"""Mass for which the friction is still stable at any timestep, kg."""


def attach(plan: Plan, data: mujoco.MjData) -> None:
    """Tie the world's tether, if it has one, to the back of the last module."""
    cable = plan.world.tether
    if cable is None:
        return
    tail = plan.robot.modules[-1]
    body = plan.model.body(f"{tail.name}/{tail.body.face('back').part}").id
    user = data.userdata[USERDATA:]
    user[BODY] = body
    user[DRAG], user[LENGTH], user[STIFFNESS] = cable.drag_n_per_m, cable.length_m, TAUT
    user[LAST : LAST + 3] = data.xpos[body]


def paid_out(data: mujoco.MjData) -> float:
    """Cable pulled in behind the robot so far, m."""
    return float(data.userdata[USERDATA + PAID])


@njit(error_model="numpy")
def drag(user: Any, at: int, places: Any, turns: Any, forces: Any, h: float) -> None:
    """Add the cable's pull to the tail's external force."""
    body = int(user[at + BODY])
    forward = 0.0
    for axis in range(3):
        here = places[3 * body + axis]
        forward += (here - user[at + LAST + axis]) * turns[9 * body + 3 * axis]
        user[at + LAST + axis] = here
    paid = max(user[at + PAID] + forward, 0.0)
    user[at + PAID] = paid
    friction = user[at + DRAG] * paid
    pull = friction * math.tanh(forward / h / (CREEP + friction * h / LIGHT))
    if paid > user[at + LENGTH]:
        pull += user[at + STIFFNESS] * (paid - user[at + LENGTH])
    for axis in range(3):
        forces[6 * body + axis] = -pull * turns[9 * body + 3 * axis]
