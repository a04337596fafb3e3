"""The outbox of a board: sends frames on the bus one after another.

Every module may be master, so any frame can lose the arbitration: it is sent again at once.  One
that nobody acknowledges is tried a few times and then given up, with a line in the trace.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame, FramePort, Outcome, Sending
from annelid.systems.microtub.protocol import CC, Command, describe, encode, wire_bytes
from annelid.systems.microtub.protocol.parameters import Value

TRIES: Final = 5
"""Of a frame without acknowledge."""
CONTESTS: Final = 500
"""Arbitrations that a frame may lose: 62 modules that all have something to say."""


def always() -> bool:
    return True


@dataclass(slots=True)
class Letter:
    frame: Frame
    wanted: Callable[[], bool]
    """Asked before every try: what is said late may be wrong by then."""
    then: Callable[[bool], None] | None
    """Told whether it was acknowledged."""
    tries: int = 0
    contests: int = 0


class Outbox:
    """:meth:`look` after every wait; ``sending`` is what to wait for."""

    def __init__(self, board: Board, port: FramePort, address: int, *, crc: bool = False) -> None:
        self.address = address
        self.sending: Sending | None = None
        self._board = board
        self._port = port
        self._crc = crc
        self._queue: deque[Letter] = deque()

    def say(
        self,
        command: Command,
        *values: Value,
        to: int = CC,
        wanted: Callable[[], bool] = always,
        then: Callable[[bool], None] | None = None,
    ) -> None:
        frame = encode(command, *values, to=to, sender=self.address, crc=self._crc)
        self._queue.append(Letter(frame, wanted, then))
        self.look()

    def look(self) -> None:
        """Deal with the frame that has ended, begin the next."""
        while self._queue:
            if self.sending is not None:
                if not self.sending.done:
                    return
                outcome, self.sending = self.sending.outcome, None
                self._ended(self._queue[0], outcome)
                continue
            letter = self._queue[0]
            if letter.wanted():
                self.sending = self._port.send(letter.frame)
            else:
                self._queue.popleft()

    def _ended(self, letter: Letter, outcome: Outcome | None) -> None:
        if outcome is Outcome.ARBITRATION_LOST:
            letter.contests += 1
        else:
            letter.tries += 1
        acknowledged = outcome is Outcome.ACKNOWLEDGED
        if not acknowledged and letter.tries < TRIES and letter.contests < CONTESTS:
            return
        self._queue.popleft()
        if not acknowledged:
            reason = "" if outcome is None else outcome.value
            what = describe(wire_bytes(letter.frame))
            self._board.log("unsent", {"what": what, "reason": reason})
        if letter.then is not None:
            letter.then(acknowledged)
