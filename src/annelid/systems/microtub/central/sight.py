"""Gets pictures for the central control: requested on the bus, sent on the video line (000 §2.1).

SIE 3 makes the camera's module take a picture; its number comes back on the bus (AIE), the picture
itself on the auxiliary wires.  One is asked for every second while somebody wants to look: a
picture is the dearest thing a robot can ask for.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.kernel import AnyOf, Program, Receive, milliseconds
from annelid.systems.microtub.central.bend_fit import HoleSight, keep
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.view import look
from annelid.systems.microtub.central.vision import (
    BORE_M,
    LEAST,
    Hole,
    find_hole,
    place_ahead,
)
from annelid.systems.microtub.protocol import EnvironmentInfo
from annelid.systems.microtub.video import VIDEO, Picture, unpack

STRAIGHT_NS: Final = milliseconds(500)
"""After that a robot that was told to stand lies straight and still."""
SETTLED_NS, SETTLED_M = milliseconds(600), 0.001
"""A robot that has moved less in this time stands, and its travellers have told all of its way."""
LATE_NS, RECENT = milliseconds(250), 3
"""So old is the way when a picture is taken, by the speed of so many last looks at it."""
FAINT: Final = 15
LINE: Final = 3
"""Pixels of what may be the edge of a hole; what is not wider than this is a line where one wall
hides another."""
END_PIXELS: Final = 4500
"""An open end that is so near that its edge is bright fills more of the picture."""
ARRIVES_NS: Final = milliseconds(200)
"""A picture takes 40 ms on the line."""


class PictureReader:
    """Keeps ``knowledge.broken`` and ``knowledge.view``, what the last picture showed."""

    def __init__(self, board: Board, knowledge: Knowledge, inquiry: Inquiry) -> None:
        self._board = board
        self._knowledge = knowledge
        self._inquiry = inquiry
        self.soon = False
        """Whether the last picture shows a hole, or the edge of one, that the robot may be past
        before the next."""

    @property
    def wanted(self) -> bool:
        """Whether there is something to look for, and it lies ahead; in the open only at rest."""
        knowledge = self._knowledge
        if knowledge.in_pipe is False:
            since_ns = knowledge.standing_since_ns
            if since_ns is None or self._board.now - since_ns < STRAIGHT_NS:
                return False
        return knowledge.task.looks

    def look(self) -> Program:
        """One picture, judged."""
        self.soon = False
        knowledge = self._knowledge
        able = knowledge.cameras[:1]
        if not able:
            return
        way = knowledge.way
        number = yield from self._inquiry.ask_environment(EnvironmentInfo.PICTURE, able)
        picture = None if number is None else (yield from self._arrival(int(number)))
        if picture is None:
            return
        knowledge.pictures += 1
        if knowledge.in_pipe:
            faint = find_hole(picture, least=FAINT)
            hole = None if faint is None or faint.pixels < LEAST else faint
            bore = knowledge.bore or BORE_M
            knowledge.broken = None if hole is None else place_ahead(picture, hole, bore=bore)
            knowledge.broken_way = way
            knowledge.hole = None if hole is None else self._kept(picture, hole, way)
            straight = knowledge.broken is not None and knowledge.broken.straight
            small = faint is not None and faint.pixels <= END_PIXELS and faint.narrow > LINE
            ahead = knowledge.task.exploring and knowledge.heading > 0
            self.soon = small and not straight and ahead
        else:
            knowledge.view = look(picture)

    def _kept(self, picture: Picture, hole: Hole, way: float) -> HoleSight | None:
        """For a bend that is not on the map yet; not of an open end."""
        knowledge = self._knowledge
        if hole.pixels > END_PIXELS:
            return None
        moved = abs(knowledge.way - knowledge.way_before(SETTLED_NS))
        (begin_ns, begin), *_, (end_ns, end) = [(0, way), (0, way), *knowledge.lately][-RECENT:]
        speed = (end - begin) / (end_ns - begin_ns) if end_ns > begin_ns else 0.0
        return keep(
            picture,
            hole,
            way=way + speed * LATE_NS,
            still=knowledge.heading == 0 and moved < SETTLED_M,
            roll=knowledge.roll,
            bore=knowledge.bore or BORE_M,
        )

    def _arrival(self, number: int) -> Program:
        """The picture of that number; older ones are thrown away; None: it does not come."""
        lines = [port for name, port in self._board.ports.items() if name.startswith(VIDEO)]
        until_ns = self._board.now + ARRIVES_NS
        while lines:
            waits = [Receive(line.received) for line in lines]
            fired = yield AnyOf(*waits, self._board.until(until_ns))
            if fired.timed_out:
                return None
            came = unpack(fired.value.data)
            if came is not None and came[0] == number:
                picture: Picture = came[1]
                return picture
        return None
