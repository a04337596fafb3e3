"""Distances in a pipe network, compiled.

All functions read the flat table of ``tube_table`` (``net``: an array, or a pointer inside the
engine's callback).  A *wall gap* is how far a point may move outwards before it meets the wall.
The wall of a network is what remains of its tubes' walls after the part inside another tube is
taken away, so the nearest point of the wall is either straight outwards from a centre line, or on
an edge: an open rim, the neck of a reducer, the mouth of a tee.  Each is used only where it is
the nearest of its surroundings (the *normal cone* of an edge), which makes the distance exact and
lets contacts wander from wall to edge without a jump.
"""

from __future__ import annotations

import functools
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numba import njit

from annelid.worlds import tube_table
from annelid.worlds.tube_table import (
    CLOSED,
    E_BINORMAL,
    E_BOUND,
    E_CENTRE,
    E_FIRST,
    E_KIND,
    E_NORMAL,
    E_OUT,
    E_RADIUS,
    E_SECOND,
    E_TAPER,
    EDGE_ROW,
    H_EDGES,
    H_TUBES,
    H_WALL,
    HEAD,
    MOUTH,
    RIM,
    ROW,
    T_BEND,
    T_BENT,
    T_BINORMAL,
    T_BOUND,
    T_CENTRE,
    T_COS,
    T_END0,
    T_END1,
    T_LENGTH,
    T_MATE,
    T_MATE2,
    T_NORMAL,
    T_RADIUS,
    T_SIN,
    T_START,
    T_TANGENT,
    T_TAPER,
)

SEAM = 1e-9
"""Overlap of two tubes at their joint, m: a point on the seam must not fall between them."""

FAR = 1e9
"""No wall in this direction, m."""


@njit(error_model="numpy")
def along_radial(
    net: Any, row: int, x: float, y: float, z: float
) -> tuple[float, float, float, float, float]:
    """(along, radial, outward unit vector) of a point with respect to a tube's centre line.
    Before the start and past the end of a bend, ``along`` is counted straight on."""
    dx, dy, dz = x - net[row + T_START], y - net[row + T_START + 1], z - net[row + T_START + 2]
    tx, ty, tz = net[row + T_TANGENT], net[row + T_TANGENT + 1], net[row + T_TANGENT + 2]
    nx, ny, nz = net[row + T_NORMAL], net[row + T_NORMAL + 1], net[row + T_NORMAL + 2]
    forward = dx * tx + dy * ty + dz * tz
    if net[row + T_BENT] == 0.0:
        ox, oy, oz = dx - forward * tx, dy - forward * ty, dz - forward * tz
        radial = math.sqrt(ox * ox + oy * oy + oz * oz)
        if radial < 1e-12:
            return forward, 0.0, nx, ny, nz
        return forward, radial, ox / radial, oy / radial, oz / radial
    bx, by, bz = net[row + T_BINORMAL], net[row + T_BINORMAL + 1], net[row + T_BINORMAL + 2]
    bend = net[row + T_BEND]
    inward = bend - (dx * nx + dy * ny + dz * nz)
    side = dx * bx + dy * by + dz * bz
    reach = math.sqrt(forward * forward + inward * inward)
    past = forward * net[row + T_COS] - inward * net[row + T_SIN]
    if forward < 0.0:
        along = forward
    elif past > 0.0:
        along = net[row + T_LENGTH] + past
    else:
        along = bend * math.atan2(forward, inward)
    if reach < 1e-12:
        return along, bend, nx, ny, nz
    away = reach - bend
    radial = math.sqrt(away * away + side * side)
    if radial < 1e-12:
        return along, 0.0, bx, by, bz
    p, q, b = forward / reach * away / radial, -inward / reach * away / radial, side / radial
    return (
        along,
        radial,
        p * tx + q * nx + b * bx,
        p * ty + q * ny + b * by,
        p * tz + q * nz + b * bz,
    )


@njit(error_model="numpy")
def tangent_at(net: Any, row: int, along: float) -> tuple[float, float, float]:
    """Unit tangent of the centre line, forwards."""
    tx, ty, tz = net[row + T_TANGENT], net[row + T_TANGENT + 1], net[row + T_TANGENT + 2]
    if net[row + T_BENT] == 0.0:
        return tx, ty, tz
    c, s = math.cos(along / net[row + T_BEND]), math.sin(along / net[row + T_BEND])
    n = row + T_NORMAL
    return c * tx + s * net[n], c * ty + s * net[n + 1], c * tz + s * net[n + 2]


