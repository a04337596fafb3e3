"""Turns any surface into convex pieces: a thin prism behind every triangle.

An engine takes a mesh as its convex hull, so a hollow one must be cut up (LAB, "triangle prisms").
A prism reaches from its triangle into the material.  Neighbours share their hind corners, which
lie along the vertex normals: no gap for a small part to slip through, and nothing sticks out at a
ridge.  Where a wall is thinner than twice the wanted depth, the prisms of its two skins meet in
the middle instead of poking out of each other.
"""

from __future__ import annotations

import math

import numpy as np
from numba import njit
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SHALLOWEST = 0.0002
"""No prism is thinner than this, m; a paper-thin wall is then a little thicker than drawn."""

RIDGE = 0.3
"""Cosine between face and vertex normal below which an edge is too sharp to share corners."""


def prisms(vertices: Floats, faces: Ints, *, depth: float) -> Floats:
    """(n, 6, 3): for every triangle its corners and the three behind them, ``depth`` metres into
    the material or half the wall's thickness, whichever is less.  Triangles look out of the
    material, as in every STL."""
    corners = vertices[faces]
    normals = face_normals(corners)
    deep = np.minimum(depth, gaps_behind(corners, normals, 2 * depth) / 2)
    deep = np.maximum(deep, SHALLOWEST)
    shared = np.full(len(vertices), np.inf)
    np.minimum.at(shared, faces.ravel(), np.repeat(deep, 3))
    inward = -_vertex_normals(vertices, faces, corners, normals)[faces]
    sharp = np.einsum("fcx,fx->fc", inward, -normals) < RIDGE
    inward = np.where(sharp[:, :, None], -normals[:, None, :], inward)
    behind = corners + inward * shared[faces][:, :, None]
    return np.concatenate([corners, behind], axis=1)


def face_normals(corners: Floats) -> Floats:
    """Unit normals of (n, 3, 3) triangles, which must have an area."""
    cross = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    unit: Floats = cross / np.linalg.norm(cross, axis=1, keepdims=True)
    return unit


def winding(corners: Floats, point: Floats) -> float:
    """How often the surface goes round a point: 1 inside a solid, 0 outside, and for an open
    sheet positive behind it and negative in front (van Oosterom & Strackee 1983)."""
    a, b, c = (corners[:, k] - point for k in range(3))
    la, lb, lc = (np.linalg.norm(edge, axis=1) for edge in (a, b, c))
    triple = np.einsum("ij,ij->i", a, np.cross(b, c))
    ab, bc, ca = (np.einsum("ij,ij->i", u, v) for u, v in ((a, b), (b, c), (c, a)))
    angles = 2 * np.arctan2(triple, la * lb * lc + ab * lc + bc * la + ca * lb)
    return float(angles.sum() / (4 * math.pi))


def facing_apart(faces: Ints) -> int:
    """Number of edges whose two triangles look to opposite sides."""
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    sign = np.where(edges[:, 0] < edges[:, 1], 1, -1)
    _, where, count = np.unique(
        np.sort(edges, axis=1), axis=0, return_inverse=True, return_counts=True
    )
    balance = np.bincount(where.ravel(), weights=sign)
    return int(((count == 2) & (balance != 0)).sum())


def _vertex_normals(vertices: Floats, faces: Ints, corners: Floats, normals: Floats) -> Floats:
    """Weighted by the angle at the corner, so that they do not depend on how a face is cut."""
    total = np.zeros_like(vertices)
    for here in range(3):
        one = corners[:, (here + 1) % 3] - corners[:, here]
        two = corners[:, (here + 2) % 3] - corners[:, here]
        cosine = np.einsum("ij,ij->i", one, two)
        angle = np.arctan2(np.linalg.norm(np.cross(one, two), axis=1), cosine)
        np.add.at(total, faces[:, here], normals * angle[:, None])
    length = np.linalg.norm(total, axis=1, keepdims=True)
    unit: Floats = total / np.where(length > 1e-12, length, 1.0)
    return unit


def gaps_behind(corners: Floats, normals: Floats, reach: float) -> Floats:
    """Distance from each triangle to the next one behind it, at most ``reach`` metres."""
    middles = corners.mean(axis=1)
    bounds = np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    gaps: Floats = _gaps(corners, normals, middles, bounds, reach)
    return gaps


@njit(error_model="numpy", cache=True)
def _gaps(
    corners: Floats, normals: Floats, middles: Floats, bounds: Floats, reach: float
) -> Floats:
    """Rays from the middle and from near each corner, against every triangle in reach that is
    left through its back (Möller & Trumbore)."""
    gaps = np.full(len(corners), reach)
    edges_1, edges_2 = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    ray = np.empty(3)
    for i in range(len(corners)):
        for j in range(len(corners)):
            most = bounds[i] + bounds[j] + reach
            apart = 0.0
            for axis in range(3):  # the reject runs for every pair: no calls, no arrays
                apart += (middles[i, axis] - middles[j, axis]) ** 2
            if i == j or apart > most * most or -np.dot(normals[i], normals[j]) < 0.1:
                continue
            across = np.cross(-normals[i], edges_2[j])
            volume = np.dot(edges_1[j], across)
            if abs(volume) < 1e-18:
                continue
            for k in range(4):
                ray[:] = middles[i]
                if k < 3:
                    ray += 0.9 * (corners[i, k] - middles[i])
                offset = ray - corners[j, 0]
                u = np.dot(offset, across) / volume
                turned = np.cross(offset, edges_1[j])
                v = -np.dot(normals[i], turned) / volume
                if u < 0 or v < 0 or u + v > 1:
                    continue
                far = np.dot(edges_2[j], turned) / volume
                if 1e-7 < far < gaps[i]:
                    gaps[i] = far
    return gaps
