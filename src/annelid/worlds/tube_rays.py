"""Rays in a pipe network, for infrared sensors and cameras, compiled.

A ray walks from tube to tube.  In a straight tube or a reducer the way to the wall is a quadratic
equation; in a bend the ray advances by the distance to the wall until it is there (sphere
tracing), which cannot step through it.  The physics engine's own rays do not see the network.
"""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import ArrayLike, NDArray

from annelid.worlds.tube_kernels import (
    along_radial,
    containing,
    inside,
    mated,
    near,
    source_stamp,
)
from annelid.worlds.tube_table import (
    B_ALONG,
    B_CLOCK,
    B_CRACK,
    B_SIZE,
    B_WIDTH,
    BREAK_ROW,
    CLOSED,
    EDGE_ROW,
    H_EDGES,
    H_TUBES,
    H_WALL,
    HEAD,
    OPEN,
    ROW,
    T_BEND,
    T_BENT,
    T_BINORMAL,
    T_BREAK,
    T_BREAKS,
    T_END0,
    T_END1,
    T_LENGTH,
    T_NORMAL,
    T_RADIUS,
    T_START,
    T_TANGENT,
    T_TAPER,
)

Floats = NDArray[np.float64]
Kinds = NDArray[np.int8]

NONE, WALL_HIT, BREAK_HIT = 0, 1, 2
"""What a ray met: nothing within reach (or it left through an open end), the wall or a cap, or a
place where the wall is broken."""

NEAR = 1e-7
"""A ray this close to the wall has reached it, m."""


def trace_ray(
    table: Floats, origin: ArrayLike, direction: ArrayLike, reach: float
) -> tuple[float, int]:
    """(distance, what was met) of one ray; ``direction`` is a unit vector."""
    distance, kind = np.empty(1), np.empty(1, dtype=np.int8)
    start, way = np.ascontiguousarray(origin, float), np.ascontiguousarray(direction, float)
    _tracer()(table, start, way.reshape(1, 3), reach, distance, kind)
    return float(distance[0]), int(kind[0])


def trace_rays(
    table: Floats, origin: ArrayLike, directions: ArrayLike, reach: float
) -> tuple[Floats, Kinds]:
    """The same for many rays from one point, such as a camera's; ``reach`` where none was met."""
    start = np.ascontiguousarray(origin, dtype=float)
    many = np.ascontiguousarray(np.atleast_2d(np.asarray(directions, dtype=float)))
    distances, kinds = np.empty(len(many)), np.empty(len(many), dtype=np.int8)
    _tracer()(table, start, many, reach, distances, kinds)
    return distances, kinds


@functools.cache
def _tracer() -> Any:
    """The compiled loop; its cache knows the text of the helpers by their stamp."""
    stamp = source_stamp()

    @njit(cache=True, nogil=True, error_model="numpy")
    def trace(
        net: Any, origin: Any, directions: Any, reach: float, distances: Any, kinds: Any
    ) -> int:
        x, y, z = origin[0], origin[1], origin[2]
        first = containing(net, x, y, z, -1)
        if first < 0:
            first = _onward(net, -1, x, y, z, net[H_WALL])
        for k in range(len(directions)):
            a, b, c = directions[k, 0], directions[k, 1], directions[k, 2]
            distances[k], kinds[k] = _ray(net, first, x, y, z, a, b, c, reach)
        return stamp

    return trace


@njit(error_model="numpy")
def _ray(
    net: Any,
    tube: int,
    x: float,
    y: float,
    z: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
) -> tuple[float, int]:
    if tube < 0:
        return reach, NONE
    gone = 0.0
    for _ in range(256):
        row = HEAD + tube * ROW
        px, py, pz = x + gone * dx, y + gone * dy, z + gone * dz
        if net[row + T_BENT] == 0.0:
            way, exit_end = _through_straight(net, row, px, py, pz, dx, dy, dz)
        else:
            way, exit_end = _through_bend(net, row, px, py, pz, dx, dy, dz, reach - gone)
        gone += way
        if gone >= reach:
            return reach, NONE
        px, py, pz = x + gone * dx, y + gone * dy, z + gone * dz
        if exit_end >= 0:
            kind = net[row + (T_END1 if exit_end else T_END0)]
            if kind == CLOSED:
                return gone, WALL_HIT
            beyond = _onward(net, tube, px + NEAR * dx, py + NEAR * dy, pz + NEAR * dz, NEAR)
            if beyond < 0:
                return (reach, NONE) if kind == OPEN else (gone, WALL_HIT)
            tube = beyond
            gone += NEAR
            continue
        mate = mated(net, row, px, py, pz, 0.0)
        if mate >= 0:
            tube = mate
            gone += NEAR
            continue
        if net[row + T_BREAKS] > 0.0 and _broken(net, row, px, py, pz):
            return gone, BREAK_HIT
        return gone, WALL_HIT
    return gone, WALL_HIT


@njit(error_model="numpy")
def _onward(net: Any, tube: int, x: float, y: float, z: float, hair: float) -> int:
    """A tube other than ``tube`` whose bore is within a ``hair`` of the point: a ray may graze the
    wall where it goes from tube to tube, and a sensor pressed against a wall is a little in it."""
    for i in range(int(net[H_TUBES])):
        row = HEAD + i * ROW
        if i != tube and near(net, row, x, y, z, 0.0) and inside(net, row, x, y, z, -hair):
            return i
    return -1


