"""Draws the map: events of the robot go in, places and lengths come out.

The robot's place is its nose.  On unknown ground an event makes a new place; on the way back, or
on a way walked before, it confirms a known one, puts the robot there, and improves the length
between the two confirmed last: odometry drifts, corners stay where they are.  Backwards nothing
needs to be confirmed: the robot is passed from stretch to stretch by distance alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, pi
from typing import Final

from annelid.errors import InputError
from annelid.systems.microtub.mapping.frame import PipeFrame
from annelid.systems.microtub.mapping.graph import (
    Graph,
    MapPlace,
    PipeBranch,
    PipeStretch,
    PlaceKind,
)

NEAR_M: Final = 0.06
NEAR_SHARE: Final = 0.1
"""A known place is confirmed from as far as this, or this share of its stretch."""
SAME_PLACE_M: Final = 0.03
"""Further than this into new pipe an event is a new place, however near the last one is."""
STRAIGHT_M: Final = 0.04
"""A module so far from bends and mouths leans as its pipe does."""
SAME_BREAK_M: Final = 0.03
SAME_SIDE: Final = cos(pi / 3)
"""Two sightings are one break if they are this near, and not on different sides of the pipe."""


@dataclass(frozen=True)
class Where:
    """Where the robot's nose is."""

    frame: PipeFrame
    stretch: int
    at: float
    """Metres from the beginning of the stretch."""
    along: float
    """Metres of pipe back to the start."""
    forwards: bool
    new: bool
    """It has not been here before."""


@dataclass
class _Since:
    """The place the robot was certainly at last, as a spot on a stretch, and its way from there."""

    place: int
    stretch: PipeStretch
    at: float
    way: float = 0.0


