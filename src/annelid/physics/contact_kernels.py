"""Contacts of a body's shape with the wall of a pipe network, compiled.

Where a shape can touch a wall that curves around it: a ball at its one nearest point; a capsule
at both end balls and, in a bend, where its middle comes nearest to the inner wall; a cylinder at
its two rims, and like a capsule in between; a box at its corners, and along its edges in a bend;
an ellipsoid where it reaches out farthest.  Any shape touches an *edge* of the network (open end,
reducer's neck, tee's mouth) where that curve comes deepest into it.  Each of these places moves
smoothly when the body moves, so a rolling or sliding body feels no facets.

Coordinates are those of the carrier geom; ``put`` turns them to the world.
"""

from __future__ import annotations

import math
from typing import Any

from numba import njit

from annelid.worlds.tube_kernels import (
    cap_gap,
    near,
    tangent_at,
    wall_gap,
)
from annelid.worlds.tube_table import (
    H_TUBES,
    HEAD,
    ROW,
    T_BEND,
    T_BENT,
    T_BINORMAL,
    T_LENGTH,
    T_NORMAL,
    T_RADIUS,
    T_START,
    T_TANGENT,
)

MOST = 48
"""Contacts a pair may have: the engine's buffer holds 50, and overrunning it is fatal."""

GOLD = 0.618033988749895


@njit(error_model="numpy")
def put(
    con: Any,
    n: int,
    mat: Any,
    dist: float,
    x: float,
    y: float,
    z: float,
    ex: float,
    ey: float,
    ez: float,
    tx: float,
    ty: float,
    tz: float,
) -> int:
    """Write one contact: midpoint, the normal from wall to body (against outward ``e``), and a
    first tangent (along the pipe), or zeros to leave it to the engine.  ``mat`` is the carrier's
    rotation followed by its place."""
    if n >= MOST:
        return n
    o = n * 10
    con[o] = dist
    for k in range(3):
        a, b, c = mat[3 * k], mat[3 * k + 1], mat[3 * k + 2]
        con[o + 1 + k] = mat[9 + k] + a * x + b * y + c * z
        con[o + 4 + k] = -(a * ex + b * ey + c * ez)
        con[o + 7 + k] = a * tx + b * ty + c * tz
    return n + 1


@njit(error_model="numpy")
def press(
    net: Any,
    con: Any,
    n: int,
    mat: Any,
    i: int,
    along: float,
    gap: float,
    rho: float,
    x: float,
    y: float,
    z: float,
    ex: float,
    ey: float,
    ez: float,
) -> int:
    """Write the contact of a ball of radius ``rho`` whose centre is ``gap`` from tube ``i``."""
    tx, ty, tz = tangent_at(net, HEAD + i * ROW, along)
    h = 0.5 * (gap + rho)
    px, py, pz = x + h * ex, y + h * ey, z + h * ez
    return int(put(con, n, mat, gap - rho, px, py, pz, ex, ey, ez, tx, ty, tz))


@njit(error_model="numpy")
def ball(
    net: Any, con: Any, n: int, mat: Any, x: float, y: float, z: float, rho: float, margin: float
) -> int:
    """A ball, or with ``rho`` 0 a point, against every wall and cap it reaches."""
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        if not near(net, row, x, y, z, rho + margin):
            continue
        gap, ex, ey, ez, along = wall_gap(net, i, x, y, z)
        if gap - rho < margin:
            n = press(net, con, n, mat, i, along, gap, rho, x, y, z, ex, ey, ez)
        n = caps(net, con, n, mat, i, x, y, z, rho, margin)
    return n


@njit(error_model="numpy")
def caps(
    net: Any,
    con: Any,
    n: int,
    mat: Any,
    i: int,
    x: float,
    y: float,
    z: float,
    rho: float,
    margin: float,
) -> int:
    """A ball or point against the caps of tube ``i``."""
    for end in range(2):
        gap, ex, ey, ez = cap_gap(net, i, end, x, y, z)
        if gap - rho < margin:
            h = 0.5 * (gap + rho)
            px, py, pz = x + h * ex, y + h * ey, z + h * ez
            n = put(con, n, mat, gap - rho, px, py, pz, ex, ey, ez, 0.0, 0.0, 0.0)
    return n


@njit(error_model="numpy")
def bend_radial(net: Any, row: int, x: float, y: float, z: float) -> float:
    """Distance of a point from the centre circle of a bend, squared."""
    o, t, m, b = row + T_START, row + T_TANGENT, row + T_NORMAL, row + T_BINORMAL
    dx, dy, dz = x - net[o], y - net[o + 1], z - net[o + 2]
    forward = dx * net[t] + dy * net[t + 1] + dz * net[t + 2]
    inward = net[row + T_BEND] - (dx * net[m] + dy * net[m + 1] + dz * net[m + 2])
    side = dx * net[b] + dy * net[b + 1] + dz * net[b + 2]
    away = math.sqrt(forward * forward + inward * inward) - net[row + T_BEND]
    return float(away * away + side * side)


