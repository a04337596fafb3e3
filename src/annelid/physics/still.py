"""Draws a still picture: the whole world, with the robot in its last recorded state."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annelid.physics.render import Image, Painter
from annelid.physics.view import overview, robot_points

if TYPE_CHECKING:
    from annelid.physics.build import Plan

Floats = NDArray[np.float64]

SIZE = (1280, 720)
GHOSTS = 3
"""Earlier moments in the picture, at most."""


def still(plan: Plan, qpos: Floats) -> Image:
    """The last of the recorded states, with ghosts of earlier ones that stand clear of it."""
    samples = qpos[np.linspace(0, len(qpos) - 1, 40).astype(int)]
    width, height = SIZE
    view = overview(plan, samples[::3], aspect=width / height)
    with Painter(plan.model, width=width, height=height) as painter:
        return painter.frame(samples[-1], view, ghosts=_apart(plan, samples))


def encode(picture: Image, kind: str) -> bytes:
    """PNG to keep, JPEG to put into a page."""
    from PIL import Image as Pictures

    buffer = io.BytesIO()
    Pictures.fromarray(picture).save(buffer, format=kind, quality=88)
    return buffer.getvalue()


def _apart(plan: Plan, samples: Floats) -> list[Floats]:
    """Moments at which the robot had moved on by most of its length."""
    apart = 0.85 * plan.robot.length
    places = [robot_points(plan, qpos).mean(axis=0) for qpos in samples]
    taken = [len(samples) - 1]
    for k in range(len(samples)):
        if all(float(np.linalg.norm(places[k] - places[j])) > apart for j in taken):
            taken.append(k)
    return [samples[k] for k in taken[1 : GHOSTS + 1]]
