"""The ground as feet have found it: a plane, or a surface that bends.

A bent surface is fitted as a paraboloid to the latest footholds; without many of them it is taken
to be flat.  The planner's world is laid along it: whenever a foot has been put down the world is
*rolled* so that the surface below the body is level again and the feet stand at z = 0 in the mean.
Nothing moves by that; but the body is then not level any more, and the trajectory levels it.  A way
on a drum is therefore told, and walked, as if the drum were unrolled.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.executive.pose import BodyPose, turned

Floats = NDArray[np.float64]

KEPT: Final = 18
"""Footholds that are remembered."""
NOISE: Final = 0.002
"""Of a foothold's height, m."""
PRIOR: Final = np.array([0.1, 0.4, 0.4, 2.0, 2.0, 2.0])
"""What height (m), slopes and curvatures (1/m) may be."""


class Ground:
    def __init__(self, *, curved: bool) -> None:
        self.curved = curved
        self._points: list[Floats] = []
        self._middle: Floats = np.zeros(2)
        self._shape: Floats = np.zeros(6)

    def found(self, foot: Floats) -> None:
        """A foot stands there, in the world."""
        self._points = [*self._points[1 - KEPT :], foot.copy()]
        points = np.array(self._points)
        self._middle = points[:, :2].mean(axis=0)
        rows = self._terms(points) / NOISE
        regular = np.diag(1 / PRIOR)
        left, right = np.vstack([rows, regular]), np.append(points[:, 2] / NOISE, np.zeros(6))
        self._shape = np.asarray(np.linalg.lstsq(left, right, rcond=None)[0], dtype=np.float64)

    def heights(self, places: Floats) -> Floats:
        """Of the surface there, (m,)."""
        heights: Floats = self._terms(places) @ self._shape
        return heights

    def normals(self, places: Floats) -> Floats:
        """Away from the surface there, (m, 3)."""
        x, y = (places[:, :2] - self._middle).T
        _, b, c, xx, xy, yy = self._shape
        normals = np.stack([-(b + xx * x + xy * y), -(c + xy * x + yy * y), np.ones(len(x))], 1)
        unit: Floats = normals / np.linalg.norm(normals, axis=1)[:, None]
        return unit

    def levelling(self, at: Floats, feet: Floats) -> BodyPose:
        """What brings the surface below ``at`` level and the mean height of ``feet`` to 0; the
        place stays where it is.  How far the surface bulges between feet is not known."""
        below = np.array([at[0], at[1], float(feet[:, 2].mean())])
        axis = np.cross(self.normals(at[None])[0], UP)
        length = float(np.linalg.norm(axis))
        turn = turned(axis * (np.arcsin(min(length, 1.0)) / max(length, 1e-12)))
        there = BodyPose(below * (1.0, 1.0, 0.0) - turn @ below, turn)
        return BodyPose(there.at - there.out(feet)[:, 2].mean() * UP, turn)

    def roll(self, by: BodyPose) -> None:
        points = [by.out(point) for point in self._points]
        self._points = points[:-1]
        self.found(points[-1])

    def _terms(self, places: Floats) -> Floats:
        x, y = (places[:, :2] - self._middle).T
        return np.stack([np.ones(len(x)), x, y, x * x / 2, x * y, y * y / 2], axis=1)
