"""Answers every command of the operator (HLC; 000 §3.3.2, Tables 6 and 8).

What asks for information is answered with it (AIR, AIE); what asks for a deed is answered at once
with whether it begins, and again when it has ended (ANS).  What cannot be is refused with the
reason: no deed is silently left undone.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from math import inf
from typing import Final

from annelid.electronics.board import Board
from annelid.electronics.port import Frame, FramePort, deliver
from annelid.kernel import Program
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.tools import DOES, OUT, SKILL
from annelid.systems.microtub.central.catalogue import reaches, tool_reach
from annelid.systems.microtub.central.inquiry import Inquiry
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.reaching import TaskRefusal, reaching
from annelid.systems.microtub.central.replies import (
    BEGUN,
    CANNOT_TELL,
    NOT_UNDERSTOOD,
    REFUSED,
    RESTARTING,
    STOPPED,
    UNSTOPPED,
)
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.central.telling import Telling
from annelid.systems.microtub.protocol import (
    HLC,
    OPERATOR,
    BadFrame,
    Command,
    Destination,
    EnvironmentInfo,
    Message,
    ModuleInfo,
    Reason,
    RobotInfo,
    decode,
    encode,
)
from annelid.systems.microtub.protocol.enums import Job
from annelid.systems.microtub.protocol.grammar import CC
from annelid.systems.microtub.protocol.parameters import TEXT_MAX, Value
from annelid.systems.statement import Statement

FARTHEST_MM: Final = 0xFFFF
SENSES: Final = {
    EnvironmentInfo.TEMPERATURE: "Sense_temp",
    EnvironmentInfo.HUMIDITY: "Sense_humi",
    EnvironmentInfo.BORE: "Sense_front",
}
CONSUMPTION: Final = {
    RobotInfo.AVERAGE_CONSUMPTION: ModuleInfo.AVERAGE_CONSUMPTION,
    RobotInfo.CONSUMPTION_PEAKS: ModuleInfo.CONSUMPTION_PEAKS,
}
JOBS: Final = {
    Job.REPAIR: (Want.REPAIR, "repair"),
    Job.HOLE: (Want.HOLE, "hole"),
}
"""What is wanted, and the task of the rules."""


class OperatorDesk:
    """Between the operator's line and the central control's knowledge."""

    def __init__(
        self,
        board: Board,
        line: FramePort,
        *,
        knowledge: Knowledge,
        abilities: Abilities,
        inquiry: Inquiry,
        halt: Callable[[], Program],
        restart: Callable[[], object],
    ) -> None:
        self._board = board
        self._line = line
        self._knowledge = knowledge
        self._abilities = abilities
        self._inquiry = inquiry
        self._halt = halt
        """Stops everybody; brings those who may not have heard it, or None where nobody did."""
        self._restart = restart
        self._letters: deque[Frame] = deque()
        self._handlers: dict[Command, Callable[[Message], Program | None]] = {
            HLC.STP: self._stop,
            HLC.RST: self._begin_anew,
            HLC.RPL: self._reach,
            HLC.DO: self._do,
            HLC.EXP: self._explore,
            HLC.SIR: self._of_robot,
            HLC.SIE: self._of_environment,
        }

    def serve(self, frame: Frame) -> Program:
        """A frame from the line, whatever it is."""
        said = decode(frame)
        if isinstance(said, BadFrame):
            self._refuse(f"{NOT_UNDERSTOOD}: {_mistake(said)}")
            return
        handler = self._handlers.get(said.command)
        if handler is None:
            self._refuse(f"{said.command.name} is an answer, not a command")
            return
        work = handler(said)
        if work is not None:
            yield from work

    def say(self, words: str) -> None:
        """In words; the line carries ASCII."""
        plain = words.replace("°", " deg").replace("×", "x")
        plain = plain.encode("ascii", "replace").decode()
        self._send(HLC.ANS, plain if len(plain) <= TEXT_MAX else _clauses(plain[: TEXT_MAX + 1]))

    def _refuse(self, words: str, what: str = "refused") -> None:
        self.say(words)
        telling.of_itself(what, words).log(self._board)

    def report(self) -> None:
        """Tell news and the end of the task."""
        task = self._knowledge.task
        for news in task.news:
            self.say(news.words)
            self._state(news)
        task.news.clear()
        if task.ended is not None:
            self.say(f"{task}: {'done' if task.success else 'given up'}, {task.ended}")
            self._state(task.ended)
            self._knowledge.task = Task()

    def _state(self, told: Telling) -> None:
        for statement in told.statements:
            statement.log(self._board)

    def _send(self, command: Command, *values: Value) -> None:
        self._letters.append(encode(command, *values, to=OPERATOR, sender=CC))

    def deliver(self) -> Program:
        """All that is to be said; again where operator and central control spoke at once."""
        while self._letters:
            yield from deliver(self._line, self._letters.popleft())

    # -- deeds ---------------------------------------------------------------------------------

    def _begin(self, task: Task, needed: str) -> None:
        """Refuse what this robot cannot do, here and now; else begin."""
        knowledge = self._knowledge
        stays = task.want is Want.HOLE
        refusal = self._no_wall() if stays else self._abilities.refusal()
        if not knowledge.parts:
            self._refuse(f"{task}: {REFUSED}, the robot is not known yet")
        elif refusal is not None:
            self.say(f"{task}: {REFUSED}, {refusal.words}")
            refusal.log(self._board)
        elif knowledge.low_power and task.place is not Destination.HOME:
            self._refuse(f"{task}: {REFUSED}, the supply is nearly empty")
        else:
            before = knowledge.task
            instead = f", instead of: {before}" if before.going_on else ""
            knowledge.begin_afresh()
            knowledge.task = task
            task.begun = knowledge.place.ahead
            self._board.log("task", {"task": str(task)})
            lacking = ", ".join(self._abilities.missing(needed))
            without = f", without: {lacking}" if lacking else ""
            self.say(f"{task}: {BEGUN}{instead}{without}")

    def _no_wall(self) -> Statement | None:
        """Why a tool has nothing to work on where it stands; None: it may have."""
        knowledge = self._knowledge
        bore = inf if knowledge.in_pipe is False or knowledge.wide else knowledge.bore
        drill, *_ = knowledge.able(SKILL[Want.HOLE])
        reach = tool_reach(drill.kind, DOES[Want.HOLE], OUT[Want.HOLE])
        if bore is None or reaches(reach, bore):
            return None
        return telling.of_itself("refused", "no wall in reach of the tool")

    def _explore(self, said: Message) -> None:
        self._begin(Task(Want.EXPLORE), "explore")

    def _reach(self, said: Message) -> None:
        task = reaching(said.values, self._knowledge)
        if isinstance(task, TaskRefusal):
            self._refuse(f"{task.task}: {REFUSED}, {task.why}")
        else:
            self._begin(task, "reach")

    def _do(self, said: Message) -> None:
        job = next(each for each in Job if each == said.values[0])
        want, needed = JOBS[job]
        skill = SKILL[want]
        if not self._knowledge.able(skill):
            self._refuse(f"{job.meaning}: {REFUSED}, no module of this robot can {skill.lower()}")
        else:
            self._begin(Task(want), needed)

    def _stop(self, said: Message) -> Program:
        """The whole robot; a task under way is over."""
        task = self._knowledge.task
        self._knowledge.task = Task()
        deaf: list[int] | None = yield from self._halt()
        broken_off = f": {task} is broken off" if task.going_on else ""
        if deaf is None or deaf:
            who = ", ".join(map(self._knowledge.called, deaf or ())) or "any module"
            self._refuse(f"{UNSTOPPED}{broken_off}; no answer from {who}", "in motion or not")
        else:
            told = telling.stopped(STOPPED + broken_off)
            self.say(told.words)
            told.log(self._board)

    def _begin_anew(self, said: Message) -> None:
        self._knowledge.task = Task()
        self.say(RESTARTING)
        self._restart()

    # -- information ---------------------------------------------------------------------------

    def _of_robot(self, said: Message) -> Program:
        asked = next(each for each in RobotInfo if each == said.values[0])
        values = yield from self._told(asked)
        if values is None:
            self._refuse(f"{asked.meaning}: {CANNOT_TELL}", "cannot tell")
        else:
            self._send(HLC.AIR, asked, *values)
            telling.answer(asked, values, knowledge=self._knowledge).log(self._board)

    def _told(self, asked: RobotInfo) -> Program:
        """The parameters of AIR besides the first; None: nobody can tell."""
        knowledge, inquiry = self._knowledge, self._inquiry
        if asked is RobotInfo.WORKING_MODULES:
            there: list[KnownModule] = yield from inquiry.ask_all(
                ModuleInfo.WORKING_MOTORS, knowledge.alive
            )
            return ("".join(part.id for part in there),) if there else None
        if asked is RobotInfo.DISTANCE:
            yield from inquiry.ask_all(ModuleInfo.DISTANCE, inquiry.travellers)
            lost = knowledge.in_pipe is False and not knowledge.place.known
            if lost or not knowledge.measured:
                return None
            return (min(round(1000 * knowledge.covered), FARTHEST_MM),)
        if asked is RobotInfo.ORIENTATION:
            able = knowledge.able("Sense_grav")[:1]
            if not (yield from inquiry.ask_all(ModuleInfo.ORIENTATION, able)):
                return None
            angles = knowledge.told[able[0].address, ModuleInfo.ORIENTATION]
            return tuple(each % 360 for each in angles)
        if asked is RobotInfo.BATTERIES:
            full = yield from self._answers(ModuleInfo.BATTERIES, knowledge.able("PS"))
            return (all(full),) if full else None
        of_module = CONSUMPTION[asked]
        drawn = yield from self._answers(of_module, knowledge.alive)
        return (min(sum(drawn), FARTHEST_MM),) if drawn else None

    def _answers(self, asked: ModuleInfo, parts: Iterable[KnownModule]) -> Program:
        """The number of each that answers now."""
        answered: list[KnownModule] = yield from self._inquiry.ask_all(asked, parts)
        return [self._knowledge.told[part.address, asked][0] for part in answered]

    def _of_environment(self, said: Message) -> Program:
        asked = next(each for each in EnvironmentInfo if each == said.values[0])
        if asked is EnvironmentInfo.PICTURE:
            able = self._knowledge.cameras
        else:
            able = self._knowledge.able(SENSES[asked])
        value = yield from self._inquiry.ask_environment(asked, able)
        if value is None:
            self._refuse(f"{asked.meaning}: {CANNOT_TELL}", "cannot tell")
        else:
            self._send(HLC.AIE, asked, value)
            if asked is not EnvironmentInfo.PICTURE:
                telling.answer(asked, (value,)).log(self._board)


def _clauses(words: str) -> str:
    """Those that are whole; all but the last letter where there is only one."""
    return words.rpartition("; ")[0] or words[:-1]


def _mistake(bad: BadFrame) -> str:
    """With what would have been right, where the command is known."""
    command = next(
        (
            each
            for each in vars(HLC).values()
            if isinstance(each, Command) and each.opcode == bad.opcode
        ),
        None,
    )
    if command is None:
        return f"{bad.reason}" + ("" if bad.opcode is None else f" {bad.opcode:02X}H")
    allowed = "; ".join(
        ", ".join(f"{p.name}: {p.allowed}" for p in form) or "nothing" for form in command.forms
    )
    wanted = bad.reason in (Reason.PARAMETERS, Reason.RANGE, Reason.TYPE, Reason.CUT_SHORT)
    return f"{command.name}: {bad.reason}" + (f". Expected {allowed}" if wanted else "")
