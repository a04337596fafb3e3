"""Routes on the map, home or to any place, as a list of distances and bends."""

from __future__ import annotations

from dataclasses import dataclass

from annelid.errors import UnknownName
from annelid.systems.microtub.mapping.graph import Graph, MapPlace, PipeBranch, PipeStretch
from annelid.systems.microtub.mapping.mapper import PipeMap


@dataclass(frozen=True)
class RouteLeg:
    """A stretch of pipe, or part of one, in one sense."""

    forwards: bool
    """Else tail first: what was a bend on the way out is undone."""
    distance: float
    """m, the bend included."""
    bend: PipeBranch | None
    """The bend the stretch begins with, if the leg passes it: met first when going forwards, last
    when going back.  None: straight all along."""
    place: int | None
    """What is at the end of the leg; None: nothing, just a point in the pipe."""


def way_home(pipes: PipeMap) -> tuple[RouteLeg, ...]:
    """Back to the start."""
    return way_to(pipes, 0)


def way_to(pipes: PipeMap, place: int) -> tuple[RouteLeg, ...]:
    """From where the robot is to a place of the map."""
    graph = pipes.graph
    if place not in graph.places:
        raise UnknownName("place on the map", str(place), map(str, graph.places))
    here = pipes.where
    target = graph.places[place]
    return _between(graph, (graph.stretches[here.stretch], here.at), target)


def _between(
    graph: Graph, here: tuple[PipeStretch, float], target: MapPlace
) -> tuple[RouteLeg, ...]:
    stretch, at = here
    there, goal = graph.spot(target)
    out, back = graph.trail(there), graph.trail(stretch)
    common = 0
    while common < min(len(out), len(back)) and out[common] is back[common]:
        common += 1
    last = back[common - 1]
    legs = []
    for each in reversed(back[common:]):
        legs.append(_leg(each, at if each is stretch else each.length, 0.0, each.start))
    begin = at if last is stretch else last.length
    finish = goal if last is there else last.length
    if begin != finish:
        reached = target.id if last is there else last.end
        legs.append(_leg(last, begin, finish, reached))
    for each in out[common:]:
        reached = target.id if each is there else each.end
        legs.append(_leg(each, 0.0, goal if each is there else each.length, reached))
    return tuple(leg for leg in legs if leg.distance > 0)


def _leg(stretch: PipeStretch, begin: float, finish: float, place: int | None) -> RouteLeg:
    passes = bool(stretch.way.angle) and min(begin, finish) <= 0
    return RouteLeg(finish > begin, abs(finish - begin), stretch.way if passes else None, place)