class PipeMap:
    """Fed with events by the central control; ``graph`` is the map so far."""

    def __init__(self, origin: PipeFrame | None = None) -> None:
        self.graph = Graph(origin)
        self.travelled = 0.0
        """Metres in both senses."""
        self.conflicts = 0
        """Events that do not fit the map; they change nothing."""
        self.forwards = True
        self._stretch = self.graph.stretches[0]
        self._at = 0.0
        self._since: _Since | None = _Since(0, self._stretch, 0.0)
        """None: the robot has changed its sense since the last place."""

    @classmethod
    def resumed(
        cls,
        graph: Graph,
        *,
        stretch: int,
        at: float,
        forwards: bool,
        travelled: float,
        conflicts: int,
    ) -> PipeMap:
        """A map that was kept, with the robot where it was."""
        pipes = cls(graph.origin)
        pipes.graph, pipes.forwards = graph, forwards
        pipes.travelled, pipes.conflicts = travelled, conflicts
        pipes._stretch, pipes._at, pipes._since = graph.stretches[stretch], at, None
        return pipes

    @property
    def where(self) -> Where:
        stretch = self._stretch
        return Where(
            frame=self.graph.frame(stretch, self._at),
            stretch=stretch.id,
            at=self._at,
            along=self.graph.along(stretch, self._at),
            forwards=self.forwards,
            new=self._frontier() and self._at >= stretch.length,
        )

    def advance(self, distance_m: float) -> None:
        """Went on, in the present sense."""
        if distance_m < 0:
            raise InputError(f"advance: expected a distance of 0 or more, got {distance_m:g} m")
        self.travelled += distance_m
        if self._since is not None:
            self._since.way += distance_m
        self._at += distance_m if self.forwards else -distance_m
        if self._frontier():
            self._stretch.length = max(self._stretch.length, self._at)
        while self._at > self._stretch.length and (after := self.graph.after(self._stretch)):
            self._at -= self._stretch.length
            self._stretch = after
            if after.end is None:
                after.length = max(after.length, self._at)
        while self._at < 0 and (before := self.graph.before(self._stretch)):
            self._at += before.length
            self._stretch = before

    def reversed(self) -> None:
        """Goes the other way from now on; the nose still points to where it did."""
        self.forwards = not self.forwards
        self._since = None

    def turned(
        self, direction_rad: float, angle_rad: float, length_m: float = 0.0, past_m: float = 0.0
    ) -> MapPlace | None:
        """Has come round a bend: which way, how far, and over what length, which has been told to
        ``advance`` already; the nose is ``past_m`` beyond its end.  It may be told late, when the
        pipe's end is on the map, or the robot goes back already.  None: the map knows of no bend
        here."""
        known = self._known(PlaceKind.TURN, past_m if self.forwards else 0.0)
        if known is not None:
            self._confirm(known, past_m)
            if self.forwards:
                onward = self.graph.stretches[known.onward[0]]
                self._enter(known, onward, onward.bend + past_m)
            return known
        if not (self._frontier() or self._ends()):
            self.conflicts += 1
            return None
        past = min(max(past_m, 0.0), self._at)
        bend = min(max(length_m, 0.0), self._at - past)
        begins, way = self._at - past - bend, PipeBranch(direction_rad, angle_rad)
        place = self.graph.divide(self._stretch, begins, PlaceKind.TURN, way, bend)
        onward = self.graph.stretches[place.onward[0]]
        self._enter(place, onward, bend + past)
        return place

    def bends_by(self, turn: int, angle_rad: float) -> None:
        """A bend that is on the map turns by so much, as it is known better now."""
        place = self.graph.places[turn]
        stretch = self.graph.stretches[place.onward[0]]
        stretch.felt = PipeBranch(stretch.felt.direction, angle_rad)
        stretch.way = PipeBranch(stretch.way.direction, angle_rad)
        place.ways = [stretch.felt]

    def leans(self, behind_m: float, rises_rad: float, way_m: float) -> None:
        """A module so far behind the nose rises by that angle, while the robot went that way; it
        counts where the module is in a straight pipe."""
        stretch, at = self._stretch, self._at - behind_m
        while at < 0 and (before := self.graph.before(stretch)):
            at += before.length
            stretch = before
        first = stretch.id == 0  # the launch tube before it lies as it does
        begins = first or at >= stretch.bend + STRAIGHT_M
        if begins and (stretch.end is None or at <= stretch.length - STRAIGHT_M):
            stretch.leaned += rises_rad * way_m
            stretch.leaned_over += way_m

    def junction(
        self, kind: str, directions: Sequence[PipeBranch], taken: int, past_m: float = 0.0
    ) -> MapPlace | None:
        """Is where pipes meet: what it is, the ways on, and the number of the one it takes.  On
        the way back nothing is taken; the robot is at the junction it came through.  Going ahead
        it may be told late, when the nose is ``past_m`` beyond the middle."""
        if not 0 <= taken < len(directions):
            raise InputError(f"junction: expected 0 to {len(directions) - 1}, got {taken}")
        past = min(past_m, self._at) if self.forwards else 0.0
        place = self._known(PlaceKind.JUNCTION, past)
        if place is not None:
            self._confirm(place, past)
        elif not self.forwards:
            self.conflicts += 1
            return None
        elif self._frontier():
            self._stretch.length = self._at - past
            place = self._close(PlaceKind.JUNCTION)
            place.what, place.ways = kind, list(directions)
        else:
            place = self.graph.divide(self._stretch, self._at - past)
            place.what = kind
        for way in directions:
            self.graph.number_of(place, way)
        if self.forwards:
            onward = self.graph.add_stretch(place, directions[taken])
            if onward.end is None:
                onward.length = max(onward.length, past)
            self._enter(place, onward, past)
        return place

    def dead_end(self, offset_m: float = 0.0) -> MapPlace | None:
        """Can go no further; the end is so far ahead of the nose, or behind it (less than 0) where
        it was noticed late."""
        known = self._known(PlaceKind.END)
        if known is not None:
            self._confirm(known)
            return known
        if not (self.forwards and self._frontier()):
            self.conflicts += 1
            return None
        self._stretch.length = max(self._at + offset_m, 0.0)
        place = self._close(PlaceKind.END)
        self._enter(place, self._stretch, self._at)
        return place

    def break_seen(self, offset_m: float, direction_rad: float) -> MapPlace:
        """A break in the wall, so far ahead of the nose (behind it less than 0), on this side; seen
        again, it is taken for the same, and its place for the mean."""
        stretch, at = self._stretch, self._at + offset_m
        while at > stretch.length and (after := self.graph.after(stretch)):
            at -= stretch.length
            stretch = after
        while at < 0 and (before := self.graph.before(stretch)):
            at += before.length
            stretch = before
        for known in self.graph.breaks(stretch):
            near = abs(known.at - at) <= max(SAME_BREAK_M, NEAR_SHARE * abs(offset_m))
            if near and cos(known.direction - direction_rad) >= SAME_SIDE:
                known.at += (at - known.at) / (known.seen + 1)
                known.seen += 1
                return known
        place = self.graph.add_place(PlaceKind.BREAK, stretch.id)
        place.at, place.direction = at, direction_rad
        return place

    def _frontier(self) -> bool:
        """Whether the end of this stretch is still unknown."""
        return self._stretch.end is None

    def _ends(self) -> bool:
        """Whether this stretch leads to an end."""
        end = self._stretch.end
        return end is not None and self.graph.places[end].kind is PlaceKind.END

    def _close(self, kind: PlaceKind) -> MapPlace:
        """The present stretch ends here with a new place."""
        stretch = self._stretch
        for seen in self.graph.breaks(stretch):
            seen.at = min(seen.at, stretch.length)
        return self.graph.add_place(kind, stretch.id)

    def _enter(self, place: MapPlace, stretch: PipeStretch, at: float) -> None:
        """Be certainly at ``place``, and go on from there."""
        self._stretch, self._at = stretch, at
        self._since = _Since(place.id, stretch, at)

    def _known(self, kind: PlaceKind, past: float = 0.0) -> MapPlace | None:
        """The place of this kind that the robot must be at, or so far past, if the map has one
        near; not the one it has just left."""
        stretch, at = self._stretch, self._at - past
        reach = max(NEAR_M, NEAR_SHARE * stretch.length)
        new = self.forwards and self._frontier() and self._at >= stretch.length
        ends = [(abs(at - stretch.bend), stretch.start, SAME_PLACE_M if new else reach)]
        if stretch.end is not None:
            ends.append((abs(stretch.length - at), stretch.end, reach))
        left = None if self._since is None else self._since.place
        near = [
            (away, place)
            for away, place, within in ends
            if away <= within and place != left and self.graph.places[place].kind is kind
        ]
        return self.graph.places[min(near)[1]] if near else None

    def _confirm(self, place: MapPlace, past: float = 0.0) -> None:
        """Put the robot there, on the side it is going to, and learn from the way it took."""
        place.seen += 1
        since = self._since
        between = None if since is None else self._between(since.place, place.id)
        if since is not None and between is not None:
            here = self.graph.along(*self._reached(place))
            expected = abs(here - self.graph.along(since.stretch, since.at))
            self.graph.improve(between, since.way - past - expected)
        self._enter(place, *self._reached(place))

    def _reached(self, place: MapPlace) -> tuple[PipeStretch, float]:
        """Where the nose is when a known place is reported: round the bend, where it is one."""
        if self.forwards and place.kind is PlaceKind.TURN:
            onward = self.graph.stretches[place.onward[0]]
            return onward, onward.bend
        return self.graph.spot(place)

    def _between(self, one: int, other: int) -> PipeStretch | None:
        """The stretch that joins two places."""
        for stretch in self.graph.stretches.values():
            if stretch.end is not None and {stretch.start, stretch.end} == {one, other}:
                return stretch
        return None
