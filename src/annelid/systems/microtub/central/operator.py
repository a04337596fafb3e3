"""The operator's board: a terminal, and its line to the central control (000 §3.3).

The line carries HLC frames (``protocol``) between two ends; what is on it stands in the trace like
everything else.  What the operator types comes from outside: from the scenario, at set times, or
from a prompt while the run goes on.  Both enter the same way, so that what was typed by hand and
written down afterwards gives the same run again.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame, FramePort, Outcome
from annelid.electronics.terminal import ANSWER, SAYS, TERMINAL, Terminal
from annelid.errors import InputError
from annelid.kernel import AnyOf, Program, Receive
from annelid.systems.microtub.central.sayings import parse_saying
from annelid.systems.microtub.protocol import CC, OPERATOR, BadFrame, decode, encode
from annelid.systems.microtub.protocol.describe import sentence

OPERATOR_NAME: Final = "operator"
"""Of the node."""
OPERATOR_LINE: Final = "operator line"
"""Of the link, and of the ports at its two ends."""
TRIES: Final = 10


def deliver(line: FramePort, frame: Frame) -> Program:
    """Until it is acknowledged, or was tried often enough; brings the last outcome."""
    outcome = None
    for _ in range(TRIES):
        outcome = yield line.send(frame)
        if outcome in (Outcome.ACKNOWLEDGED, Outcome.ABORTED):
            break
    return outcome


def operator(board: Board) -> Program:
    """Sends what is typed, shows what is answered."""
    terminal: Terminal = board.ports[TERMINAL]
    line = board.ports[OPERATOR_LINE]

    def show(words: str) -> None:
        board.log(ANSWER, {"words": words})
        if terminal.screen is not None:
            terminal.screen(words)

    typed, heard = Receive(terminal.typed), Receive(line.received)
    while True:
        fired = yield AnyOf(typed, heard)
        if fired.index == 1:
            message = decode(fired.value)
            if isinstance(message, BadFrame):
                show(f"a frame that cannot be read: {message.reason}")
            else:
                show(sentence(message))
            continue
        board.log(SAYS, {"line": fired.value})
        try:
            saying = parse_saying(fired.value)
        except InputError as error:
            show(str(error))
            continue
        frame = encode(saying.command, *saying.values, to=CC, sender=OPERATOR)
        outcome = yield from deliver(line, frame)
        if outcome is not Outcome.ACKNOWLEDGED:
            show(f"the central control does not answer ({outcome.value})")
