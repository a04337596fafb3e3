"""The grey camera of the robot (000 §2.1), by ray casting, with one lamp at the lens.

Brightness is the surface's grey times the cosine of incidence, falling with distance as light
does.  Surface normals come from the neighbouring pixels' points, so every world is shaded alike.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.physics.frames import onto
from annelid.physics.rays import Rays
from annelid.robot.body import Camera

Floats = NDArray[np.float64]
Picture = NDArray[np.uint8]

REACH = 2.0
"""Farthest thing seen, m."""

LAMP = 0.12
"""Distance at which the lamp's light has fallen to half, m."""


WHITE = 0.6
"""Light that saturates a pixel."""


def directions(camera: Camera) -> Floats:
    """Unit ray per pixel in the part's frame, rows from the top; shape (height, width, 3)."""
    half = np.tan(camera.field_of_view / 2)
    across = np.linspace(-half, half, camera.width)
    down = np.linspace(-half, half, camera.height) * camera.height / camera.width
    rays = np.empty((camera.height, camera.width, 3))
    rays[..., 0] = 1.0
    rays[..., 1] = -across[None, :]
    rays[..., 2] = -down[:, None]
    rays /= np.linalg.norm(rays, axis=2, keepdims=True)
    forward = np.asarray(camera.direction, dtype=float)
    if not np.allclose(forward / np.linalg.norm(forward), (1.0, 0.0, 0.0)):
        # From looking along x to looking along ``direction``: by way of z, the engine's axis.
        rays = rays @ _matrix(onto((1.0, 0.0, 0.0))) @ _matrix(onto(forward)).T
    return rays


def _matrix(turn: Floats) -> Floats:
    out = np.empty(9)
    mujoco.mju_quat2Mat(out, turn)
    return out.reshape(3, 3)


def take(
    rays: Rays, eye: Floats, looking: Floats, noise: float, draw: np.random.Generator
) -> Picture:
    """One picture from ``eye`` along world directions ``looking`` (height, width, 3)."""
    height, width, _ = looking.shape
    distance, grey = rays.cast(eye, np.ascontiguousarray(looking.reshape(-1, 3)), REACH)
    distance, grey = distance.reshape(height, width), grey.reshape(height, width)
    points = looking * distance[..., None]
    along, across = np.gradient(points, axis=0), np.gradient(points, axis=1)
    normals = np.cross(across, along)
    length = np.linalg.norm(normals, axis=2)
    length[length == 0] = 1.0
    incidence = np.abs(np.einsum("hwk,hwk->hw", normals, looking)) / length
    light = grey * (0.25 + 0.75 * incidence) / (1 + (distance / LAMP) ** 2)
    shown = 255 * light / WHITE + draw.normal(0.0, noise, light.shape) * (noise > 0)
    picture: Picture = np.clip(np.rint(shown), 0, 255).astype(np.uint8)
    return picture
