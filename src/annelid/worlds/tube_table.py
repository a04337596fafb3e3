"""Turns a pipe network into one flat array, which the contact and ray kernels read.

The physics engine carries it as custom numeric data; numba reads it in place.  Head, then a row
per tube, a row per edge (a closed curve where the wall has a rim that bodies can roll over: an
open end, the narrow end of a reducer, the mouth of a tee), a row per break.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annelid.errors import UnknownName
from annelid.spec import Vec3

if TYPE_CHECKING:
    from annelid.worlds.tubes import Break, Tube

Floats = NDArray[np.float64]

MAGIC = 40_717_301.0
"""First entry of every table, and first user value of the geom that carries it."""

HEAD, ROW, EDGE_ROW, BREAK_ROW = 8, 30, 18, 6
"""Doubles in the head and in a row of each kind."""

H_KEY, H_TUBES, H_EDGES, H_BREAKS, H_WALL = 1, 2, 3, 4, 5
"""Head: key of this network, numbers of rows, thickness of the wall."""

T_BENT, T_START, T_TANGENT, T_NORMAL, T_BINORMAL = 0, 1, 4, 7, 10
T_LENGTH, T_BEND, T_RADIUS, T_TAPER = 13, 14, 15, 16
T_END0, T_END1, T_MATE = 17, 18, 19
T_CENTRE, T_BOUND, T_BREAK, T_BREAKS = 20, 23, 24, 25
T_UP, T_COS, T_SIN, T_MATE2 = 26, 27, 28, 29
"""Tube row.  Taper is radius change per metre; mate is the other tube of a tee, or -1, and mate2
the second branch of a cross; centre and bound are a sphere around the tube and its wall; up is the
angle of "up" from the normal; cos and sin are of the angle a bend turns."""

JOINED, OPEN, CLOSED = 0.0, 1.0, 2.0
"""What is at an end of a tube."""

E_KIND, E_FIRST, E_SECOND, E_CENTRE, E_BOUND = 0, 1, 2, 3, 6
E_NORMAL, E_BINORMAL, E_OUT, E_RADIUS, E_TAPER = 7, 10, 13, 16, 17
"""Edge row: kind, its tubes, a sphere around it; for circles the axes, the direction out of the
tube, the radius, and the taper of the cone that ends there."""

RIM, NECK, MOUTH = 0.0, 1.0, 2.0
"""Kinds of edge: open end, narrow end of a reducer, mouth of a tee."""

B_ALONG, B_CLOCK, B_CRACK, B_SIZE, B_WIDTH = 0, 1, 2, 3, 4
"""Break row: place on the tube (clock counted from the tube's normal), shape, half sizes."""


def pack(tubes: Sequence[Tube], breaks: Sequence[Break], *, origin: Vec3, wall: float) -> Floats:
    """The table of a network, relative to ``origin``."""
    order = {tube.part: index for index, tube in enumerate(tubes)}
    for fault in breaks:
        if fault.part not in order:
            raise UnknownName("pipe part", fault.part, order, where="breaks")
    by_tube = sorted(breaks, key=lambda fault: order[fault.part])
    shift = np.array(origin)
    rows = np.array([_tube_row(tubes, i, shift, wall) for i in range(len(tubes))])
    for index, fault in enumerate(by_tube):
        row = rows[order[fault.part]]
        if row[T_BREAKS] == 0:
            row[T_BREAK] = index
        row[T_BREAKS] += 1
    edges = _edge_rows(tubes, rows, shift)
    holes = [_break_row(fault, rows[order[fault.part]]) for fault in by_tube]
    head = np.zeros(HEAD)
    head[[0, H_TUBES, H_EDGES, H_BREAKS, H_WALL]] = MAGIC, len(rows), len(edges), len(holes), wall
    body = [np.asarray(part, dtype=float).ravel() for part in (rows, edges, holes)]
    table = np.concatenate([head, *body])
    table[H_KEY] = zlib.crc32(table.tobytes())
    return table


def _tube_row(tubes: Sequence[Tube], index: int, shift: Floats, wall: float) -> Floats:
    tube = tubes[index]
    tangent, normal, binormal = tube.axes()
    row = np.zeros(ROW)
    row[T_BENT] = tube.bent
    row[T_START : T_START + 3] = np.array(tube.start) - shift
    row[T_TANGENT : T_TANGENT + 3] = tangent
    row[T_NORMAL : T_NORMAL + 3] = normal
    row[T_BINORMAL : T_BINORMAL + 3] = binormal
    row[T_LENGTH] = tube.length
    row[T_BEND] = tube.bend_radius if tube.bent else 0.0
    row[T_RADIUS] = tube.radius_start
    row[T_TAPER] = (tube.radius_end - tube.radius_start) / tube.length
    joined = tube.meets >= 0 or any(t.parent == index and not t.branch for t in tubes)
    row[T_END0] = CLOSED if tube.closed_start else JOINED if tube.parent >= 0 else OPEN
    row[T_END1] = CLOSED if tube.closed_end else JOINED if joined else OPEN
    mates = [i for i, t in enumerate(tubes) if t.branch and t.parent == index]
    row[T_MATE] = tube.parent if tube.branch else mates[0] if mates else -1
    row[T_MATE2] = mates[1] if len(mates) > 1 else -1
    middle = tube.frame(tube.length / 2)[0]
    reach = max(float(np.linalg.norm(tube.frame(s)[0] - middle)) for s in (0.0, tube.length))
    row[T_CENTRE : T_CENTRE + 3] = middle - shift
    row[T_BOUND] = math.hypot(reach, max(tube.radius_start, tube.radius_end)) + wall
    if tube.bent:
        row[T_BOUND] = reach + max(tube.radius_start, tube.radius_end) + wall
    row[T_COS], row[T_SIN] = math.cos(tube.angle), math.sin(tube.angle)
    up = np.array(tube.up)
    row[T_UP] = math.atan2(float(up @ binormal), float(up @ normal))
    return row


def _edge_rows(tubes: Sequence[Tube], rows: Floats, shift: Floats) -> list[Floats]:
    edges = []
    for index, tube in enumerate(tubes):
        row = rows[index]
        for end, along in ((T_END0, 0.0), (T_END1, tube.length)):
            narrow = row[T_TAPER] > 0 if end == T_END0 else row[T_TAPER] < 0
            if row[end] == OPEN:
                edges.append(_circle(tube, index, RIM, along, shift))
            elif row[end] == JOINED and narrow:
                edges.append(_circle(tube, index, NECK, along, shift))
        if tube.branch:
            run = tubes[tube.parent]
            edge = np.zeros(EDGE_ROW)
            edge[[E_KIND, E_FIRST, E_SECOND]] = MOUTH, tube.parent, index
            sine = float(np.linalg.norm(np.cross(tube.tangent, run.tangent)))
            edge[E_CENTRE : E_CENTRE + 3] = np.array(tube.start) - shift
            edge[E_BOUND] = (run.radius_start + 2 * tube.radius_start) / sine
            edges.append(edge)
    return edges


def _circle(tube: Tube, index: int, kind: float, along: float, shift: Floats) -> Floats:
    point, tangent, up = tube.frame(along)
    edge = np.zeros(EDGE_ROW)
    edge[[E_KIND, E_FIRST, E_SECOND]] = kind, index, -1
    edge[E_CENTRE : E_CENTRE + 3] = point - shift
    edge[E_BOUND] = edge[E_RADIUS] = tube.radius(along)
    edge[E_NORMAL : E_NORMAL + 3] = up
    edge[E_BINORMAL : E_BINORMAL + 3] = np.cross(tangent, up)
    edge[E_OUT : E_OUT + 3] = tangent if along > 0 else -tangent
    edge[E_TAPER] = abs(tube.radius_end - tube.radius_start) / tube.length
    return edge


def _break_row(fault: Break, row: Floats) -> Floats:
    out = np.zeros(BREAK_ROW)
    out[[B_ALONG, B_CLOCK]] = fault.along, fault.clock + row[T_UP]
    out[[B_CRACK, B_SIZE, B_WIDTH]] = fault.shape == "crack", fault.size / 2, fault.width / 2
    return out
