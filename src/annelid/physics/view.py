"""Camera positions for people: where to stand to see a robot.

Two questions are asked of a camera: *show me everything* (``overview``) and *go with the robot*
(``follow``).  Both fit a cloud of points into the picture exactly, so that a chain of sixty modules
and a single one fill their frames alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import cos, radians, sin, tan
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.physics.frames import rotate

if TYPE_CHECKING:
    from annelid.physics.build import Plan
    from annelid.worlds.scenery import Scenery

Floats = NDArray[np.float64]

MARGIN = 1.12
"""Air around what is shown."""

_DIRECTIONS = [
    (azimuth, elevation)
    for elevation in (-22.0, -35.0, -50.0)
    for azimuth in (90.0, 70.0, 110.0, 50.0, 130.0)
]
"""From the robot's right, so that it goes to the right in the picture, and from above."""

_ROUND = [
    (azimuth, elevation)
    for elevation in (-20.0, -35.0, 0.0, 35.0, 50.0)
    for azimuth in (30.0, -30.0, 50.0, -50.0, 90.0, -90.0, 130.0, -130.0, 150.0, -150.0)
]
"""For walls and ceilings, which want to be seen from their own side."""

LEVEL = 0.9
"""Cosine of the slope up to which a plane is looked at as a floor."""
ASLANT = (0.45, 0.85)
"""How squarely a plane is looked at, 1 being from straight above: at less it is a line, at more the
robot has no depth."""


@dataclass(frozen=True)
class CameraView:
    """The engine's free camera: it looks at a point from a distance."""

    at: tuple[float, float, float]
    distance: float
    azimuth_deg: float
    elevation_deg: float

    def moved_to(self, at: Sequence[float]) -> CameraView:
        return replace(self, at=(float(at[0]), float(at[1]), float(at[2])))


def overview(
    plan: Plan,
    states: Iterable[Floats],
    *,
    aspect: float,
    direction: tuple[float, float] | None = None,
) -> CameraView:
    """The whole world, and the robot in all of ``states``."""
    robot = [robot_points(plan, qpos) for qpos in states]
    points = np.concatenate([*robot, *_scenery_points(plan.scenery)])
    if direction is None:
        direction = max(
            _choices(plan.scenery), key=lambda choice: round(_seen_area(points, choice), 12)
        )
    return fit(points, fovy=_fovy(plan), aspect=aspect, direction=direction)


def _choices(scenery: Scenery) -> Sequence[tuple[float, float]]:
    """Directions to look in: where a plane is inclined, those that see its front aslant."""
    normals = [
        rotate(block.turn, np.array([0.0, 0.0, 1.0]))
        for block in scenery.blocks
        if block.shape == "plane"
    ]
    tilted = [normal for normal in normals if normal[2] < LEVEL]
    if not tilted:
        return _DIRECTIONS
    low, high = ASLANT

    def good(choice: tuple[float, float]) -> bool:
        forward = _axes(*choice)[2]
        return all(low <= -float(forward @ normal) <= high for normal in tilted)

    return [choice for choice in _ROUND if good(choice)] or _DIRECTIONS