@njit(error_model="numpy")
def near(net: Any, row: int, x: float, y: float, z: float, reach: float) -> bool:
    """Whether a ball of radius ``reach`` may touch the tube at all."""
    dx, dy, dz = x - net[row + T_CENTRE], y - net[row + T_CENTRE + 1], z - net[row + T_CENTRE + 2]
    bound = net[row + T_BOUND] + reach
    return bool(dx * dx + dy * dy + dz * dz <= bound * bound)


@njit(error_model="numpy")
def inside(net: Any, row: int, x: float, y: float, z: float, tolerance: float) -> bool:
    """Whether a point lies in the tube's bore, ``tolerance`` or more from its surface."""
    along, radial, _, _, _ = along_radial(net, row, x, y, z)
    if along < -SEAM or along > net[row + T_LENGTH] + SEAM:
        return False
    return bool(radial < net[row + T_RADIUS] + net[row + T_TAPER] * along - tolerance)


@njit(error_model="numpy")
def containing(net: Any, x: float, y: float, z: float, but: int) -> int:
    """Index of a tube other than ``but`` whose bore holds the point, or -1."""
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        if i != but and near(net, row, x, y, z, 0.0) and inside(net, row, x, y, z, 0.0):
            return i
    return -1


@njit(error_model="numpy")
def mated(net: Any, row: int, x: float, y: float, z: float, tolerance: float) -> int:
    """The tube that branches off this one, or that it branches off, if its bore holds the point;
    else -1."""
    mate = int(net[row + T_MATE])
    if mate >= 0 and inside(net, HEAD + mate * ROW, x, y, z, tolerance):
        return mate
    mate = int(net[row + T_MATE2])
    if mate >= 0 and inside(net, HEAD + mate * ROW, x, y, z, tolerance):
        return mate
    return -1


@njit(error_model="numpy")
def wall_gap(
    net: Any, i: int, x: float, y: float, z: float
) -> tuple[float, float, float, float, float]:
    """(gap, outward vector, along) from a point to the wall of tube ``i``; gap is FAR where the
    tube has no wall there, and negative down to the wall's thickness for a point sunk into it."""
    row = HEAD + i * ROW
    along, radial, ex, ey, ez = along_radial(net, row, x, y, z)
    length, taper, wall = net[row + T_LENGTH], net[row + T_TAPER], net[H_WALL]
    gap = net[row + T_RADIUS] + taper * along - radial
    foot = along
    if taper != 0.0:
        cosine = 1.0 / math.sqrt(1.0 + taper * taper)
        gap *= cosine
        if gap > 0.0:  # behind the wall, cone and cylinder share the wedge outside their corner
            foot = along - gap * taper * cosine
        tx, ty, tz = tangent_at(net, row, along)
        ex = (ex - taper * tx) * cosine
        ey = (ey - taper * ty) * cosine
        ez = (ez - taper * tz) * cosine
    low = -wall if net[row + T_END0] == CLOSED else -SEAM
    high = length + (wall if net[row + T_END1] == CLOSED else SEAM)
    if foot < low or foot > high or gap < -wall:
        return FAR, ex, ey, ez, along
    if mated(net, row, x + gap * ex, y + gap * ey, z + gap * ez, SEAM) >= 0:
        return FAR, ex, ey, ez, along
    if gap < 0.0 and containing(net, x, y, z, i) >= 0:
        return FAR, ex, ey, ez, along
    return gap, ex, ey, ez, along


