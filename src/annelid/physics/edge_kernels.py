"""Contacts of any shape with the edges of a pipe network, compiled.

An edge is a closed curve where the wall turns a corner into the bore: the rim of an open end, the
neck of a reducer, the mouth of a tee.  A point contact of a body's feature with a wall cannot see
it; here the curve's own points are asked how deep they are in the body.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from annelid.physics.contact_kernels import GOLD, put
from annelid.worlds.tube_kernels import along_radial, edge_point, in_cone
from annelid.worlds.tube_table import (
    E_BOUND,
    E_CENTRE,
    E_FIRST,
    E_KIND,
    E_OUT,
    E_RADIUS,
    E_SECOND,
    EDGE_ROW,
    H_EDGES,
    H_TUBES,
    HEAD,
    MOUTH,
    RIM,
    ROW,
)

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX = 2, 3, 4, 5, 6
"""The engine's geom types."""

Float4 = tuple[float, float, float, float]


@njit(error_model="numpy")
def shape_distance(kind: int, a: float, b: float, c: float, x: float, y: float, z: float) -> Float4:
    """(distance, gradient) from a point to the surface of a shape, in the shape's own frame."""
    if kind in (SPHERE, CAPSULE):
        half = b if kind == CAPSULE else 0.0
        z -= min(max(z, -half), half)
        d = math.sqrt(x * x + y * y + z * z)
        if d < 1e-12:
            return -a, 0.0, 0.0, 1.0
        return d - a, x / d, y / d, z / d
    if kind == CYLINDER:
        r = math.sqrt(x * x + y * y)
        p, q = r - a, abs(z) - b
        cx, cy = (x / r, y / r) if r > 1e-12 else (1.0, 0.0)
        sz = 1.0 if z >= 0.0 else -1.0
        if p > 0.0 and q > 0.0:
            d = math.sqrt(p * p + q * q)
            return d, p / d * cx, p / d * cy, q / d * sz
        if p > q:
            return p, cx, cy, 0.0
        return q, 0.0, 0.0, sz
    if kind == BOX:
        sx, sy, sz = math.copysign(1.0, x), math.copysign(1.0, y), math.copysign(1.0, z)
        p, q, r = abs(x) - a, abs(y) - b, abs(z) - c
        u, v, w = max(p, 0.0), max(q, 0.0), max(r, 0.0)
        d = math.sqrt(u * u + v * v + w * w)
        if d > 1e-12:
            return d, u / d * sx, v / d * sy, w / d * sz
        if p >= q and p >= r:
            return p, sx, 0.0, 0.0
        return (q, 0.0, sy, 0.0) if q >= r else (r, 0.0, 0.0, sz)
    k = math.sqrt((x / a) ** 2 + (y / b) ** 2 + (z / c) ** 2)
    gx, gy, gz = x / (a * a), y / (b * b), z / (c * c)
    g = math.sqrt(gx * gx + gy * gy + gz * gz)
    if g < 1e-12:
        return -min(a, b, c), 0.0, 0.0, 1.0
    return k * (k - 1.0) / g, gx / g, gy / g, gz / g


@njit(error_model="numpy")
def at_edge(net: Any, edge: int, pose: Any, kind: int, phi: float) -> float:
    """Distance from the edge's point at ``phi`` to the shape; ``pose`` is its rotation (9), place
    (3) and size (3) in the carrier's frame."""
    x, y, z = edge_point(net, edge, phi)
    x, y, z = x - pose[9], y - pose[10], z - pose[11]
    d, _, _, _ = shape_distance(
        kind,
        pose[12],
        pose[13],
        pose[14],
        pose[0] * x + pose[3] * y + pose[6] * z,
        pose[1] * x + pose[4] * y + pose[7] * z,
        pose[2] * x + pose[5] * y + pose[8] * z,
    )
    return float(d)


@njit(error_model="numpy")
def circle_distance(net: Any, edge: int, pose: Any, square: float) -> float:
    """Distance from a shape's middle, to a round edge; ``square`` is the
    squared distance to the edge's centre."""
    o, t = edge + E_CENTRE, edge + E_OUT
    height = (pose[9] - net[o]) * net[t]
    height += (pose[10] - net[o + 1]) * net[t + 1] + (pose[11] - net[o + 2]) * net[t + 2]
    radial = math.sqrt(max(square - height * height, 0.0)) - net[edge + E_RADIUS]
    return math.sqrt(height * height + radial * radial)


