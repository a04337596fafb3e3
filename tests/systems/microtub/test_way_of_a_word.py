"""EXP on its way from the operator's terminal to a servo: few files, and encoded once.

A file is on the way if one of its functions is given EXP, gives it back or hands it on, in any of
its forms: the word, a frame, a message, a task, a proposal, a decision, a movement, an order, a
walk.  ``docs/exp-to-servo.md`` has the table.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import annelid
from annelid.behaviour import Decision, Proposal
from annelid.electronics.devices import SimServo
from annelid.electronics.i2c_port import Transfer
from annelid.electronics.port import Frame, Terminal
from annelid.kernel.anyof import Fired
from annelid.systems.microtub.behaviours import GaitOrders, Walk
from annelid.systems.microtub.central.movements import Movement, Order
from annelid.systems.microtub.central.operator import Saying
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.protocol import HLC, LLC2, Command, Message, encode
from annelid.trial.load import load
from annelid.trial.run import Trial

SOURCE = Path(annelid.__file__).parent
PAGE = Path(__file__).parents[3] / "docs" / "exp-to-servo.md"
WORDS = (HLC.EXP, LLC2.MHE)
"""What the operator says, and what the central control makes of it for this robot."""
OPCODES = {word.opcode for word in WORDS}
SPEAKERS = {"pipe following", "move straight", "push forward"}
"""The behaviours that win with it."""
DECIDING, CARRYING = 22, 10
"""Files, at most: those that read it or decide on it, and those of kernel, links and boards, which
carry any message of any robot.  The witness of the trial only listens."""

FORMS: dict[type, Callable[[Any], bool]] = {
    str: lambda word: word == HLC.EXP.name,
    Command: lambda command: command in WORDS,
    Saying: lambda saying: saying.command in WORDS,
    bytes: lambda sent: len(sent) in (2, 3) and sent[-1] in OPCODES,
    Frame: lambda frame: carries(frame.data),
    Transfer: lambda transfer: carries(transfer.sent),
    Message: lambda message: message.command in WORDS,
    Task: lambda task: task.want is Want.EXPLORE,
    Proposal: lambda proposal: proposal.source in SPEAKERS,
    Decision: lambda decision: not SPEAKERS.isdisjoint(decision.winners),
    Movement: lambda movement: bool(movement.orders),
    Order: lambda order: order.command in WORDS,
    GaitOrders: lambda told: told.command in WORDS,
    Walk: lambda walk: walk.push is not None,
    Fired: lambda fired: carries(fired.value),
}


def carries(value: object, depth: int = 2) -> bool:
    """Whether this is EXP in one of its forms, or a list with it."""
    if type(value) in (tuple, list) and depth:
        return any(carries(each, depth - 1) for each in value)  # type: ignore[attr-defined]
    form = FORMS.get(type(value))
    try:
        return form is not None and form(value)
    except AttributeError:  # it is just being made
        return False


class Way:
    """Notes the files from the moment the word is typed until the drive is told to turn."""

    def __init__(self) -> None:
        self.files: set[str] = set()
        self.encoded = 0

    def begun(self, line: str) -> None:
        if line == HLC.EXP.name:
            sys.setprofile(self._look)

    def arrived(self) -> None:
        """The last steps have the number alone: they are those who call each other now."""
        sys.setprofile(None)
        self.files.add("electronics/devices.py")
        frame: FrameType | None = sys._getframe(2)
        while frame is not None and "kernel" not in frame.f_code.co_filename:
            self._note(frame)
            frame = frame.f_back

    def _look(self, frame: FrameType, event: str, result: object) -> None:
        if event == "return":
            if carries(result):
                self._note(frame, frame.f_back)
        elif event == "call":
            own, *given = [*_given(frame), None]
            if any(map(carries, given)):
                self._note(frame, frame.f_back)
            elif carries(own):
                self._note(frame)
            if frame.f_code is encode.__code__ and frame.f_locals["command"] is HLC.EXP:
                self.encoded += 1

    def _note(self, *frames: FrameType | None) -> None:
        self.files.update(
            name for frame in frames if frame is not None for name in _file(frame.f_code)
        )


def _given(frame: FrameType) -> Iterator[object]:
    code = frame.f_code
    more = bool(code.co_flags & 0x04) + bool(code.co_flags & 0x08)
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount + more]
    return (frame.f_locals.get(name) for name in names)


@cache
def _file(code: CodeType) -> tuple[str, ...]:
    path = Path(code.co_filename)
    return (path.relative_to(SOURCE).as_posix(),) if SOURCE in path.parents else ()


def test_exp_passes_few_files_and_is_encoded_once(monkeypatch, tmp_path):
    way = Way()
    servo_target: Any = vars(SimServo)["target"]
    terminal_type = Terminal.type

    def typed(terminal: Terminal, line: str) -> None:
        way.begun(line)
        terminal_type(terminal, line)

    def target(servo: SimServo, value: float) -> None:
        servo_target.fset(servo, value)
        if servo.name == "H1.drive" and value and sys.getprofile() is not None:
            way.arrived()
            raise KeyboardInterrupt

    monkeypatch.setattr(Terminal, "type", typed)
    monkeypatch.setattr(SimServo, "target", property(servo_target.fget, target))
    try:
        Trial(load("default").model_copy(update={"duration_s": 4.0})).run(tmp_path / "run")
    except KeyboardInterrupt:
        pass
    finally:
        sys.setprofile(None)
    carrying = {name for name in way.files if name.startswith(("kernel/", "electronics/"))}
    deciding = way.files - carrying - {"trial/truth.py"}
    assert way.encoded == 1
    assert len(deciding) <= DECIDING, sorted(deciding)
    assert len(carrying) <= CARRYING, sorted(carrying)
    told = PAGE.read_text(encoding="utf-8").replace("`microtub/", "`systems/microtub/")
    assert [name for name in sorted(deciding | carrying) if f"`{name}`" not in told] == []