@njit(error_model="numpy")
def cap_gap(
    net: Any, i: int, end: int, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """(gap, outward vector) to the cap at the start (``end`` 0) or end (1) of tube ``i``, with gap
    FAR where there is none."""
    row = HEAD + i * ROW
    if net[row + (T_END1 if end else T_END0)] != CLOSED:
        return FAR, 0.0, 0.0, 0.0
    along, radial, _, _, _ = along_radial(net, row, x, y, z)
    length, wall = net[row + T_LENGTH], net[H_WALL]
    gap = length - along if end else along
    if (
        gap < -wall
        or gap > length
        or radial > net[row + T_RADIUS] + net[row + T_TAPER] * (length if end else 0.0) + wall
    ):
        return FAR, 0.0, 0.0, 0.0
    tx, ty, tz = tangent_at(net, row, length if end else 0.0)
    if end:
        return gap, tx, ty, tz
    return gap, -tx, -ty, -tz


@njit(error_model="numpy")
def edge_point(net: Any, edge: int, phi: float) -> tuple[float, float, float]:
    """The point of an edge at angle ``phi``.  The mouth of a tee is followed along the wall lines
    of the branch, each to where it leaves the run."""
    c, s = math.cos(phi), math.sin(phi)
    if net[edge + E_KIND] != MOUTH:
        r, n, b, o = net[edge + E_RADIUS], edge + E_NORMAL, edge + E_BINORMAL, edge + E_CENTRE
        return (
            net[o] + r * (c * net[n] + s * net[b]),
            net[o + 1] + r * (c * net[n + 1] + s * net[b + 1]),
            net[o + 2] + r * (c * net[n + 2] + s * net[b + 2]),
        )
    run = HEAD + int(net[edge + E_FIRST]) * ROW
    branch = HEAD + int(net[edge + E_SECOND]) * ROW
    r, n, b, o = net[branch + T_RADIUS], branch + T_NORMAL, branch + T_BINORMAL, branch + T_START
    x = net[o] + r * (c * net[n] + s * net[b])
    y = net[o + 1] + r * (c * net[n + 1] + s * net[b + 1])
    z = net[o + 2] + r * (c * net[n + 2] + s * net[b + 2])
    t, e = branch + T_TANGENT, run + T_TANGENT
    tx, ty, tz = net[t], net[t + 1], net[t + 2]
    ex, ey, ez = net[e], net[e + 1], net[e + 2]
    qx, qy, qz = x - net[run + T_START], y - net[run + T_START + 1], z - net[run + T_START + 2]
    qe, te = qx * ex + qy * ey + qz * ez, tx * ex + ty * ey + tz * ez
    qq = qx * qx + qy * qy + qz * qz - qe * qe
    qt = qx * tx + qy * ty + qz * tz - qe * te
    tt_ = 1.0 - te * te
    under = max(qt * qt - tt_ * (qq - net[run + T_RADIUS] ** 2), 0.0)
    way = (-qt + math.sqrt(under)) / tt_
    return x + way * tx, y + way * ty, z + way * tz


@njit(error_model="numpy")
def in_cone(
    net: Any, edge: int, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> bool:
    """Whether, seen from edge point (x, y, z), a body in unit direction d has the edge as its
    nearest wall: walking off along either wall leads away from it."""
    kind = net[edge + E_KIND]
    first = HEAD + int(net[edge + E_FIRST]) * ROW
    _, _, ax, ay, az = along_radial(net, first, x, y, z)
    if kind == MOUTH:
        second = HEAD + int(net[edge + E_SECOND]) * ROW
        _, _, bx, by, bz = along_radial(net, second, x, y, z)
        cosine = ax * bx + ay * by + az * bz
        da, db = dx * ax + dy * ay + dz * az, dx * bx + dy * by + dz * bz
        return db - cosine * da <= 1e-9 and da - cosine * db <= 1e-9
    o = edge + E_OUT
    out = dx * net[o] + dy * net[o + 1] + dz * net[o + 2]
    radial = dx * ax + dy * ay + dz * az
    if kind == RIM:
        return out >= 0.0 and radial <= 0.0
    return bool(out <= 0.0 and net[edge + E_TAPER] * radial - out <= 0.0)


@njit(error_model="numpy")
def edge_distance(net: Any, edge: int, x: float, y: float, z: float) -> float:
    """Distance from a point to an edge, FAR where the point is outside the edge's normal cone."""
    samples = 24
    best, where = FAR, 0.0
    for k in range(samples):
        phi = 2.0 * math.pi * k / samples
        px, py, pz = edge_point(net, edge, phi)
        d = (px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2
        if d < best:
            best, where = d, phi
    low, high = where - 2.0 * math.pi / samples, where + 2.0 * math.pi / samples
    for _ in range(28):
        one, two = high - 0.618033988749895 * (high - low), low + 0.618033988749895 * (high - low)
        ax, ay, az = edge_point(net, edge, one)
        bx, by, bz = edge_point(net, edge, two)
        first = (ax - x) ** 2 + (ay - y) ** 2 + (az - z) ** 2
        second = (bx - x) ** 2 + (by - y) ** 2 + (bz - z) ** 2
        if first < second:
            high = two
        else:
            low = one
    px, py, pz = edge_point(net, edge, 0.5 * (low + high))
    distance = math.sqrt((px - x) ** 2 + (py - y) ** 2 + (pz - z) ** 2)
    if distance < 1e-12:
        return 0.0
    if in_cone(
        net, edge, px, py, pz, (x - px) / distance, (y - py) / distance, (z - pz) / distance
    ):
        return distance
    return FAR


@njit(error_model="numpy")
def clearance(net: Any, x: float, y: float, z: float) -> float:
    """Signed distance to the wall: positive in the bore, negative outside."""
    tubes, edges = int(net[H_TUBES]), int(net[H_EDGES])
    if containing(net, x, y, z, -1) < 0:
        return -_outside(net, x, y, z)
    best = FAR
    for i in range(tubes):
        gap, _, _, _, _ = wall_gap(net, i, x, y, z)
        if gap >= 0.0:
            best = min(best, gap)
        for end in range(2):
            gap, _, _, _ = cap_gap(net, i, end, x, y, z)
            if gap >= 0.0:
                best = min(best, gap)
    for k in range(edges):
        edge = HEAD + tubes * ROW + k * EDGE_ROW
        o, reach = edge + E_CENTRE, best + net[edge + E_BOUND]
        if (x - net[o]) ** 2 + (y - net[o + 1]) ** 2 + (z - net[o + 2]) ** 2 < reach * reach:
            best = min(best, edge_distance(net, edge, x, y, z))
    return best


@njit(error_model="numpy")
def _outside(net: Any, x: float, y: float, z: float) -> float:
    """Distance from a point outside every bore to the nearest wall."""
    best = FAR
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        along, radial, _, _, _ = along_radial(net, row, x, y, z)
        length = net[row + T_LENGTH]
        clamped = min(max(along, 0.0), length)
        beyond = along - clamped
        if net[row + T_BENT] != 0.0 and beyond != 0.0:
            o, t = row + T_START, row + T_TANGENT
            if beyond > 0.0:
                continue_x, continue_y, continue_z = tangent_at(net, row, length)
                turn, bend = length / net[row + T_BEND], net[row + T_BEND]
                c, s, n = bend * (1.0 - math.cos(turn)), bend * math.sin(turn), row + T_NORMAL
                ex = net[o] + s * net[t] + c * net[n]
                ey = net[o + 1] + s * net[t + 1] + c * net[n + 1]
                ez = net[o + 2] + s * net[t + 2] + c * net[n + 2]
            else:
                continue_x, continue_y, continue_z = net[t], net[t + 1], net[t + 2]
                ex, ey, ez = net[o], net[o + 1], net[o + 2]
            beyond = (x - ex) * continue_x + (y - ey) * continue_y + (z - ez) * continue_z
            square = (x - ex) ** 2 + (y - ey) ** 2 + (z - ez) ** 2
            radial = math.sqrt(max(square - beyond * beyond, 0.0))
        radius = net[row + T_RADIUS] + net[row + T_TAPER] * clamped
        off = radial - radius
        kind = net[row + (T_END1 if along > clamped else T_END0)]
        if beyond != 0.0 and kind == CLOSED:
            off = max(off, 0.0)
        elif beyond == 0.0 and net[row + T_TAPER] != 0.0:
            off /= math.sqrt(1.0 + net[row + T_TAPER] ** 2)
        best = min(best, math.sqrt(off * off + beyond * beyond))
    return best


def clearances(net: Any, points: Any) -> Any:
    """``clearance`` of each row of ``points``."""
    return _clearances()(net, points)


def source_stamp() -> int:
    """A number for the text of this file and of the table's.  Mentioned in a compiled function it
    becomes part of numba's cache key, which otherwise misses edits of the helpers it calls."""
    return zlib.crc32(b"".join(Path(str(f)).read_bytes() for f in (__file__, tube_table.__file__)))


@functools.cache
def _clearances() -> Any:
    stamp = source_stamp()

    @njit(cache=True, nogil=True, error_model="numpy")
    def each(net: Any, points: Any) -> Any:
        out = np.full(len(points), float(stamp))
        for k in range(len(points)):
            out[k] = clearance(net, points[k, 0], points[k, 1], points[k, 2])
        return out

    return each
