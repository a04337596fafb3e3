"""Saves the map as JSON and reads it back unchanged."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from annelid.errors import SpecError
from annelid.spec import Spec, Vec3
from annelid.systems.microtub.mapping.frame import PipeFrame, Vector
from annelid.systems.microtub.mapping.graph import (
    Graph,
    MapPlace,
    PipeBranch,
    PipeStretch,
    PlaceKind,
)
from annelid.systems.microtub.mapping.mapper import PipeMap


class WaySpec(Spec):
    direction_rad: float
    angle_rad: float


class PlaceSpec(Spec):
    id: int
    kind: PlaceKind
    stretch: int | None
    along_m: float
    position_m: Vec3
    """From the start, and in space; the middle of a bend."""
    at_m: float = 0.0
    direction_rad: float = 0.0
    what: str = ""
    ways: tuple[WaySpec, ...] = ()
    onward: dict[int, int] = Field(default_factory=dict)
    seen: int = 1


class StretchSpec(Spec):
    id: int
    start: int
    end: int | None
    way: WaySpec
    bend_m: float
    length_m: float
    walked: int
    off_m: float | None = None
    """The length from place to place is right within this, in 95 of 100; None: not measured."""
    felt: WaySpec | None = None
    """``way`` as joints told it, before gravity set it right."""
    rises_rad: float = 0.0
    """How steep its straight part is, uphill positive, as accelerometers told it …"""
    rises_over_m: float = 0.0
    """… on so much of the way; 0: they told nothing."""


class MapSpec(Spec):
    """``along_m`` and ``position_m`` are for readers: they follow from the rest."""

    format: int = 1
    heading: Vec3
    up: Vec3
    origin_m: Vec3
    places: tuple[PlaceSpec, ...]
    stretches: tuple[StretchSpec, ...]
    robot_stretch: int
    robot_at_m: float
    robot_forwards: bool
    travelled_m: float
    conflicts: int


def to_spec(pipes: PipeMap) -> MapSpec:
    graph, here = pipes.graph, pipes.where
    origin = graph.origin
    return MapSpec(
        heading=_vec(origin.heading),
        up=_vec(origin.up),
        origin_m=_vec(origin.point),
        places=tuple(_place(graph, place) for place in graph.places.values()),
        stretches=tuple(
            StretchSpec(
                id=each.id,
                start=each.start,
                end=each.end,
                way=_way(each.way),
                bend_m=each.bend,
                length_m=each.length,
                walked=each.walked,
                off_m=each.off,
                felt=_way(each.felt),
                rises_rad=each.leaned / each.leaned_over if each.leaned_over else 0.0,
                rises_over_m=each.leaned_over,
            )
            for each in graph.stretches.values()
        ),
        robot_stretch=here.stretch,
        robot_at_m=here.at,
        robot_forwards=here.forwards,
        travelled_m=pipes.travelled,
        conflicts=pipes.conflicts,
    )


def from_spec(spec: MapSpec) -> PipeMap:
    """The same map, with the robot where it was."""
    if spec.format != 1:
        raise SpecError(f"map: format: expected 1, got {spec.format}")
    origin = PipeFrame(*(np.array(each) for each in (spec.origin_m, spec.heading, spec.up)))
    graph = Graph(origin)
    graph.places = {
        each.id: MapPlace(
            each.id,
            each.kind,
            each.stretch,
            each.at_m,
            each.direction_rad,
            each.what,
            dict(each.onward),
            [_branch(way) for way in each.ways],
            each.seen,
        )
        for each in spec.places
    }
    graph.stretches = {
        each.id: PipeStretch(
            each.id,
            each.start,
            _branch(each.way),
            each.bend_m,
            each.length_m,
            each.end,
            each.walked,
            each.off_m,
            _branch(each.felt or each.way),
            each.rises_rad * each.rises_over_m,
            each.rises_over_m,
        )
        for each in spec.stretches
    }
    _check(graph, spec.robot_stretch)
    return PipeMap.resumed(
        graph,
        stretch=spec.robot_stretch,
        at=spec.robot_at_m,
        forwards=spec.robot_forwards,
        travelled=spec.travelled_m,
        conflicts=spec.conflicts,
    )


def _check(graph: Graph, robot: int) -> None:
    """Every number must lead somewhere, or a walk over the map would not end."""
    for stretch in graph.stretches.values():
        ends = [stretch.start, *([] if stretch.end is None else [stretch.end])]
        if any(end not in graph.places for end in ends) or stretch.length < 0:
            raise SpecError(f"map: stretch {stretch.id}: start, end or length is wrong")
        place, seen = graph.places[stretch.start], {stretch.id}
        while place.stretch is not None:
            if place.stretch in seen or place.stretch not in graph.stretches:
                raise SpecError(f"map: stretch {stretch.id} does not lead back to the start")
            seen.add(place.stretch)
            place = graph.places[graph.stretches[place.stretch].start]
    if robot not in graph.stretches:
        raise SpecError(f"map: robot_stretch: there is no stretch {robot}")
    for place in graph.places.values():
        missing = {*place.onward.values()} - graph.stretches.keys()
        if missing or (place.kind is PlaceKind.TURN and 0 not in place.onward):
            raise SpecError(f"map: place {place.id}: onward: leads nowhere")
        if place.stretch is not None and place.stretch not in graph.stretches:
            raise SpecError(f"map: place {place.id}: there is no stretch {place.stretch}")


def _place(graph: Graph, place: MapPlace) -> PlaceSpec:
    return PlaceSpec(
        id=place.id,
        kind=place.kind,
        stretch=place.stretch,
        along_m=graph.along(*graph.centre(place)),
        position_m=_vec(graph.frame(*graph.centre(place)).point),
        at_m=place.at,
        direction_rad=place.direction,
        what=place.what,
        ways=tuple(_way(way) for way in place.ways),
        onward=dict(place.onward),
        seen=place.seen,
    )


def _way(way: PipeBranch) -> WaySpec:
    return WaySpec(direction_rad=way.direction, angle_rad=way.angle)


def _branch(way: WaySpec) -> PipeBranch:
    return PipeBranch(way.direction_rad, way.angle_rad)


def _vec(vector: Vector) -> Vec3:
    x, y, z = vector.tolist()
    return x, y, z