@njit(error_model="numpy")
def between(
    net: Any,
    con: Any,
    n: int,
    mat: Any,
    ax: float,
    ay: float,
    az: float,
    bx: float,
    by: float,
    bz: float,
    rho: float,
    margin: float,
    flat: bool,
) -> int:
    """The inner points of a rod from a to b, radius ``rho``, against the inner wall of bends.  In
    a straight tube a rod touches with its ends, which are somebody else's business.  A ``flat``
    rod has no balls at its ends that could stand out."""
    vx, vy, vz = bx - ax, by - ay, bz - az
    half = 0.5 * math.sqrt(vx * vx + vy * vy + vz * vz)
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        if net[row + T_BENT] == 0.0 or not near(
            net, row, ax + 0.5 * vx, ay + 0.5 * vy, az + 0.5 * vz, half + rho
        ):
            continue
        low, high = within_bend(net, row, ax, ay, az, vx, vy, vz)
        if high - low < 1e-6:
            continue
        if rod_is_clear(net, row, ax, ay, az, vx, vy, vz, low, high, half, rho + margin):
            continue
        best, where = -1.0, low
        for k in range(5):
            u = low + (high - low) * k / 4.0
            d = bend_radial(net, row, ax + u * vx, ay + u * vy, az + u * vz)
            if d > best:
                best, where = d, u
        step = 0.25 * (high - low)
        first, last = max(low, where - step), min(high, where + step)
        one, two = last - GOLD * (last - first), first + GOLD * (last - first)
        fone = bend_radial(net, row, ax + one * vx, ay + one * vy, az + one * vz)
        ftwo = bend_radial(net, row, ax + two * vx, ay + two * vy, az + two * vz)
        for _ in range(12):
            if fone > ftwo:
                last, two, ftwo = two, one, fone
                one = last - GOLD * (last - first)
                fone = bend_radial(net, row, ax + one * vx, ay + one * vy, az + one * vz)
            else:
                first, one, fone = one, two, ftwo
                two = first + GOLD * (last - first)
                ftwo = bend_radial(net, row, ax + two * vx, ay + two * vy, az + two * vz)
        u = 0.5 * (first + last)
        if best > max(fone, ftwo):
            u = where
        if u < 1e-3 or u > 1.0 - 1e-3:
            continue
        x, y, z = ax + u * vx, ay + u * vy, az + u * vz
        gap, ex, ey, ez, along = wall_gap(net, i, x, y, z)
        lean = rho * (ex * vx + ey * vy + ez * vz) / (2.0 * half)
        if flat and abs((2.0 * u - 1.0) * half + lean) > half:
            continue
        if gap - rho < margin:
            n = press(net, con, n, mat, i, along, gap, rho, x, y, z, ex, ey, ez)
    return n


@njit(error_model="numpy")
def rod_is_clear(
    net: Any,
    row: int,
    ax: float,
    ay: float,
    az: float,
    vx: float,
    vy: float,
    vz: float,
    low: float,
    high: float,
    half: float,
    rho: float,
) -> bool:
    """Whether a rod surely keeps off the inner wall: between two points it comes no nearer than
    they are, but for the rise of the wall's own arc over the chord."""
    first = bend_radial(net, row, ax + low * vx, ay + low * vy, az + low * vz)
    last = bend_radial(net, row, ax + high * vx, ay + high * vy, az + high * vz)
    radius, chord = net[row + T_RADIUS], half * (high - low)
    rise = chord * chord / (2.0 * (net[row + T_BEND] - radius))
    return bool(math.sqrt(max(first, last)) + rise < radius - rho)


@njit(error_model="numpy")
def within_bend(
    net: Any, row: int, ax: float, ay: float, az: float, vx: float, vy: float, vz: float
) -> tuple[float, float]:
    """The part of the rod a + u v, 0 <= u <= 1, between the end planes of a bend."""
    o, t, m = row + T_START, row + T_TANGENT, row + T_NORMAL
    bend, length = net[row + T_BEND], net[row + T_LENGTH]
    low, high = 0.0, 1.0
    for end in range(2):
        if end == 0:
            px, py, pz = net[o], net[o + 1], net[o + 2]
            nx, ny, nz = net[t], net[t + 1], net[t + 2]
        else:
            s, c = bend * math.sin(length / bend), bend * (1.0 - math.cos(length / bend))
            px = net[o] + s * net[t] + c * net[m]
            py = net[o + 1] + s * net[t + 1] + c * net[m + 1]
            pz = net[o + 2] + s * net[t + 2] + c * net[m + 2]
            nx, ny, nz = tangent_at(net, row, length)
            nx, ny, nz = -nx, -ny, -nz
        start = (ax - px) * nx + (ay - py) * ny + (az - pz) * nz
        slope = vx * nx + vy * ny + vz * nz
        if abs(slope) < 1e-15:
            if start < 0.0:
                return 1.0, 0.0
        elif slope > 0.0:
            low = max(low, -start / slope)
        else:
            high = min(high, -start / slope)
    return low, high
