"""Which places of each shape are tried against the wall of a pipe network, compiled.

``pose`` is a shape's rotation (9), place (3) and size (3) in the carrier's frame.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numba import njit

from annelid.physics.contact_kernels import ball, between, caps, press
from annelid.physics.edge_kernels import BOX, CAPSULE, CYLINDER, ELLIPSOID, SPHERE, edges
from annelid.worlds.tube_kernels import FAR, near, tangent_at, wall_gap
from annelid.worlds.tube_table import (
    CLOSED,
    H_TUBES,
    HEAD,
    ROW,
    T_END0,
    T_END1,
    T_LENGTH,
    T_MATE,
    T_RADIUS,
    T_TAPER,
)

Float6 = tuple[float, float, float, float, int, float]


@njit(error_model="numpy")
def collide(net: Any, con: Any, mat: Any, pose: Any, kind: int, margin: float) -> int:
    """All contacts of one shape with the network; returns how many were written."""
    x, y, z, a, b, c = pose[9], pose[10], pose[11], pose[12], pose[13], pose[14]
    n = 0
    reach = a
    if kind == SPHERE:
        n = ball(net, con, n, mat, x, y, z, a, margin)
    elif kind in (CAPSULE, CYLINDER):
        reach = a + b if kind == CAPSULE else math.sqrt(a * a + b * b)
        ux, uy, uz = pose[2] * b, pose[5] * b, pose[8] * b
        if kind == CAPSULE:
            n = ball(net, con, n, mat, x + ux, y + uy, z + uz, a, margin)
            n = ball(net, con, n, mat, x - ux, y - uy, z - uz, a, margin)
        else:
            n = rim(net, con, n, mat, pose, b, margin)
            n = rim(net, con, n, mat, pose, -b, margin)
            n = rim_caps(net, con, n, mat, pose, b, margin)
            n = rim_caps(net, con, n, mat, pose, -b, margin)
        flat = kind == CYLINDER
        x, y, z = x - ux, y - uy, z - uz
        n = between(net, con, n, mat, x, y, z, x + 2 * ux, y + 2 * uy, z + 2 * uz, a, margin, flat)
    elif kind == BOX:
        reach = math.sqrt(a * a + b * b + c * c)
        n = box(net, con, n, mat, pose, margin)
    elif kind == ELLIPSOID:
        reach = max(a, b, c)
        n = ellipsoid(net, con, n, mat, pose, margin)
    return int(edges(net, con, n, mat, pose, kind, reach + margin, margin))


@njit(error_model="numpy")
def turn_back(carrier: Any, shape: Any, pose: Any) -> None:
    """Express a shape's rotation and place in the axes of a carrier that is turned."""
    x, y, z = pose[9], pose[10], pose[11]
    for k in range(3):
        a, b, c = carrier[k], carrier[3 + k], carrier[6 + k]
        pose[9 + k] = a * x + b * y + c * z
        for j in range(3):
            pose[3 * k + j] = a * shape[j] + b * shape[3 + j] + c * shape[6 + j]


@njit(error_model="numpy")
def nearest_wall(net: Any, x: float, y: float, z: float) -> Float6:
    """(gap, outward vector, tube, along) of the wall nearest to a point, over all tubes."""
    best, bx, by, bz, which, where = FAR, 0.0, 0.0, 0.0, -1, 0.0
    for i in range(int(net[H_TUBES])):
        if near(net, HEAD + i * ROW, x, y, z, 0.0):
            gap, ex, ey, ez, along = wall_gap(net, i, x, y, z)
            if gap < best:
                best, bx, by, bz, which, where = gap, ex, ey, ez, i, along
    return best, bx, by, bz, which, where


@njit(error_model="numpy")
def rim_point(pose: Any, height: float, psi: float) -> tuple[float, float, float]:
    c, s = pose[12] * math.cos(psi), pose[12] * math.sin(psi)
    return (
        pose[9] + pose[0] * c + pose[1] * s + pose[2] * height,
        pose[10] + pose[3] * c + pose[4] * s + pose[5] * height,
        pose[11] + pose[6] * c + pose[7] * s + pose[8] * height,
    )


@njit(error_model="numpy")
def rim_slope(net: Any, pose: Any, height: float, psi: float) -> float:
    """How fast the gap to the wall grows around a cylinder's rim, per radian and radius."""
    x, y, z = rim_point(pose, height, psi)
    gap, ex, ey, ez, _, _ = nearest_wall(net, x, y, z)
    if gap >= FAR:
        return 0.0
    c, s = math.cos(psi), math.sin(psi)
    tx, ty = pose[1] * c - pose[0] * s, pose[4] * c - pose[3] * s
    return float(-(ex * tx + ey * ty + ez * (pose[7] * c - pose[6] * s)))


