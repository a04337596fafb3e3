"""The map as a graph: places, and the stretches of pipe between them.

A stretch begins with a bend (of angle 0 where it goes straight on) and is straight from there; its
place in space follows from the stretches before it, so a length that is measured better moves all
that lies behind.  From any place one way leads back to the start: pipe networks are trees here, as
they are in ``annelid.worlds``; a loop would be mapped as two ways that end near each other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from math import cos
from typing import Final

from annelid.systems.microtub.mapping.frame import PipeFrame


class PlaceKind(StrEnum):
    """What a place is."""

    START = "start"
    TURN = "turn"
    JUNCTION = "junction"
    END = "end"
    BREAK = "break"


@dataclass(frozen=True)
class PipeBranch:
    """A way on from a place: how far it bends, and to which side (rad; see ``frame``)."""

    direction: float = 0.0
    angle: float = 0.0
    """0: straight on."""

    def likeness(self, other: PipeBranch) -> float:
        """Cosine of the angle between two ways from the same place."""
        here, there = (
            PipeFrame.origin().turned(way.direction, way.angle).heading for way in (self, other)
        )
        return float(here @ there)


STRAIGHT: Final = PipeBranch()


@dataclass
class PipeStretch:
    """A piece of pipe from one place to the next."""

    id: int
    start: int
    """The place it leaves."""
    way: PipeBranch
    bend: float = 0.0
    """Length of the arc it begins with, m."""
    length: float = 0.0
    """All of it, m; where the end is not known, as far as the robot has been."""
    end: int | None = None
    walked: int = 1
    """Measurements of which ``length`` is the mean."""
    off: float | None = None
    """How far off its length from place to place may be, in 95 of 100, m; None: nobody knows."""
    felt: PipeBranch = field(default_factory=PipeBranch)
    """Its ``way`` as joints told it, before gravity set it right (``lie``)."""
    leaned: float = 0.0
    """How much a module in its straight part rose, added up over the way, rad · m."""
    leaned_over: float = 0.0
    """That way, m."""


@dataclass
class MapPlace:
    id: int
    kind: PlaceKind
    stretch: int | None
    """The stretch it ends, or, for a break, lies on; None: the start."""
    at: float = 0.0
    """For a break: metres from the beginning of its stretch."""
    direction: float = 0.0
    """For a break: to which side of the pipe, rad."""
    what: str = ""
    """For a junction: its kind, in words."""
    onward: dict[int, int] = field(default_factory=dict)
    """Number of the way to its stretch, where the robot has gone it."""
    ways: list[PipeBranch] = field(default_factory=list)
    """All that are known to leave it."""
    seen: int = 1
    """How often."""


ALIKE = cos(0.42)
"""Two ways from a junction whose headings differ by less than 24° are the same way; branches leave
by 30° at least."""


class Graph:
    """Places and stretches by number; place 0 is the start, stretch 0 leaves it."""

    def __init__(self, origin: PipeFrame | None = None) -> None:
        self.origin = origin if origin is not None else PipeFrame.origin()
        self.places: dict[int, MapPlace] = {}
        self.stretches: dict[int, PipeStretch] = {}
        start = self.add_place(PlaceKind.START, None)
        self.add_stretch(start, PipeBranch())

    def add_place(self, kind: PlaceKind, stretch: int | None) -> MapPlace:
        place = MapPlace(len(self.places), kind, stretch)
        self.places[place.id] = place
        if stretch is not None and kind is not PlaceKind.BREAK:
            self.stretches[stretch].end = place.id
        return place

    def add_stretch(self, start: MapPlace, way: PipeBranch, *, bend: float = 0.0) -> PipeStretch:
        """Leave ``start`` by ``way``, or by one like it that is known already."""
        number = self.number_of(start, way)
        if number in start.onward:
            return self.stretches[start.onward[number]]
        way = start.ways[number]
        stretch = PipeStretch(len(self.stretches), start.id, way, bend, bend, felt=way)
        self.stretches[stretch.id] = stretch
        start.onward[number] = stretch.id
        return stretch

    def number_of(self, place: MapPlace, way: PipeBranch) -> int:
        """Of the way that is most like this one, or of a new one."""
        likeness = [known.likeness(way) for known in place.ways]
        if likeness and max(likeness) > ALIKE:
            return likeness.index(max(likeness))
        place.ways.append(way)
        return len(place.ways) - 1

    def divide(
        self,
        stretch: PipeStretch,
        at: float,
        kind: PlaceKind = PlaceKind.JUNCTION,
        way: PipeBranch = STRAIGHT,
        bend: float = 0.0,
    ) -> MapPlace:
        """A place in a stretch that was taken for plain pipe; behind it the pipe goes on by
        ``way``."""
        end, length = stretch.end, stretch.length
        stretch.length = min(max(at, stretch.bend), length)
        place = self.add_place(kind, stretch.id)
        rest = self.add_stretch(place, way, bend=bend)
        rest.length, rest.end, rest.walked = max(length - stretch.length, bend), end, stretch.walked
        stretch.off = None
        if end is not None:
            self.places[end].stretch = rest.id
        for seen in list(self.breaks(stretch)):
            if seen.at > stretch.length:
                seen.at, seen.stretch = seen.at - stretch.length, rest.id
        return place

    def improve(self, stretch: PipeStretch, error: float) -> None:
        """Walked once more, this much longer than the map says: the mean of all walks counts."""
        better = max(stretch.length + error / (stretch.walked + 1), stretch.bend)
        for seen in self.breaks(stretch):
            seen.at *= better / stretch.length if stretch.length else 1.0
        stretch.length = better
        stretch.walked += 1

    def before(self, stretch: PipeStretch) -> PipeStretch | None:
        """The stretch that leads to this one; None: it leaves the start."""
        index = self.places[stretch.start].stretch
        return None if index is None else self.stretches[index]

    def after(self, stretch: PipeStretch) -> PipeStretch | None:
        """What a robot that goes on gets into without a choice: the pipe behind a turn."""
        if stretch.end is None or self.places[stretch.end].kind is not PlaceKind.TURN:
            return None
        return self.stretches[self.places[stretch.end].onward[0]]

    def trail(self, stretch: PipeStretch) -> list[PipeStretch]:
        """From the start to this stretch."""
        back = [stretch]
        while (before := self.before(back[-1])) is not None:
            back.append(before)
        return back[::-1]

    def along(self, stretch: PipeStretch, at: float = 0.0) -> float:
        """Way from the start to ``at`` metres of a stretch."""
        return sum(each.length for each in self.trail(stretch)[:-1]) + at

    def frame(self, stretch: PipeStretch, at: float) -> PipeFrame:
        """``at`` metres from the beginning of a stretch."""
        return _within(self.before_bend(stretch), stretch, at)

    def before_bend(self, stretch: PipeStretch) -> PipeFrame:
        """At the place that a stretch leaves, with the heading of the pipe that leads there."""
        frame = self.origin
        for each in self.trail(stretch)[:-1]:
            frame = _within(frame, each, each.length)
        return frame

    def spot(self, place: MapPlace) -> tuple[PipeStretch, float]:
        """The stretch a place is on, and where."""
        if place.stretch is None:
            return self.stretches[0], 0.0
        stretch = self.stretches[place.stretch]
        return stretch, place.at if place.kind is PlaceKind.BREAK else stretch.length

    def centre(self, place: MapPlace) -> tuple[PipeStretch, float]:
        """The same, but for a turn the middle of its bend."""
        if place.kind is not PlaceKind.TURN:
            return self.spot(place)
        onward = self.stretches[place.onward[0]]
        return onward, onward.bend / 2

    def breaks(self, stretch: PipeStretch) -> Iterator[MapPlace]:
        for place in self.places.values():
            if place.kind is PlaceKind.BREAK and place.stretch == stretch.id:
                yield place


def _within(frame: PipeFrame, stretch: PipeStretch, at: float) -> PipeFrame:
    way, bend = stretch.way, stretch.bend
    if bend and at < bend:
        return frame.turned(way.direction, way.angle * max(at, 0.0) / bend, arc=max(at, 0.0))
    return frame.turned(way.direction, way.angle, arc=bend).ahead(at - bend)
