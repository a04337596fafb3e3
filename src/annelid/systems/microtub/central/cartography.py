"""Draws the map while wandering (000 §6.1.5): distance, bends, ends and breaks become a graph.

``mapping`` keeps the graph, in ``knowledge.pipes``; behaviours tell it of the places they find,
and here the way between them is added.  The map goes into the trace whenever it has a new place
(event ``map``, the JSON of ``mapping.spec``).  The length of each stretch is a statement with an
interval.
"""

from __future__ import annotations

from dataclasses import asdict
from math import hypot
from typing import Final

import numpy as np

from annelid.behaviour import Log
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.joints import bending_axes
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Point
from annelid.systems.microtub.mapping import PipeMap, PlaceKind, set_right, to_spec
from annelid.systems.statement import STATEMENT

MAP: Final = "map"
"""Kind of event."""
OFF_M: Final = 0.025
"""A point this far from the line of the pipe is still in it, about."""
STEP_M: Final = 0.01
SURE_M: Final = {
    PlaceKind.START: 0.005,
    PlaceKind.TURN: 0.025,
    PlaceKind.JUNCTION: 0.020,
    PlaceKind.END: 0.015,
    PlaceKind.BREAK: 0.020,
}
"""How exactly a place is known to a nose that is there, in 95 of 100."""
UNKNOWN_M: Final = 5.0
"""So far beyond what is known the pipe is taken to go straight on."""


def way_to_point(pipes: PipeMap, point: Point) -> float | None:
    """How far from home along the pipe a point is, m; None: the pipe does not lead there.

    Where the map ends the pipe may go straight on, so points ahead of it are not refused.
    """
    here = pipes.where
    last = pipes.graph.stretches[here.stretch]
    best: tuple[float, float] = (np.inf, 0.0)
    for stretch in pipes.graph.trail(last):
        more = UNKNOWN_M if stretch.end is None else 0.0
        for at in np.arange(0.0, stretch.length + more + STEP_M, STEP_M):
            off = float(np.linalg.norm(pipes.graph.frame(stretch, float(at)).point - point))
            best = min(best, (off, pipes.graph.along(stretch, float(at))))
    return best[1] if best[0] <= OFF_M else None


class Cartographer:
    """Of one life of the central control; only pipes are mapped."""

    def __init__(self, knowledge: Knowledge, log: Log) -> None:
        self._knowledge = knowledge
        self._log = log
        self._way = knowledge.way
        self._places = len(knowledge.pipes.graph.places)
        self._unsure: set[int] = set()
        """Stretches between places that a broken joint may have felt."""

    def follow(self) -> None:
        """The way since the last time, in whichever sense."""
        knowledge, pipes = self._knowledge, self._knowledge.pipes
        gone = knowledge.way - self._way
        self._way = knowledge.way
        if knowledge.in_pipe and gone:
            if (gone > 0) is not pipes.forwards:
                pipes.reversed()
            pipes.advance(abs(gone))
            if knowledge.pitch is not None and not (knowledge.rocking or knowledge.shaking):
                pipes.leans(knowledge.length / 2, knowledge.pitch, abs(gone))

    def _measure(self) -> None:
        """New stretches get an interval, and their lengths are stated; not of those whose places a
        broken joint may have felt."""
        knowledge, graph = self._knowledge, self._knowledge.pipes.graph
        new = {k: each for k, each in graph.stretches.items() if each.end is not None}
        if not all(part.whole for part in knowledge.parts if bending_axes(part.kind)):
            self._unsure |= {number for number, each in new.items() if each.off is None}
        for number, stretch in new.items():
            known = stretch.off is not None or number in self._unsure
            if known or stretch.end is None or not knowledge.measured:
                continue
            places = graph.places[stretch.start], graph.places[stretch.end]
            begin, end = (graph.along(*graph.centre(place)) for place in places)
            sure = hypot(*(SURE_M[place.kind] for place in places))
            miscounted = max(knowledge.doubt * (end - begin), 0.0)
            stretch.off = miscounted + sure + knowledge.wheels_apart + 2 * knowledge.nose_ahead
            self._log(STATEMENT, asdict(telling.length(begin, end, stretch.off)))

    def tell(self, *, anyway: bool = False) -> None:
        """The map into the trace, if it has a new place."""
        places = len(self._knowledge.pipes.graph.places)
        if places != self._places or (anyway and places > 1):
            self._places = places
            self._measure()
            set_right(self._knowledge.pipes.graph)
            self._log(MAP, to_spec(self._knowledge.pipes).model_dump(mode="json"))
