"""The geometry of pipes: straight, conical and bent tubes, and the distance to their wall.

A pipe seen by a robot is its *bore*: the union of the tubes.  A tube is known by its centre line
(a segment or an arc of a circle) and its radius, so distances are exact and a bend has no facets
to hitch on (LAB, "Pipes: analytic contact").  Nothing here knows the physics engine; the flat
table of ``to_array`` is what contact and ray kernels read.

Metres and radians; the frame of the network is x forward, y left, z up.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annelid.errors import GeometryError, UnknownName
from annelid.spec import Vec3
from annelid.worlds import tube_kernels, tube_table

Floats = NDArray[np.float64]

WALL = 0.004
"""Thickness in which a body that has sunk into the wall is still pushed back, m (LAB: 4 mm)."""


@dataclass(frozen=True)
class Tube:
    """One straight, conical or bent piece of bore.

    ``up`` is the network's "up" carried along the centre line without twist; clock angles count
    from it, to the right when looking forward.  ``along`` is the way from the inlet to the start.
    ``parent`` is the index of the tube this one continues, or, for a ``branch``, leaves sideways
    (its start then lies on the parent's axis).
    """

    part: str
    start: Vec3
    tangent: Vec3
    up: Vec3
    length: float
    radius_start: float
    radius_end: float
    bend_normal: Vec3 = (0.0, 0.0, 0.0)
    bend_radius: float = math.inf
    closed_start: bool = False
    closed_end: bool = False
    along: float = 0.0
    parent: int = -1
    branch: bool = False
    meets: int = -1
    """In a loop, the tube whose end is this one's end."""

    @property
    def bent(self) -> bool:
        return math.isfinite(self.bend_radius)

    @property
    def angle(self) -> float:
        """How far the tube turns, radians."""
        return self.length / self.bend_radius if self.bent else 0.0

    def axes(self) -> tuple[Floats, Floats, Floats]:
        """(tangent, normal, binormal) at the start; the normal is towards the centre of the bend,
        or up in a straight tube."""
        tangent = np.array(self.tangent)
        normal = np.array(self.bend_normal if self.bent else self.up)
        return tangent, normal, np.cross(tangent, normal)

    def frame(self, along: float) -> tuple[Floats, Floats, Floats]:
        """(point, tangent, up) of the centre line, ``along`` metres from the start."""
        tangent, normal, binormal = self.axes()
        start, up = np.array(self.start), np.array(self.up)
        if not self.bent:
            return start + along * tangent, tangent, up
        turn, radius = along / self.bend_radius, self.bend_radius
        cos, sin = math.cos(turn), math.sin(turn)
        point = start + radius * (sin * tangent + (1 - cos) * normal)
        here = cos * tangent + sin * normal
        inward = cos * normal - sin * tangent
        return point, here, (up @ normal) * inward + (up @ binormal) * binormal

    def radius(self, along: float) -> float:
        return self.radius_start + (self.radius_end - self.radius_start) * along / self.length

    def coordinates(self, points: ArrayLike) -> tuple[Floats, Floats]:
        """(along, radial) of each point with respect to the centre line, both in metres."""
        tangent, normal, binormal = self.axes()
        offset = np.atleast_2d(np.asarray(points, dtype=float)) - np.array(self.start)
        if not self.bent:
            along = offset @ tangent
            return along, np.linalg.norm(offset - along[:, None] * tangent, axis=1)
        forward, inward = offset @ tangent, self.bend_radius - offset @ normal
        radial = np.hypot(np.hypot(forward, inward) - self.bend_radius, offset @ binormal)
        return self.bend_radius * np.arctan2(forward, inward), radial

    def coordinates_of(self, point: Vec3) -> tuple[float, float]:
        """:meth:`coordinates` of a single point, for those who ask at every tick: numpy would cost
        fifty times as much."""
        (ax, ay, az), (tx, ty, tz), (nx, ny, nz), (bx, by, bz) = self._frame_at_start
        dx, dy, dz = point[0] - ax, point[1] - ay, point[2] - az
        forward = dx * tx + dy * ty + dz * tz
        across = dx * nx + dy * ny + dz * nz
        aside = dx * bx + dy * by + dz * bz
        if not self.bent:
            return forward, math.hypot(across, aside)
        inward = self.bend_radius - across
        radial = math.hypot(math.hypot(forward, inward) - self.bend_radius, aside)
        return self.bend_radius * math.atan2(forward, inward), radial

    @functools.cached_property
    def _frame_at_start(self) -> tuple[Vec3, Vec3, Vec3, Vec3]:
        tangent, normal, binormal = (tuple(axis.tolist()) for axis in self.axes())
        return self.start, tangent, normal, binormal

    def contains(self, points: ArrayLike, *, tolerance: float = 0.0) -> NDArray[np.bool_]:
        """Whether each point lies in the bore, deeper than ``tolerance`` from its surface."""
        along, radial = self.coordinates(points)
        radius = self.radius_start + (self.radius_end - self.radius_start) * along / self.length
        inside: NDArray[np.bool_] = (
            (along > tolerance) & (along < self.length - tolerance) & (radial < radius - tolerance)
        )
        return inside

    def wall_points(self, rings: int, facets: int) -> Floats:
        """(rings + 1, facets, 3) points on the wall, ring by ring from the start."""
        clock = np.linspace(0, 2 * math.pi, facets, endpoint=False)
        grid = np.empty((rings + 1, facets, 3))
        for index, along in enumerate(np.linspace(0, self.length, rings + 1)):
            point, tangent, up = self.frame(float(along))
            right = np.cross(tangent, up)
            spokes = np.cos(clock)[:, None] * up + np.sin(clock)[:, None] * right
            grid[index] = point + self.radius(float(along)) * spokes
        return grid


@dataclass(frozen=True)
class Break:
    """A place where the wall is missing, for sensors: an infrared ray or a picture sees it; a
    body does not fall through it."""

    part: str
    along: float
    clock: float
    shape: Literal["hole", "crack"]
    size: float
    width: float


@dataclass(frozen=True)
class Location:
    """Where in the network a point is."""

    tube: Tube
    along: float
    """Arc length from the inlet, m."""
    radial: float
    """Distance from the centre line, m."""


@dataclass(frozen=True)
class TubeNetwork:
    """The bore of a whole network, inlet first."""

    tubes: tuple[Tube, ...]
    breaks: tuple[Break, ...] = ()

    def tube(self, part: str) -> Tube:
        for tube in self.tubes:
            if tube.part == part:
                return tube
        raise UnknownName("pipe part", part, [tube.part for tube in self.tubes])

    def to_array(self, origin: Vec3 = (0.0, 0.0, 0.0)) -> Floats:
        """The table kernels read (``tube_table``), in coordinates relative to ``origin``."""
        return tube_table.pack(self.tubes, self.breaks, origin=origin, wall=WALL)

    def clearance(self, points: ArrayLike) -> Floats:
        """Signed distance from each point to the wall, positive in the bore; exact at tees."""
        flat = np.ascontiguousarray(np.atleast_2d(np.asarray(points, dtype=float)))
        distances: Floats = tube_kernels.clearances(self._table, flat)
        return distances

    def locate(self, point: ArrayLike) -> Location:
        """The tube a point belongs to (the one it is deepest in) and how far along it is."""
        x, y, z = np.asarray(point, dtype=float).ravel().tolist()
        best: tuple[float, Location] | None = None
        for tube in self.tubes:
            along, radial = tube.coordinates_of((x, y, z))
            clamped = min(max(along, 0.0), tube.length)
            depth = tube.radius(clamped) - radial - 2 * abs(along - clamped)
            if best is None or depth > best[0] + 1e-12:
                best = depth, Location(tube, tube.along + clamped, radial)
        if best is None:
            raise GeometryError("locate: the pipe network has no tubes")
        return best[1]

    def route_to(self, part: str) -> tuple[Tube, ...]:
        """The tubes from the inlet to ``part``, both included."""
        tube = self.tube(part)
        route = [tube]
        while tube.parent >= 0:
            tube = self.tubes[tube.parent]
            route.append(tube)
        return tuple(reversed(route))

    def ends(self) -> dict[int, Vec3]:
        """Where pipes end, by the number of their tube: what no other tube goes on from."""
        onward = {tube.parent for tube in self.tubes if not tube.branch}
        points = {
            number: tube.frame(tube.length)[0]
            for number, tube in enumerate(self.tubes)
            if number not in onward and tube.meets < 0
        }
        return {number: (float(x), float(y), float(z)) for number, (x, y, z) in points.items()}

    def seams(self) -> dict[int, Vec3]:
        """Where loops close, by the number of the tube that closes it."""
        found = {}
        for number, tube in enumerate(self.tubes):
            if 0 <= tube.meets < number:
                x, y, z = tube.frame(tube.length)[0].tolist()
                found[number] = (x, y, z)
        return found

    def main_route(self) -> tuple[Tube, ...]:
        """From the inlet straight through every tee, as far as it goes."""
        route, index = [self.tubes[0]], 0
        while True:
            following = [i for i, t in enumerate(self.tubes) if t.parent == index and not t.branch]
            if not following:
                return tuple(route)
            index = following[0]
            route.append(self.tubes[index])

    def point_at(self, along: float, *, route: Sequence[Tube] | None = None) -> Floats:
        """The point of the centre line ``along`` metres from the inlet."""
        return self.frame_at(along, route=route)[0]

    def frame_at(
        self, along: float, *, route: Sequence[Tube] | None = None
    ) -> tuple[Floats, Floats, Floats]:
        """(point, tangent, up) of the centre line ``along`` metres from the inlet, on the main
        route or on the one given (see ``route_to``).  Beyond the ends it goes straight on."""
        tubes = tuple(route) if route is not None else self.main_route()
        tube = [t for t in tubes if t.along <= along][-1] if along >= tubes[0].along else tubes[0]
        inside = min(max(along - tube.along, 0.0), tube.length)
        point, tangent, up = tube.frame(inside)
        return point + (along - tube.along - inside) * tangent, tangent, up

    def length(self, *, route: Sequence[Tube] | None = None) -> float:
        """Arc length from the inlet to the end of the route, m."""
        last = (tuple(route) if route is not None else self.main_route())[-1]
        return last.along + last.length

    def bounding_box(self) -> tuple[Floats, Floats]:
        """(lowest, highest) corner of the bore."""
        points = np.concatenate(
            [t.wall_points(32 if t.bent else 1, 64).reshape(-1, 3) for t in self.tubes]
        )
        return points.min(axis=0), points.max(axis=0)

    def mesh(self, facets: int = 48) -> tuple[Floats, NDArray[np.int32]]:
        """(vertices, faces) for the eye; see ``tube_mesh``."""
        from annelid.worlds import tube_mesh

        return tube_mesh.mesh(self, facets=facets)

    @functools.cached_property
    def _table(self) -> Floats:
        return self.to_array()