@njit(error_model="numpy")
def _through_straight(
    net: Any, row: int, x: float, y: float, z: float, dx: float, dy: float, dz: float
) -> tuple[float, int]:
    """(way, end) to the wall (end -1) or to the start (0) or end (1) of a straight tube or cone."""
    o, t = row + T_START, row + T_TANGENT
    tx, ty, tz = net[t], net[t + 1], net[t + 2]
    qx, qy, qz = x - net[o], y - net[o + 1], z - net[o + 2]
    s, v = qx * tx + qy * ty + qz * tz, dx * tx + dy * ty + dz * tz
    taper = net[row + T_TAPER]
    radius, growth = net[row + T_RADIUS] + taper * s, taper * v
    qq, qd = qx * qx + qy * qy + qz * qz - s * s, qx * dx + qy * dy + qz * dz - s * v
    a, b, c = 1.0 - v * v - growth * growth, qd - radius * growth, min(qq - radius * radius, 0.0)
    way = 1e30
    under = b * b - a * c
    if abs(a) > 1e-14:
        if under >= 0.0:
            way = (-b + math.sqrt(under)) / a if a > 0.0 else 1e30
            if a < 0.0:
                one, two = (-b + math.sqrt(under)) / a, (-b - math.sqrt(under)) / a
                way = min(one if one >= 0.0 else 1e30, two if two >= 0.0 else 1e30)
    elif b > 1e-14:
        way = -c / (2.0 * b)
    end, until = -1, 1e30
    if v > 1e-15:
        end, until = 1, (net[row + T_LENGTH] - s) / v
    elif v < -1e-15:
        end, until = 0, -s / v
    if until < way:
        return max(until, 0.0), end
    return max(way, 0.0), -1


@njit(error_model="numpy")
def _through_bend(
    net: Any,
    row: int,
    x: float,
    y: float,
    z: float,
    dx: float,
    dy: float,
    dz: float,
    reach: float,
) -> tuple[float, int]:
    """The same in a bend, in the bend's own axes: forward, inward from the centre, sideways."""
    o, t, m, b = row + T_START, row + T_TANGENT, row + T_NORMAL, row + T_BINORMAL
    bend, radius = net[row + T_BEND], net[row + T_RADIUS]
    qx, qy, qz = x - net[o], y - net[o + 1], z - net[o + 2]
    fx = qx * net[t] + qy * net[t + 1] + qz * net[t + 2]
    fy = bend - (qx * net[m] + qy * net[m + 1] + qz * net[m + 2])
    fz = qx * net[b] + qy * net[b + 1] + qz * net[b + 2]
    vx = dx * net[t] + dy * net[t + 1] + dz * net[t + 2]
    vy = -(dx * net[m] + dy * net[m + 1] + dz * net[m + 2])
    vz = dx * net[b] + dy * net[b + 1] + dz * net[b + 2]
    turn = net[row + T_LENGTH] / bend
    ex, ey = math.cos(turn), -math.sin(turn)
    limit, end = reach, -1
    if vx < 0.0:
        limit, end = min(limit, max(-fx / vx, 0.0)), 0
    out = vx * ex + vy * ey
    if out > 0.0:
        until = max(-(fx * ex + fy * ey) / out, 0.0)
        if until < limit:
            limit, end = until, 1
    if limit >= reach:
        limit, end = reach, -1
    way = 0.0
    for _ in range(200):
        px, py, pz = fx + way * vx, fy + way * vy, fz + way * vz
        across = math.sqrt(px * px + py * py)
        away = across - bend
        radial = math.sqrt(away * away + pz * pz)
        gap = radius - radial
        closing = (away * (px * vx + py * vy) / across + pz * vz) / max(radial, 1e-12)
        if closing < 0.0:
            gap = max(abs(gap), NEAR)
        elif abs(gap) < NEAR:
            return way, -1
        if closing > 0.5 and gap < 0.2 * radius:
            gap /= closing
        way += gap
        if way >= limit:
            return limit, end
    return way, -1


@njit(error_model="numpy")
def _broken(net: Any, row: int, x: float, y: float, z: float) -> bool:
    """Whether a point of the wall lies in one of the tube's breaks."""
    along, _, ex, ey, ez = along_radial(net, row, x, y, z)
    nx, ny, nz = net[row + T_NORMAL], net[row + T_NORMAL + 1], net[row + T_NORMAL + 2]
    if net[row + T_BENT] != 0.0:
        turn, t = along / net[row + T_BEND], row + T_TANGENT
        c, s = math.cos(turn), math.sin(turn)
        nx, ny, nz = c * nx - s * net[t], c * ny - s * net[t + 1], c * nz - s * net[t + 2]
    b = row + T_BINORMAL
    clock = math.atan2(ex * net[b] + ey * net[b + 1] + ez * net[b + 2], ex * nx + ey * ny + ez * nz)
    radius = net[row + T_RADIUS] + net[row + T_TAPER] * along
    base = HEAD + int(net[H_TUBES]) * ROW + int(net[H_EDGES]) * EDGE_ROW
    for k in range(int(net[row + T_BREAK]), int(net[row + T_BREAK] + net[row + T_BREAKS])):
        fault = base + k * BREAK_ROW
        off = along - net[fault + B_ALONG]
        turn = clock - net[fault + B_CLOCK]
        across = radius * (turn - 2.0 * math.pi * math.floor(turn / (2.0 * math.pi) + 0.5))
        if net[fault + B_CRACK] != 0.0:
            if abs(off) <= net[fault + B_SIZE] and abs(across) <= net[fault + B_WIDTH]:
                return True
        elif off * off + across * across <= net[fault + B_SIZE] ** 2:
            return True
    return False
