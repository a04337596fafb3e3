"""Which of the central control's words answer which command.

Each command is owed one answer, and what is told unasked pays for none:

=========  ============================================================================
command    its answer
=========  ============================================================================
EXP, RPL,  what is to be done, and ``begun`` or ``refused``; how it ended comes later,
DO         with ``done`` or ``given up``, as news
STP        ``stopped``, or that this is not known
RST        ``restarting``
SIR        AIR with the same parameter, or that no module can tell
SIE        AIE with the same parameter, or that no module can tell
=========  ============================================================================

A frame that came garbled cannot be answered by what it was: ``not understood`` answers any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.protocol import HLC, Command, Destination, Message
from annelid.systems.microtub.protocol.enums import EnvironmentInfo, Job, RobotInfo
from annelid.systems.microtub.protocol.parameters import Value

BEGUN, REFUSED = "begun", "refused"
CANNOT_TELL: Final = "no module of this robot can tell"
STOPPED, RESTARTING = "stopped", "restarting"
UNSTOPPED: Final = "not known whether it has stopped"
NOT_UNDERSTOOD: Final = "not understood"
TOLD: Final = {HLC.SIR: HLC.AIR, HLC.SIE: HLC.AIE}
"""Questions to their answers."""


def answers(command: Command, values: Sequence[Value], said: Message) -> bool:
    """Whether what the central control says is the answer to that command."""
    if said.command is TOLD.get(command):
        return said.values[0] == values[0]
    if said.command is not HLC.ANS:
        return False
    words = str(said.values[0])
    return words.startswith((*_answers(command, values), f"{NOT_UNDERSTOOD}:"))


def _answers(command: Command, values: Sequence[Value]) -> tuple[str, ...]:
    """How those in words begin."""
    if command is HLC.STP:
        return STOPPED, UNSTOPPED
    if command is HLC.RST:
        return (RESTARTING,)
    if command is HLC.SIR:
        return (f"{_named(RobotInfo, values)}: {CANNOT_TELL}",)
    if command is HLC.SIE:
        return (f"{_named(EnvironmentInfo, values)}: {CANNOT_TELL}",)
    if command is HLC.DO:
        deed = _named(Job, values)
    elif command is HLC.RPL:
        deed = str(Task(Want.REACH, next(each for each in Destination if each == values[0])))
    else:
        deed = str(Task(Want.EXPLORE))
    return f"{deed}: {BEGUN}", f"{deed}: {REFUSED}"


def _named(kind: type[RobotInfo | EnvironmentInfo | Job], values: Sequence[Value]) -> str:
    return next(each.meaning for each in kind if each == values[0])
