"""Finds the corners of a robot that can touch a plane; only these get contact points.

A box that lies on a plane touches it in four corners, so three boxes in a row that hang rigidly
together touch it in twelve, and the solver pays for every one of them.  A rigid thing meets a plane
only in the corners of its convex hull: the others carry nothing that those do not.  So planes meet
small spheres in the corners of the hull of each rigid stretch of robot, and boxes meet everything
else (obstacles, terrain, meshes, other modules).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from annelid.physics.frames import Placement, rotate
from annelid.robot.body import Geom

POINT = 0.0002
"""Radius of a point, m: it touches all three sides of its corner from within."""

SOLIMP = (0.0, 0.99, 0.00004, 0.5, 1.0)
"""Impedance of a point.  A few points carry what many corners carried; as soft as the world's they
would slip half as fast again on a slope."""

DECIDES = 1e6
"""Weight of that against the plane's."""

APART = 1e-6
"""Corners nearer than this to what others span are not corners of the hull, m."""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Sole:
    """One box as part of a rigid stretch."""

    body: mujoco.MjsBody
    place: Placement
    """Of the body in the stretch."""
    box: Geom
    feel: Mapping[str, Any]
    """Its side of a contact, in the engine's words."""


@dataclass
class RigidStretch:
    """Bodies without a joint between them."""

    soles: list[Sole] = field(default_factory=list)

    def points(self) -> Iterator[tuple[Sole, Floats]]:
        """The corners of the hull: whose they are, and where in that body."""
        corners: list[tuple[Sole, Floats]] = []
        inside: list[Floats] = []
        for sole in self.soles:
            for sign in product((-1.0, 1.0), repeat=3):
                here = np.asarray(sole.box.at) + np.asarray(sign) * sole.box.size
                inside.append(sole.place.at + rotate(sole.place.turn, here))
                corners.append((sole, here - np.asarray(sign) * POINT))
        for number in _outermost(np.array(inside)):
            yield corners[number]


def _outermost(points: Floats) -> list[int]:
    """Corners of the convex hull; of those that coincide, the first."""
    hull = ConvexHull(points)
    kept: list[int] = []
    for number in sorted(int(vertex) for vertex in hull.vertices):
        through = [
            plane for plane in hull.equations if abs(plane[:3] @ points[number] + plane[3]) < APART
        ]
        # In the middle of an edge or a face the planes through it do not fix a point.
        spread = np.linalg.svd(np.array(through)[:, :3], compute_uv=False)
        fixed = len(spread) == 3 and spread[2] > 1e-3
        if fixed and all(np.linalg.norm(points[number] - points[k]) > APART for k in kept):
            kept.append(number)
    return kept