@njit(error_model="numpy")
def edges(
    net: Any, con: Any, n: int, mat: Any, pose: Any, kind: int, reach: float, margin: float
) -> int:
    """Any shape against the edges it may reach: wherever an edge comes nearest to it."""
    samples = 20
    turn = 2.0 * math.pi / samples
    for k in range(int(net[H_EDGES])):
        edge = HEAD + int(net[H_TUBES]) * ROW + k * EDGE_ROW
        o, far = edge + E_CENTRE, reach + net[edge + E_BOUND]
        square = (pose[9] - net[o]) ** 2 + (pose[10] - net[o + 1]) ** 2
        square += (pose[11] - net[o + 2]) ** 2
        if square > far * far or (
            net[edge + E_KIND] != MOUTH and circle_distance(net, edge, pose, square) > reach
        ):
            continue
        slack = margin + net[edge + E_BOUND] * turn
        before = at_edge(net, edge, pose, kind, -turn)
        here = at_edge(net, edge, pose, kind, 0.0)
        for j in range(samples):
            after = at_edge(net, edge, pose, kind, (j + 1) * turn)
            if here <= before and here < after and here < slack:
                n = edge_contact(net, con, n, mat, pose, kind, edge, j * turn, turn, margin)
            before, here = here, after
    return n


@njit(error_model="numpy")
def edge_contact(
    net: Any,
    con: Any,
    n: int,
    mat: Any,
    pose: Any,
    kind: int,
    edge: int,
    phi: float,
    turn: float,
    margin: float,
) -> int:
    """Settle on the least distance near ``phi`` and, if it is one, write the contact."""
    low, high = phi - turn, phi + turn
    one, two = high - GOLD * (high - low), low + GOLD * (high - low)
    fone, ftwo = at_edge(net, edge, pose, kind, one), at_edge(net, edge, pose, kind, two)
    for _ in range(24):
        if fone < ftwo:
            high, two, ftwo = two, one, fone
            one = high - GOLD * (high - low)
            fone = at_edge(net, edge, pose, kind, one)
        else:
            low, one, fone = one, two, ftwo
            two = low + GOLD * (high - low)
            ftwo = at_edge(net, edge, pose, kind, two)
    x, y, z = edge_point(net, edge, 0.5 * (low + high))
    dx, dy, dz = x - pose[9], y - pose[10], z - pose[11]
    d, a, b, c = shape_distance(
        kind,
        pose[12],
        pose[13],
        pose[14],
        pose[0] * dx + pose[3] * dy + pose[6] * dz,
        pose[1] * dx + pose[4] * dy + pose[7] * dz,
        pose[2] * dx + pose[5] * dy + pose[8] * dz,
    )
    if d >= margin:
        return n
    ex = pose[0] * a + pose[1] * b + pose[2] * c
    ey = pose[3] * a + pose[4] * b + pose[5] * c
    ez = pose[6] * a + pose[7] * b + pose[8] * c
    if not in_cone(net, edge, x, y, z, -ex, -ey, -ez):
        if d >= 0.0 or kind <= CAPSULE or net[edge + E_KIND] == RIM:
            return n
        ex, ey, ez = nearest_normal(net, edge, x, y, z, ex, ey, ez)
        if ex == 0.0 and ey == 0.0 and ez == 0.0:
            return n
    h = 0.5 * d
    px, py, pz = x - h * ex, y - h * ey, z - h * ez
    return int(put(con, n, mat, d, px, py, pz, ex, ey, ez, 0.0, 0.0, 0.0))


@njit(error_model="numpy")
def nearest_normal(
    net: Any, edge: int, x: float, y: float, z: float, ex: float, ey: float, ez: float
) -> tuple[float, float, float]:
    """The outward normal, of the two walls that meet at a mouth, that is nearer to ``e`` (at a
    neck, that of the straight tube); zeros if they point away.  A flat face or a corner can have
    the edge inside it and yet face neither way between the walls; without this it would sink in
    until it does."""
    first = HEAD + int(net[edge + E_FIRST]) * ROW
    _, _, ax, ay, az = along_radial(net, first, x, y, z)
    bx, by, bz = ax, ay, az
    if net[edge + E_KIND] == MOUTH:
        second = HEAD + int(net[edge + E_SECOND]) * ROW
        _, _, bx, by, bz = along_radial(net, second, x, y, z)
    one, two = ax * ex + ay * ey + az * ez, bx * ex + by * ey + bz * ez
    if one <= 0.0 and two <= 0.0:
        return 0.0, 0.0, 0.0
    return (ax, ay, az) if one > two else (bx, by, bz)
