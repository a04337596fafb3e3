"""Gets pictures for the central control: requested on the bus, sent on the video line (000 §2.1).

SIE 3 makes the camera's module take a picture; its number comes back on the bus (AIE), the picture
itself on the auxiliary wires.  One is asked for every second while somebody wants to look: a
picture is the dearest thing a robot can ask for.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.kernel import AnyOf, Program, Receive, milliseconds
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.view import look
from annelid.systems.microtub.central.vision import BORE_M, find_break
from annelid.systems.microtub.protocol import EnvironmentInfo
from annelid.systems.microtub.video import VIDEO, Picture, unpack

STRAIGHT_NS: Final = milliseconds(500)
"""After that a robot that was told to stand lies straight and still."""
ARRIVES_NS: Final = milliseconds(200)
"""A picture takes 40 ms on the line."""


class PictureReader:
    """Keeps ``knowledge.broken`` and ``knowledge.view``, what the last picture showed."""

    def __init__(self, board: Board, knowledge: Knowledge, inquiry: Inquiry) -> None:
        self._board = board
        self._knowledge = knowledge
        self._inquiry = inquiry

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
            knowledge.broken = find_break(picture, bore=knowledge.bore or BORE_M)
            knowledge.broken_way = way
        else:
            knowledge.view = look(picture)

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
