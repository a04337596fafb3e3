"""Report: the robot's map of its pipes, drawn over the true network, with errors.

The central control tells the trace of its map (event ``map``, the JSON of
``annelid.systems.microtub.mapping.spec``); the last one of a run is drawn.
"""

from __future__ import annotations

from collections.abc import Iterator
from copy import copy
from math import degrees
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.errors import SpecError
from annelid.report import page
from annelid.report.figures import ReportFigure
from annelid.report.plots import COLOURS, Curve, PlotPanel, draw
from annelid.report.recording import Recording
from annelid.systems.microtub.mapping import (
    Graph,
    MapError,
    MapSpec,
    PipeMap,
    PlaceKind,
    compare,
    from_spec,
    inlet,
)
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tubes import TubeNetwork

Floats = NDArray[np.float64]

MAP: Final = "map"
"""Kind of event."""
FLAT_MM: Final = 5.0
"""A map that climbs no more than this needs no view from the side."""
PIPE_COLOUR: Final = "#dfe7ee"
MARKS: Final = {
    PlaceKind.TURN: (COLOURS[6], "bend"),
    PlaceKind.JUNCTION: (COLOURS[4], "junction"),
    PlaceKind.END: (COLOURS[7], "end"),
    PlaceKind.BREAK: (COLOURS[1], "break"),
}
"""Colour and name of places; the start is where all begins."""


def sections(recording: Recording) -> Iterator[str]:
    """None where the run made no map."""
    told = [event for event in recording.events if event.kind == MAP]
    if not told:
        return
    try:
        pipes = from_spec(MapSpec.parse(told[-1].detail, where="event map"))
    except SpecError as error:
        yield page.section("Map", page.note(f"The map in the trace cannot be read: {error}"))
        return
    world = recording.scenario.world
    network = world.tubes() if isinstance(world, Pipe) else None
    plot = map_plot(pipes, network)
    parts = [page.figure(plot.svg, plot.caption)]
    if network is not None:
        errors = compare(pipes, network)
        parts += [page.paragraph(in_words(errors)), _table(errors)]
    parts.append(lengths(pipes.graph))
    yield page.section(plot.title, *parts)


def map_plot(pipes: PipeMap, network: TubeNetwork | None) -> ReportFigure:
    """From above, and from the side where it climbs; ``network`` is drawn below it."""
    graph = copy(pipes.graph)
    if network is not None:
        graph.origin = inlet(network)
    lines = list(_lines(graph))
    height = np.concatenate([line[:, 2] for line in lines])
    climbs = float(np.ptp(height))
    views = [("from above", 0, 1)]
    if climbs > FLAT_MM:
        views.append(("from the side", 0, 2))
    panels = [
        PlotPanel(
            f"{'xyz'[across]} (mm)",
            f"{'xyz'[up]} (mm)",
            [*_pipe(network, across, up), *_map(pipes, graph, lines, across, up)],
            title=title,
            equal=True,
        )
        for title, across, up in views
    ]
    caption = "The robot's map"
    caption += " over the pipes as they are" if network is not None else ""
    level = f"it climbs {climbs:.0f} mm in all" if climbs > FLAT_MM else "it stays level"
    return ReportFigure("Map", f"{caption}; {level}.", draw(panels, columns=2, height=3.8))


def in_words(errors: MapError) -> str:
    """How good the map is, for a reader in a hurry."""
    if not errors.matched:
        text = "Nothing on the map is where something really is."
    else:
        text = (
            f"{len(errors.matched)} places are where something really is: lengths are wrong by "
            f"{errors.length_error:+.1%} in all, {errors.worst_length_error:.1%} at worst; places "
            f"by {errors.worst_m() * 1000:.0f} mm along the way, "
            f"{errors.worst_position_m * 1000:.0f} mm in space, at worst."
        )
    if errors.missed:
        text += f" Not on the map, though passed: {', '.join(errors.missed)}."
    if errors.extra:
        text += f" On the map, but not there: {len(errors.extra)}."
    return text


def _table(errors: MapError) -> str:
    rows = [
        (
            str(each.kind),
            each.name,
            f"{each.true_m * 1000:.0f}",
            f"{each.mapped_m * 1000:.0f}",
            f"{each.error_m * 1000:+.0f}",
            f"{each.position_error_m * 1000:.0f}",
            "" if each.angle_error_rad is None else f"{degrees(each.angle_error_rad):+.0f}",
        )
        for each in errors.matched
    ]
    head = ("place", "part", "way to it (mm)", "on the map", "error", "in space (mm)", "angle (°)")
    return page.table(head, rows, numbers=(2, 3, 4, 5, 6)) if rows else ""


def lengths(graph: Graph) -> str:
    """Of each stretch from place to place, and how far off the robot says that it may be."""
    names: dict[int, str] = {}
    for place in graph.places.values():
        name = MARKS[place.kind][1] if place.kind in MARKS else "home"
        same = sum(each.startswith(name) for each in names.values())
        names[place.id] = name if name == "home" else f"{name} {same + 1}"
    rows = []
    for stretch in graph.stretches.values():
        if stretch.end is None:
            continue
        places = graph.places[stretch.start], graph.places[stretch.end]
        begin, end = (graph.along(*graph.centre(place)) for place in places)
        within = "not known" if stretch.off is None else f"{1000 * stretch.off:.0f}"
        rows.append((*(names[place.id] for place in places), f"{1000 * (end - begin):.0f}", within))
    head = ("from", "to", "length on the map (mm)", "within (mm), 95 times of 100")
    return page.table(head, rows, numbers=(2, 3)) if rows else ""


def _lines(graph: Graph) -> Iterator[Floats]:
    """The course of each stretch, mm."""
    for stretch in graph.stretches.values():
        ways = [*np.linspace(0.0, stretch.bend, 12)] if stretch.bend else [0.0]
        ways.append(max(stretch.length, stretch.bend))
        yield 1000 * np.array([graph.frame(stretch, way).point for way in ways])


def _pipe(network: TubeNetwork | None, across: int, up: int) -> Iterator[Curve]:
    for index, tube in enumerate(network.tubes if network is not None else ()):
        ways = np.linspace(0.0, tube.length, 24 if tube.bent else 2)
        course = 1000 * np.array([tube.frame(float(way))[0] for way in ways])
        label = "" if index else "pipe"
        yield Curve(course[:, across], course[:, up], label, colour=PIPE_COLOUR, width=7)


def _map(
    pipes: PipeMap, graph: Graph, lines: list[Floats], across: int, up: int
) -> Iterator[Curve]:
    for index, line in enumerate(lines):
        label = "" if index else "map"
        yield Curve(line[:, across], line[:, up], label, colour=COLOURS[0])
    for kind, (colour, name) in MARKS.items():
        found = [place for place in graph.places.values() if place.kind is kind]
        points = 1000 * np.array([graph.frame(*graph.centre(place)).point for place in found])
        if len(points):
            yield Curve(points[:, across], points[:, up], name, "points", colour)
    here = pipes.where
    nose = 1000 * graph.frame(graph.stretches[here.stretch], here.at).point
    yield Curve([nose[across]], [nose[up]], "robot", "points", COLOURS[2])