def follow(
    plan: Plan, states: Sequence[Floats], *, aspect: float, direction: tuple[float, float]
) -> list[CameraView]:
    """A camera beside the robot, one view for each of ``states``.

    It keeps its distance and glides: the centre is smoothed over a few frames, because a camera
    that repeats every wave of the body hides the wave.
    """
    clouds = [robot_points(plan, qpos) for qpos in states]
    centres = np.array([(cloud.min(axis=0) + cloud.max(axis=0)) / 2 for cloud in clouds])
    smooth = _smoothed(centres, width=max(1, len(states) // 12))
    spread = np.concatenate([cloud - centre for cloud, centre in zip(clouds, smooth, strict=True)])
    view = fit(spread, fovy=_fovy(plan), aspect=aspect, direction=direction)
    return [view.moved_to(np.asarray(view.at) + centre) for centre in smooth]


def fit(
    points: Floats, *, fovy: float, aspect: float, direction: tuple[float, float] | None = None
) -> CameraView:
    """The nearest place from which all points are in the picture, looking in ``direction``
    (azimuth and elevation, degrees); by default the one that foreshortens them least."""
    if direction is None:
        direction = max(_DIRECTIONS, key=lambda choice: _seen_area(points, choice))
    return _fit(points, fovy, aspect, *direction)


def _axes(azimuth: float, elevation: float) -> tuple[Floats, Floats, Floats]:
    """(right, up, forward) of a camera."""
    a, e = radians(azimuth), radians(elevation)
    forward = np.array([cos(e) * cos(a), cos(e) * sin(a), sin(e)])
    right = np.array([sin(a), -cos(a), 0.0])
    return right, np.cross(right, forward), forward


def _seen_area(points: Floats, direction: tuple[float, float]) -> float:
    """How wide the cloud spreads in the picture, as a variance in both directions."""
    right, up, _ = _axes(*direction)
    return float(np.linalg.det(np.cov(np.stack([points @ right, points @ up]))))


def _fit(
    points: Floats, fovy: float, aspect: float, azimuth: float, elevation: float
) -> CameraView:
    right, up, forward = _axes(azimuth, elevation)
    half_height = tan(radians(fovy) / 2)
    half_width = half_height * aspect
    # Points in the camera's axes; the place that sees them all is bounded by four planes.
    x, y, z = points @ right, points @ up, points @ forward
    centre_x, back_x = _between(x, z, half_width)
    centre_y, back_y = _between(y, z, half_height)
    depth = float((z.min() + z.max()) / 2)
    distance = max(back_x, back_y) + depth
    at = centre_x * right + centre_y * up + depth * forward
    floor = 0.02
    return CameraView(tuple(at.tolist()), max(distance * MARGIN, floor), azimuth, elevation)


def _between(across: Floats, depth: Floats, slope: float) -> tuple[float, float]:
    """Where to stand across the picture, and how far back from depth zero, so that
    ``|across - centre| <= slope · (depth + back)`` for all points."""
    high = float((across - slope * depth).max())
    low = float((across + slope * depth).min())
    return (high + low) / 2, (high - low) / 2 / slope


def robot_points(plan: Plan, qpos: Floats) -> Floats:
    """The centres of everything that moves, each with the width of a module around it."""
    model = plan.model
    data = mujoco.MjData(model)
    data.qpos[:] = qpos
    mujoco.mj_kinematics(model, data)
    moving = model.geom_bodyid > 0
    centres = data.geom_xpos[moving]
    reach = np.minimum(model.geom_rbound[moving], 0.03)[:, None]
    sides = np.concatenate([np.eye(3), -np.eye(3)])
    cloud: Floats = np.concatenate([centres + reach * side for side in sides])
    return cloud


def _scenery_points(scenery: Scenery) -> list[Floats]:
    """Corners of all that has an end; a floor without one is not something to fit."""
    clouds = [np.asarray(looks.vertices, float)[::7] for looks in scenery.looks]
    clouds += [np.asarray(solid.points, float) for solid in scenery.solids]
    if scenery.heights is not None:
        x, y = scenery.heights.half_x, scenery.heights.half_y
        high = float(scenery.heights.grid.max())
        clouds.append(np.array([(a, b, c) for a in (-x, x) for b in (-y, y) for c in (0.0, high)]))
    signs = np.array([(a, b, c) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)], float)
    for block in scenery.blocks:
        if block.shape == "plane":
            continue
        size = np.array([*block.size, *[block.size[-1]] * 2][:3])
        if block.shape == "cylinder":
            size = np.array([block.size[0], block.size[0], block.size[1]])
        clouds.append(
            np.array([np.asarray(block.at) + rotate(block.turn, s * size) for s in signs])
        )
    return clouds


def _smoothed(path: Floats, *, width: int) -> Floats:
    """A moving average that stands still at the ends."""
    padded = np.pad(path, ((width, width), (0, 0)), mode="edge")
    kernel = np.ones(2 * width + 1) / (2 * width + 1)
    return np.stack([np.convolve(column, kernel, mode="valid") for column in padded.T], axis=1)


def _fovy(plan: Plan) -> float:
    return float(plan.model.vis.global_.fovy)
