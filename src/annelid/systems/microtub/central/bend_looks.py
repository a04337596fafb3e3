"""Finds breaks in bends: keeps what pictures show, and places it when the bend is on the map.

A hole that the lens shows before or in a bend is looked at from several places, at rest.  When the
joints have felt the bend, each picture is compared with a model of it (``bend_fit``).  Pictures
from different places that say the same place make a break.  A bend that may be a branch is tried
as well: a branch does not look like the model.  A break is told when the nose has gone past it
inside the pipe, so an open end is none, and not beside a bifurcation, whose mouth is dark.
"""

from __future__ import annotations

from math import cos, pi
from statistics import fmean
from typing import Final

from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.bend_fit import HoleSight, PlacedHole, place
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow
from annelid.systems.microtub.central.task import SAME_M, KnownBreak
from annelid.systems.microtub.mapping import PlaceKind

APART_M: Final = 0.012
"""The next look is so much farther on."""
MOST: Final = 4
FORGET_M: Final = 0.25
"""No more looks than this, on so long a way."""
KEPT: Final = 16
"""Pictures."""
BEFORE_M, BEHIND_M = 0.25, 0.15
"""A lens so far before the middle of a bend or behind it may see a hole in it."""
COMPARED: Final = 6
"""Pictures of one bend that are compared with it, from different places."""
AGREE_M: Final = 0.010
"""Two looks that say the same."""
ELSEWHERE_M: Final = 0.003
"""Two looks from farther apart are from different places."""
SAME_SIDE: Final = cos(pi / 4)
ROUND_M: Final = 0.18
"""A nose so far beyond the middle of a bend has passed all of it; or it has turned back."""
PAST_M: Final = 0.06
"""The nose has gone past a hole if it is so far beyond; out of an open end it gets less far."""
MOUTH_M: Final = 0.06
"""A hole so near to a bifurcation may be its mouth."""


class BendLooks:
    """Of one behaviour."""

    def __init__(self) -> None:
        self._sights: list[HoleSight] = []
        self._last: HoleSight | None = None
        self._stays: list[float] = []
        """Ways at which the robot has stood to look."""
        self._judged: list[KnownElbow] = []

    def see(self, knowledge: Knowledge) -> None:
        """Keep what a new picture shows, and place what was kept where a bend is known now."""
        hole = knowledge.hole
        if hole is not None and hole is not self._last and _ahead(knowledge):
            self._sights = [*self._sights, hole][-KEPT:]
        self._last = hole
        if not self._sights:
            return
        mapped = [each for each in knowledge.elbows if each.place is not None]
        for elbow in (*mapped, *knowledge.perhaps_elbows):
            round_it = knowledge.way - elbow.middle >= ROUND_M or knowledge.task.homewards
            if round_it and elbow not in self._judged:
                self._judged.append(elbow)
                self._judge(knowledge, elbow)

    def closer(self, knowledge: Knowledge) -> bool:
        """Whether the robot should stand here and look again."""
        straight = knowledge.broken is not None and knowledge.broken.straight
        if knowledge.hole is None or straight or knowledge.turning or not _ahead(knowledge):
            return False
        self._stays = [way for way in self._stays if abs(way - knowledge.way) < FORGET_M]
        near = any(abs(way - knowledge.way) < APART_M for way in self._stays)
        if near or len(self._stays) >= MOST:
            return False
        self._stays.append(knowledge.way)
        return True

    def _judge(self, knowledge: Knowledge, elbow: KnownElbow) -> None:
        """Compare the pictures that may show this bend, and tell what they agree on."""
        begin, end = elbow.middle - BEFORE_M, elbow.middle + BEHIND_M
        about = [each for each in self._sights if begin < each.way < end]
        found = [hole for each in _chosen(about) if (hole := place(each, elbow)) is not None]
        while (same := _agreed(found)) is not None:
            found = [each for each in found if each not in same]
            self._tell(knowledge, [each for each in same if each.sight.still] or same)

    def _tell(self, knowledge: Knowledge, same: list[PlacedHole]) -> None:
        ats = [each.at for each in same]
        at, spread = fmean(ats), max(ats) - min(ats)
        known = any(abs(other.at - at) < SAME_M for other in knowledge.breaks)
        if known or knowledge.way - at < PAST_M or _at_a_mouth(knowledge, at):
            return
        direction = same[-1].direction
        knowledge.pipes.break_seen(at - knowledge.way, direction)
        knowledge.breaks.append(KnownBreak(at, direction, bent=True))
        knowledge.task.tell(telling.broken_in_bend(knowledge, at, direction, spread))


def _ahead(knowledge: Knowledge) -> bool:
    return knowledge.task.exploring and not knowledge.task.homewards and knowledge.heading >= 0


def _chosen(sights: list[HoleSight]) -> list[HoleSight]:
    """One of each place: rather those of a robot that stood, rather later ones."""
    chosen: list[HoleSight] = []
    later = [*reversed(sights)]
    for sight in [s for s in later if s.still] + [s for s in later if not s.still]:
        if all(abs(sight.way - other.way) >= ELSEWHERE_M for other in chosen):
            chosen.append(sight)
    return chosen[:COMPARED]


def _agreed(found: list[PlacedHole]) -> list[PlacedHole] | None:
    """The largest group that says the same from different places; None: there is none."""
    groups = [[other for other in found if _same(each, other)] for each in found]
    group = max(groups, key=len, default=[])
    return group if len(group) > 1 else None


def _same(one: PlacedHole, other: PlacedHole) -> bool:
    apart = abs(one.at - other.at)
    return apart <= AGREE_M and cos(one.direction - other.direction) >= SAME_SIDE


def _at_a_mouth(knowledge: Knowledge, at: float) -> bool:
    graph = knowledge.pipes.graph
    mouths = [each for each in graph.places.values() if each.kind is PlaceKind.JUNCTION]
    return any(abs(graph.along(*graph.centre(each)) - at) < MOUTH_M for each in mouths)