@njit(error_model="numpy")
def settle(
    net: Any, pose: Any, height: float, low: float, high: float, flow: float, fhigh: float
) -> float:
    """The angle between ``low`` and ``high`` where the slope vanishes (regula falsi, Illinois)."""
    side, psi = 0, low
    for _ in range(10):
        psi = (low * fhigh - high * flow) / (fhigh - flow)
        slope = rim_slope(net, pose, height, psi)
        if abs(slope) < 1e-8:
            break
        if slope > 0.0:
            high, fhigh = psi, slope
            flow = 0.5 * flow if side > 0 else flow
            side = 1
        else:
            low, flow = psi, slope
            fhigh = 0.5 * fhigh if side < 0 else fhigh
            side = -1
    return psi


@njit(error_model="numpy")
def rim(net: Any, con: Any, n: int, mat: Any, pose: Any, height: float, margin: float) -> int:
    """One rim of a cylinder, where it is nearest to the wall.  In a straight tube the rim is an
    ellipse in cross-section; it touches at one place, or at two when it lies askew and near the
    axis, which is when all around it must be searched.  At the border the two places are one."""
    cx, cy = pose[9] + pose[2] * height, pose[10] + pose[5] * height
    cz = pose[11] + pose[8] * height
    gap, ex, ey, ez, i, along = nearest_wall(net, cx, cy, cz)
    if gap < FAR and plain_around(net, i, cx, cy, cz, pose[12] + margin):
        if gap - pose[12] >= margin:
            return n
        tx, ty, tz = tangent_at(net, HEAD + i * ROW, along)
        cosine = abs(tx * pose[2] + ty * pose[5] + tz * pose[8])
        off = net[HEAD + i * ROW + T_RADIUS] + net[HEAD + i * ROW + T_TAPER] * along - gap
        if off * cosine > pose[12] * (1.0 - cosine * cosine):
            psi = math.atan2(
                pose[1] * ex + pose[4] * ey + pose[7] * ez,
                pose[0] * ex + pose[3] * ey + pose[6] * ez,
            )
            slope = rim_slope(net, pose, height, psi)
            if abs(slope) > 1e-8:
                turn = 0.05 if slope < 0.0 else -0.05
                for _ in range(24):
                    after = rim_slope(net, pose, height, psi + turn)
                    if after * slope <= 0.0:
                        psi = settle(net, pose, height, psi, psi + turn, slope, after)
                        break
                    psi, slope, turn = psi + turn, after, 1.5 * turn
            return press_rim(net, con, n, mat, pose, height, psi, margin)
    samples = 8
    turn = 2.0 * math.pi / samples
    first = rim_slope(net, pose, height, 0.0)
    before = first
    for k in range(samples):
        after = first if k == samples - 1 else rim_slope(net, pose, height, (k + 1) * turn)
        if before < 0.0 <= after:
            psi = settle(net, pose, height, k * turn, (k + 1) * turn, before, after)
            n = press_rim(net, con, n, mat, pose, height, psi, margin)
        before = after
    return n


@njit(error_model="numpy")
def plain_around(net: Any, i: int, x: float, y: float, z: float, reach: float) -> bool:
    """Whether the wall nearest to a point speaks for the walls around it: no tee, no reducer."""
    if net[HEAD + i * ROW + T_MATE] >= 0.0:
        return False
    for k in range(int(net[H_TUBES])):
        row = HEAD + k * ROW
        if net[row + T_TAPER] != 0.0 and near(net, row, x, y, z, reach):
            return False
    return True


@njit(error_model="numpy")
def press_rim(
    net: Any, con: Any, n: int, mat: Any, pose: Any, height: float, psi: float, margin: float
) -> int:
    x, y, z = rim_point(pose, height, psi)
    gap, ex, ey, ez, i, along = nearest_wall(net, x, y, z)
    if gap < margin:
        return int(press(net, con, n, mat, i, along, gap, 0.0, x, y, z, ex, ey, ez))
    return n


@njit(error_model="numpy")
def rim_caps(net: Any, con: Any, n: int, mat: Any, pose: Any, height: float, margin: float) -> int:
    """Six fixed points of a rim against caps, which it may meet flat."""
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        if net[row + T_END0] != CLOSED and net[row + T_END1] != CLOSED:
            continue
        for k in range(6):
            x, y, z = rim_point(pose, height, k * math.pi / 3.0)
            if near(net, row, x, y, z, margin):
                n = caps(net, con, n, mat, i, x, y, z, 0.0, margin)
    return n


