"""Receives frames for several tasks of the central control at once.

A program that waits for one answer also receives others: a touch, an alarm, a module that has
started.  Each message is handled at once, and then given to the program that waits.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import FramePort
from annelid.kernel import Program, milliseconds
from annelid.systems.microtub.discovery import Ear
from annelid.systems.microtub.protocol import Command, Message
from annelid.systems.microtub.protocol.parameters import Value

ANSWER_NS: Final = milliseconds(60)
"""How long an answer to a question to one module is waited for."""


class AttentiveEar(Ear):
    """``heed`` is told of every message, before anybody else."""

    def __init__(
        self,
        board: Board,
        port: FramePort,
        *,
        crc: bool = False,
        heed: Callable[[Message], object],
    ) -> None:
        super().__init__(board, port, crc=crc)
        self._heed = heed

    def hear(self, until_ns: int) -> Program:
        said: Message | None = yield from super().hear(until_ns)
        if said is not None:
            self._heed(said)
        return said

    def ask(self, question: Command, *values: Value, to: int, answer: Command) -> Program:
        """Brings the answer of that module, or None."""
        if not (yield from self.say(question, *values, to=to)):
            return None
        until_ns = self.board.now + ANSWER_NS
        while True:
            said: Message | None = yield from self.hear(until_ns)
            if said is None or (said.command is answer and said.sender == to):
                return said
