"""Rates a map: compares it with the true pipe network.

Places of the map are matched with bends, tees, ends and breaks of the same kind, in order along
the way; at a junction both are followed into the branch that bends alike.  Only what the robot has
passed counts as missed.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass, field
from math import acos, cos, sin
from typing import Final

import numpy as np

from annelid.systems.microtub.mapping.frame import PipeFrame, Vector
from annelid.systems.microtub.mapping.graph import Graph, MapPlace, PipeStretch, PlaceKind
from annelid.systems.microtub.mapping.mapper import PipeMap
from annelid.worlds.tubes import TubeNetwork

NEAR_M: Final = 0.08
NEAR_SHARE: Final = 0.1
"""A place and a true one this near along the way, or within this share of it, may be the same."""


@dataclass(frozen=True, eq=False)
class Real:
    """Something that is really there."""

    kind: PlaceKind
    name: str
    along: float
    """From the inlet; to the middle of a bend."""
    point: Vector
    angle: float = 0.0
    """Of a bend or a branch, rad."""
    side: Vector | None = None
    """For a break: the direction from the middle of the pipe to it."""
    branch: int | None = None
    """For a junction: the tube that leaves sideways."""


@dataclass(frozen=True)
class Matched:
    """A place of the map and what it is."""

    kind: PlaceKind
    name: str
    """Of the part."""
    true_m: float
    mapped_m: float
    """Along the way from the start."""
    position_error_m: float
    angle_error_rad: float | None
    """How much too far a bend goes; between the side of a break and where the map has it."""
    true_length_m: float | None
    mapped_length_m: float | None
    """From the last corner, junction or the start; None for breaks."""

    @property
    def error_m(self) -> float:
        """Along the way."""
        return self.mapped_m - self.true_m


@dataclass(frozen=True)
class MapError:
    """``missed`` names parts the robot went through that are not on the map, ``extra`` numbers
    places on the map that are not there."""

    matched: tuple[Matched, ...]
    missed: tuple[str, ...]
    extra: tuple[int, ...]

    @property
    def length_error(self) -> float:
        """Of all measured lengths together, as a share: 0.02 is 2 % too long."""
        pairs = [(m.true_length_m, m.mapped_length_m) for m in self.matched]
        true = sum(t for t, _ in pairs if t is not None)
        return sum(m for _, m in pairs if m is not None) / true - 1 if true else 0.0

    @property
    def worst_length_error(self) -> float:
        """Of a single length, as a share, without sign."""
        shares = [
            abs(m.mapped_length_m / m.true_length_m - 1)
            for m in self.matched
            if m.true_length_m and m.mapped_length_m is not None
        ]
        return max(shares, default=0.0)

    def worst_m(self, kind: PlaceKind | None = None) -> float:
        """Largest error along the way, of places of this kind or of all."""
        errors = [abs(m.error_m) for m in self.matched if kind in (None, m.kind)]
        return max(errors, default=0.0)

    @property
    def worst_position_m(self) -> float:
        return max((m.position_error_m for m in self.matched), default=0.0)


def compare(pipes: PipeMap, network: TubeNetwork) -> MapError:
    """What the map says against the network as it is (without a launch tube).

    A robot knows nothing of the world outside: its map is laid on the inlet, robot upright.
    """
    graph = copy(pipes.graph)
    graph.origin = inlet(network)
    walk = _Walk(graph, network)
    walk.follow(pipes.graph.stretches[0], 0, _Mark(0.0, 0.0))
    missed = [walk.truth[key].name for key in sorted(walk.passed - walk.used)]
    return MapError(tuple(walk.matched), tuple(missed), tuple(walk.extra))


def inlet(network: TubeNetwork) -> PipeFrame:
    """Where a robot stands that is about to go in."""
    point, heading, rolled = network.tubes[0].frame(0.0)
    upright = np.array([0.0, 0.0, 1.0])
    up = upright - (upright @ heading) * heading
    long = float(np.linalg.norm(up))
    return PipeFrame(point, heading, up / long if long > 1e-6 else rolled)


@dataclass(frozen=True)
class _Mark:
    """The last corner, junction or the start that map and truth agree on: along each."""

    true: float
    mapped: float


_Key = tuple[int, float, str]
"""Tube, along, kind: what a true thing is known by."""


@dataclass
class _Walk:
    graph: Graph
    network: TubeNetwork
    truth: dict[_Key, Real] = field(default_factory=dict)
    used: set[_Key] = field(default_factory=set)
    passed: set[_Key] = field(default_factory=set)
    matched: list[Matched] = field(default_factory=list)
    extra: list[int] = field(default_factory=list)

    def follow(self, stretch: PipeStretch, tube: int, mark: _Mark) -> None:
        """Match everything on ``stretch``, then go on where it leads."""
        ahead = list(self.ahead(tube, mark.true))
        for place in sorted(self.graph.breaks(stretch), key=lambda each: each.at):
            self.match(place, ahead, mark)
        if stretch.end is None:
            self.pass_by(ahead, mark.true, self.graph.along(stretch, stretch.length))
            return
        end = self.graph.places[stretch.end]
        found = self.match(end, ahead, mark)
        if found is not None:
            self.pass_by(ahead, mark.true, found.along)
            mark = _Mark(found.along, self.graph.along(*self.graph.centre(end)))
        for number, onward in end.onward.items():
            into = tube
            if found is not None and found.branch is not None:
                bend = end.ways[number].angle
                into = found.branch if abs(bend - found.angle) < bend else tube
            self.follow(self.graph.stretches[onward], into, mark)

    def match(self, place: MapPlace, ahead: list[tuple[_Key, Real]], mark: _Mark) -> Real | None:
        stretch, at = self.graph.centre(place)
        along = self.graph.along(stretch, at)
        reach = max(NEAR_M, NEAR_SHARE * along)
        near = [
            (abs(true.along - along), key, true)
            for key, true in ahead
            if true.kind is place.kind and key not in self.used and abs(true.along - along) <= reach
        ]
        if not near:
            self.extra.append(place.id)
            return None
        _, key, true = min(near, key=lambda each: each[:2])
        self.used.add(key)
        self.passed.add(key)
        angle: float | None = None
        if place.kind is PlaceKind.TURN:
            angle = stretch.way.angle - true.angle
        elif place.kind is PlaceKind.BREAK:
            side = self.graph.frame(stretch, at).side(place.direction)
            angle = _angle(side, true.side if true.side is not None else side)
        point = self.graph.frame(stretch, at).point
        corner = place.kind is not PlaceKind.BREAK
        self.matched.append(
            Matched(
                kind=place.kind,
                name=true.name,
                true_m=true.along,
                mapped_m=along,
                position_error_m=float(np.linalg.norm(point - true.point)),
                angle_error_rad=angle,
                true_length_m=true.along - mark.true if corner else None,
                mapped_length_m=along - mark.mapped if corner else None,
            )
        )
        return true

    def pass_by(self, ahead: list[tuple[_Key, Real]], begin: float, end: float) -> None:
        """What lies well within the way that was gone should be on the map."""
        for key, true in ahead:
            if true.kind is not PlaceKind.END and begin < true.along < end - NEAR_M:
                self.passed.add(key)

    def ahead(self, tube: int, begin: float) -> Iterator[tuple[_Key, Real]]:
        """Everything from ``begin`` on, straight on at every tee."""
        index: int | None = tube
        while index is not None:
            for true in sorted(self.things(index), key=lambda each: each.along):
                key = (index, true.along, true.name)
                self.truth.setdefault(key, true)
                if true.along >= begin:
                    yield key, true
            index = self.next(index)

    def next(self, index: int) -> int | None:
        """The tube that continues this one."""
        for number, tube in enumerate(self.network.tubes):
            if tube.parent == index and not tube.branch:
                return number
        return None

    def things(self, index: int) -> Iterator[Real]:
        tube = self.network.tubes[index]
        if tube.bent:
            half = tube.length / 2
            yield Real(
                PlaceKind.TURN, tube.part, tube.along + half, tube.frame(half)[0], tube.angle
            )
        for number, other in enumerate(self.network.tubes):
            if other.branch and other.parent == index:
                bend = _angle(np.array(other.tangent), np.array(tube.tangent))
                start = np.array(other.start)
                yield Real(PlaceKind.JUNCTION, tube.part, other.along, start, bend, branch=number)
        for hole in self.network.breaks:
            if hole.part == tube.part:
                point, heading, up = tube.frame(hole.along)
                side = cos(hole.clock) * up + sin(hole.clock) * np.cross(heading, up)
                name = f"break in {hole.part}"
                yield Real(PlaceKind.BREAK, name, tube.along + hole.along, point, side=side)
        if self.next(index) is None and tube.meets < 0:
            end = tube.frame(tube.length)[0]
            yield Real(PlaceKind.END, tube.part, tube.along + tube.length, end)


def _angle(one: Vector, other: Vector) -> float:
    """Between two unit vectors."""
    return acos(min(1.0, max(-1.0, float(one @ other))))