@njit(error_model="numpy")
def corner(pose: Any, k: int) -> tuple[float, float, float]:
    """Corner ``k`` of a box; bits 0, 1, 2 of k are the signs along its axes."""
    a = pose[12] if k & 1 else -pose[12]
    b = pose[13] if k & 2 else -pose[13]
    c = pose[14] if k & 4 else -pose[14]
    return (
        pose[9] + pose[0] * a + pose[1] * b + pose[2] * c,
        pose[10] + pose[3] * a + pose[4] * b + pose[5] * c,
        pose[11] + pose[6] * a + pose[7] * b + pose[8] * c,
    )


@njit(error_model="numpy")
def box(net: Any, con: Any, n: int, mat: Any, pose: Any, margin: float) -> int:
    """Eight corners, and twelve edges against the inner wall of bends."""
    for k in range(8):
        x, y, z = corner(pose, k)
        n = ball(net, con, n, mat, x, y, z, 0.0, margin)
    for k in range(8):
        x, y, z = corner(pose, k)
        for bit in range(3):
            if not k & (1 << bit):
                u, v, w = corner(pose, k | (1 << bit))
                n = between(net, con, n, mat, x, y, z, u, v, w, 0.0, margin, False)
    return n


@njit(error_model="numpy")
def ellipsoid(net: Any, con: Any, n: int, mat: Any, pose: Any, margin: float) -> int:
    """Climb from the tips of the three axes to where the surface reaches out farthest: each time
    to the point that faces the way the wall lies, which can only lead outwards."""
    seen, count = np.empty(18), 0
    apart = (0.05 * min(pose[12], pose[13], pose[14])) ** 2
    for start in range(6):
        axis, reach = start // 2, 0.999 * (1 - 2 * (start % 2)) * pose[12 + start // 2]
        x = pose[9] + pose[axis] * reach
        y = pose[10] + pose[3 + axis] * reach
        z = pose[11] + pose[6 + axis] * reach
        for _ in range(24):
            gap, ex, ey, ez, _, _ = nearest_wall(net, x, y, z)
            if gap >= FAR:
                break
            lx = (pose[0] * ex + pose[3] * ey + pose[6] * ez) * pose[12]
            ly = (pose[1] * ex + pose[4] * ey + pose[7] * ez) * pose[13]
            lz = (pose[2] * ex + pose[5] * ey + pose[8] * ez) * pose[14]
            size = math.sqrt(lx * lx + ly * ly + lz * lz)
            lx, ly, lz = lx / size * pose[12], ly / size * pose[13], lz / size * pose[14]
            px, py, pz = x, y, z
            x = pose[9] + pose[0] * lx + pose[1] * ly + pose[2] * lz
            y = pose[10] + pose[3] * lx + pose[4] * ly + pose[5] * lz
            z = pose[11] + pose[6] * lx + pose[7] * ly + pose[8] * lz
            if abs(x - px) + abs(y - py) + abs(z - pz) < 1e-8:
                break
        new = True
        for k in range(count):
            if (x - seen[k]) ** 2 + (y - seen[6 + k]) ** 2 + (z - seen[12 + k]) ** 2 < apart:
                new = False
        if new:
            seen[count], seen[6 + count], seen[12 + count] = x, y, z
            count += 1
            gap, ex, ey, ez, i, along = nearest_wall(net, x, y, z)
            if gap < margin:
                n = press(net, con, n, mat, i, along, gap, 0.0, x, y, z, ex, ey, ez)
    for i in range(int(net[H_TUBES])):
        n = ellipsoid_cap(net, con, n, mat, i, pose, margin)
    return n


@njit(error_model="numpy")
def ellipsoid_cap(net: Any, con: Any, n: int, mat: Any, i: int, pose: Any, margin: float) -> int:
    """The point of an ellipsoid that reaches farthest towards each cap of tube ``i``."""
    row = HEAD + i * ROW
    for end in range(2):
        if net[row + (T_END1 if end else T_END0)] == CLOSED:
            tx, ty, tz = tangent_at(net, row, net[row + T_LENGTH] if end else 0.0)
            sign = 1.0 if end else -1.0
            lx = (pose[0] * tx + pose[3] * ty + pose[6] * tz) * pose[12]
            ly = (pose[1] * tx + pose[4] * ty + pose[7] * tz) * pose[13]
            lz = (pose[2] * tx + pose[5] * ty + pose[8] * tz) * pose[14]
            size = sign / math.sqrt(lx * lx + ly * ly + lz * lz)
            lx, ly, lz = lx * size * pose[12], ly * size * pose[13], lz * size * pose[14]
            x = pose[9] + pose[0] * lx + pose[1] * ly + pose[2] * lz
            y = pose[10] + pose[3] * lx + pose[4] * ly + pose[5] * lz
            z = pose[11] + pose[6] * lx + pose[7] * ly + pose[8] * lz
            n = caps(net, con, n, mat, i, x, y, z, 0.0, margin)
    return n
