"""Turns a pipe network into triangles, for pictures and for the engine's own ray casting.

Contact never sees this mesh: 48 facets are 0.05 mm off the wall (LAB).
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from annelid.worlds.tubes import Tube, TubeNetwork


def mesh(
    network: TubeNetwork, *, facets: int = 48
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """(vertices, faces), wound so that the bore is in front of every triangle.  Open at open ends;
    at a tee the triangles inside the other tube are left out."""
    points: list[NDArray[np.float64]] = []
    faces: list[NDArray[np.int32]] = []
    total = 0
    for index, tube in enumerate(network.tubes):
        others = [t for t in network.tubes if t.branch and t.parent == index]
        if tube.branch:
            others.append(network.tubes[tube.parent])
        own, triangles = _tube(tube, facets, fine=bool(others))
        middles = own[triangles].mean(axis=1)
        kept = np.ones(len(triangles), dtype=bool)
        for other in others:
            kept &= ~other.contains(middles)
        points.append(own)
        faces.append(triangles[kept] + np.int32(total))
        total += len(own)
    return np.concatenate(points), np.concatenate(faces)


def _tube(tube: Tube, facets: int, *, fine: bool) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    rings = max(1, math.ceil(tube.angle / (2 * math.pi) * facets)) if tube.bent else 1
    if fine:
        rings = math.ceil(tube.length / (tube.radius_start * 2 * math.pi / facets))
    points = tube.wall_points(rings, facets).reshape(-1, 3)
    ring = np.arange(facets, dtype=np.int32)
    after = np.roll(ring, -1)
    quads = [
        np.stack([base + ring, base + facets + ring, base + facets + after, base + after], axis=1)
        for base in (np.int32(k * facets) for k in range(rings))
    ]
    corners = np.concatenate(quads)
    triangles = [corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]]
    for closed, first, along, turn in (
        (tube.closed_start, 0, 0.0, -1),
        (tube.closed_end, rings * facets, tube.length, 1),
    ):
        if closed:
            hub = np.full(facets, len(points), dtype=np.int32)
            points = np.vstack([points, tube.frame(along)[0]])
            fan = np.stack([hub, first + ring, first + after], axis=1)
            triangles.append(fan[:, ::turn])
    return points, np.concatenate(triangles).astype(np.int32)
