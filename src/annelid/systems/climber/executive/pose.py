"""Poses of the body, interpolation between them, and feet as seen from a pose (003 §4.1).

Orientations are interpolated on the sphere (SLERP), positions on the straight line, as in the
paper; for rotation matrices SLERP is a share of the one turn between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import acos, cos, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class BodyPose:
    """``point_world = at + turn @ point_body``."""

    at: Floats
    turn: Floats
    """A rotation matrix."""

    @classmethod
    def of(cls, at: ArrayLike = (0.0, 0.0, 0.0), rotation: ArrayLike = (0.0, 0.0, 0.0)) -> BodyPose:
        """``rotation``: axis times angle, rad."""
        return cls(np.asarray(at, float), turned(np.asarray(rotation, float)))

    def out(self, points: Floats) -> Floats:
        """Points of the body, in the world."""
        world: Floats = self.at + points @ self.turn.T
        return world

    def into(self, points: Floats) -> Floats:
        """Points of the world, in the body: eq 4 for feet that stay where they are (eq 3)."""
        inside: Floats = (points - self.at) @ self.turn
        return inside

    def __matmul__(self, inner: BodyPose) -> BodyPose:
        return BodyPose(self.at + self.turn @ inner.at, self.turn @ inner.turn)


def turned(rotation: Floats) -> Floats:
    """Rodrigues' formula: the matrix of a turn given as axis times angle."""
    x, y, z = rotation.tolist()
    angle = (x * x + y * y + z * z) ** 0.5
    if angle < 1e-12:
        return np.array([[1.0, -z, y], [z, 1.0, -x], [-y, x, 1.0]])
    s, c = sin(angle) / angle, (1 - cos(angle)) / angle**2
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    matrix: Floats = np.eye(3) + s * cross + c * (cross @ cross)
    return matrix


def rotation_of(turn: Floats) -> Floats:
    """The inverse of ``turned``, for turns of less than half a circle."""
    axis = np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]]) / 2
    length = float(np.linalg.norm(axis))
    if length < 1e-9:
        return axis
    angle = acos(min(max((float(np.trace(turn)) - 1) / 2, -1.0), 1.0))
    return axis * (angle / length)


def between(start: BodyPose, end: BodyPose, share: float) -> BodyPose:
    """The pose at ``share`` of the way: linear in place, SLERP in orientation."""
    step = rotation_of(start.turn.T @ end.turn)
    at: Floats = start.at + (end.at - start.at) * share
    return BodyPose(at, start.turn @ turned(step * share))


def apart(start: BodyPose, end: BodyPose) -> tuple[float, float]:
    """(distance m, angle rad) between two poses."""
    way = float(np.linalg.norm(end.at - start.at))
    return way, float(np.linalg.norm(rotation_of(start.turn.T @ end.turn)))
