"""Rotations and rigid placements, scalar-first quaternions as the engine has them."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Placement:
    """Where a frame stands in another: ``point_there = at + turn · point_here``."""

    at: Floats
    turn: Floats

    @classmethod
    def of(cls, at: ArrayLike = (0, 0, 0), turn: ArrayLike = (1, 0, 0, 0)) -> Placement:
        return cls(np.asarray(at, dtype=np.float64), np.asarray(turn, dtype=np.float64))

    def __matmul__(self, inner: Placement) -> Placement:
        return Placement(self.at + rotate(self.turn, inner.at), multiply(self.turn, inner.turn))

    def inverse(self) -> Placement:
        back = np.array([self.turn[0], *-self.turn[1:]])
        return Placement(-rotate(back, self.at), back)


def multiply(first: ArrayLike, second: ArrayLike) -> Floats:
    out = np.empty(4)
    mujoco.mju_mulQuat(out, np.asarray(first, float), np.asarray(second, float))
    return out


def rotate(turn: ArrayLike, vector: ArrayLike) -> Floats:
    out = np.empty(3)
    mujoco.mju_rotVecQuat(out, np.asarray(vector, float), np.asarray(turn, float))
    return out


def about(axis: ArrayLike, angle: float) -> Floats:
    """The rotation by ``angle`` about a unit ``axis``."""
    return np.array([cos(angle / 2), *(sin(angle / 2) * np.asarray(axis, float))])


def onto(axis: ArrayLike) -> Floats:
    """The rotation that takes z, the engine's long axis of shapes, onto ``axis``."""
    out = np.empty(4)
    direction = np.asarray(axis, float)
    mujoco.mju_quatZ2Vec(out, direction / np.linalg.norm(direction))
    return out


def tilt(turn: ArrayLike) -> float:
    """Angle between a frame's up and the world's, rad."""
    return float(np.arccos(np.clip(rotate(turn, (0, 0, 1))[2], -1.0, 1.0)))
