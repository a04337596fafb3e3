"""The heterogeneous agent: translates between a module and the bus (000 §5).

LLC1 is translated into what it means to this module (``translation.py``) and becomes orders, LLC2
is passed on: movement commands become a walk (``walking.py``), the rest is answered.  Orders and
walk are written into the stimuli of the embedded behaviours, which decide what a servo really does
(§4.2).  What the module has to say by itself waits until it is polled (§5.1); a check's failure
does not wait.

**What cannot be done** is never silent: a command that this module in person is given and cannot
do becomes an alarm and a line in the trace; said to all, it concerns those who can.

**Nobody controls it** when the central control, which polls, is silent for ``silence_ns``: then the
module does what STP would make it do.  A check is made of a robot that stands; who walks, stops.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import degrees
from typing import Any, Final, cast

from annelid.electronics.board import Board
from annelid.electronics.port import EVERYONE, Frame
from annelid.motion.elbow import NoseFinding, NoseReport
from annelid.robot.body import Body
from annelid.robot.module import Action, ModuleType
from annelid.systems.microtub.behaviours import GaitOrders, Situation, Stimuli
from annelid.systems.microtub.clocks import GaitClock
from annelid.systems.microtub.condition import ModuleHealth
from annelid.systems.microtub.configuration_check import ConfigurationCheck
from annelid.systems.microtub.information import Information
from annelid.systems.microtub.outbox import Outbox
from annelid.systems.microtub.protocol import (
    CC,
    LLC1,
    LLC2,
    Alarm,
    BadFrame,
    Command,
    EnvironmentInfo,
    InchwormPart,
    Message,
    ModuleInfo,
    Reason,
    TouchSide,
    WorkingMode,
    decode,
)
from annelid.systems.microtub.protocol.parameters import Value
from annelid.systems.microtub.translation import Translation
from annelid.systems.microtub.walking import Walking

STARTED: Final = "started"
"""What a module says when it is polled for the first time; the central control then looks again."""
UNHEARD: Final = "heard nothing"
"""What a module says that has stopped because the central control was silent; that looks again."""
MOVED: Final = "has moved"
"""What a module says at a check that has walked since it started; to a central control that has
just started it means that the robot is not where it began."""
MEMORY: Final = 16
"""Things to say that are kept; the oldest goes."""

WALKING: Final = frozenset({LLC2.MO1, LLC2.MOS, LLC2.MRO, LLC2.MSW, LLC2.TUR, LLC2.MWO, LLC2.MHE})
ALARM_OF: Final[Mapping[Reason, Alarm]] = {
    Reason.INSTRUCTION: Alarm.INSTRUCTION,
    Reason.TYPE: Alarm.PARAMETERS,
    Reason.CUT_SHORT: Alarm.PARAMETERS,
    Reason.PARAMETERS: Alarm.PARAMETERS,
    Reason.RANGE: Alarm.PARAMETERS,
}
"""What else is wrong with a frame is the bus's fault."""


FELT: Final[Mapping[NoseFinding, TouchSide]] = {
    NoseFinding.TOUCH: TouchSide.NOSE,
    NoseFinding.LEFT: TouchSide.LEFT,
    NoseFinding.RIGHT: TouchSide.RIGHT,
    NoseFinding.OPENING: TouchSide.OPENING,
    NoseFinding.CROSS: TouchSide.CROSS,
    NoseFinding.SLIGHT: TouchSide.SLIGHT,
    NoseFinding.CLOSED: TouchSide.CLOSED,
    NoseFinding.ABOVE: TouchSide.ABOVE,
    NoseFinding.BELOW: TouchSide.BELOW,
    NoseFinding.HELD: TouchSide.HELD,
}


@dataclass(frozen=True)
class Identity:
    """What is flashed into a module."""

    address: int
    module: ModuleType
    body: Body


class HeterogeneousAgent:
    """:meth:`hear` a frame; what the module shall do is in ``stimuli`` then."""

    def __init__(
        self,
        board: Board,
        who: Identity,
        *,
        stimuli: Stimuli,
        outbox: Outbox,
        check: ConfigurationCheck,
        clock: GaitClock,
        low_power_v: float,
        silence_ns: int,
        crc: bool = False,
    ) -> None:
        self.stimuli = stimuli
        self.told = GaitOrders()
        self._repairs = 0
        self.restart = False
        self.translation = Translation(who.module, who.body)
        self.condition = ModuleHealth(who.module)
        self.information = Information(
            board, self.translation, powers=who.module.capabilities["PS"] > 0, low_v=low_power_v
        )
        self._board = board
        self._who = who
        self._outbox = outbox
        self._check = check
        self._clock = clock
        self.walking = Walking(board, stimuli, self.told, self.translation, clock)
        self._crc = crc
        self._silence_ns = silence_ns
        self._polled = False
        self._heard_ns = 0
        """When the central control last said something that this module heard."""
        self._to_say: deque[tuple[Command, tuple[Value, ...]]] = deque(maxlen=MEMORY)
        self._handlers = self._table()
        self.queue(LLC2.APO, STARTED)

    # -- saying --------------------------------------------------------------------------------

    def queue(self, command: Command, *values: Value) -> None:
        """Something for the next poll; said once, however often it happened."""
        if (command, values) not in self._to_say:
            self._to_say.append((command, values))

    def alarm(self, what: Alarm, detail: int = 0, at_once: bool = False) -> None:
        self._board.log("alarm", {"alarm": what.meaning, "detail": detail})
        if at_once:
            self._outbox.say(LLC2.APO, what, detail)
        else:
            self.queue(LLC2.APO, what, detail)

    def report(self) -> None:
        """Pass on what the behaviours have found: alarms, and servos that broke or were mended."""
        stimuli = self.stimuli
        if stimuli.felt:
            for feeling in stimuli.felt:
                self._tell_felt(feeling)
            stimuli.felt.clear()
        if stimuli.alarms:
            for raised in stimuli.alarms:
                self._board.log("found", {"words": raised.words})
                self.alarm(raised.alarm, raised.number)
            stimuli.alarms.clear()
        if stimuli.repairs == self._repairs:
            return
        self._repairs = stimuli.repairs
        left = {name: 0.0 if s.broken else s.left for name, s in stimuli.servos.items()}
        if self.condition.update(left):
            digits = self.condition.capabilities.digits
            self._board.log("capabilities", {"mdl": digits})
            self.queue(LLC2.AMC, digits)

    def watch(self, now: int) -> None:
        """Stop, once, where one who has polled is not heard any more."""
        if self._polled and now - self._heard_ns > self._silence_ns:
            self._polled = False
            self._board.log("unheard", {"since_ns": self._heard_ns})
            self.walking.stop()
            self.queue(LLC2.APO, UNHEARD)

    def _tell_felt(self, feeling: NoseReport) -> None:
        side = FELT[feeling.what]
        self._board.log("felt", {"what": side.meaning, "towards": feeling.towards})
        if feeling.towards is None:
            self.queue(LLC1.TS, side)
        else:
            self.queue(LLC1.TS, side, round(degrees(feeling.towards)) % 360)

    # -- hearing -------------------------------------------------------------------------------

    def hear(self, frame: Frame) -> None:
        """A frame from the bus, whatever it is."""
        said = decode(frame, crc=self._crc)
        if isinstance(said, BadFrame):
            self._refuse(said.reason, ALARM_OF.get(said.reason, Alarm.BUS), said.opcode or 0)
            return
        if said.sender == CC:
            self._heard_ns = self._board.now
        handler = self._handlers.get(said.command)
        if handler is not None:
            handler(said)
        elif said.to != EVERYONE:
            self._refuse("not for modules", Alarm.UNABLE, said.command.opcode)

    def _refuse(self, reason: str, alarm: Alarm, detail: int) -> None:
        self._board.log("refused", {"reason": reason, "detail": detail})
        self.alarm(alarm, detail)

    def _unable(self, said: Message) -> None:
        if said.to != EVERYONE:
            self._refuse("this module cannot do that", Alarm.UNABLE, said.command.opcode)

    def _table(self) -> dict[Command, Callable[[Message], Any]]:
        move, tell = self._move_servo, self._tell_servo
        return {
            LLC1.MS1: lambda said: move(said, 1),
            LLC1.MS2: lambda said: move(said, 2),
            LLC1.GS1: lambda said: tell(said, 1, LLC1.SS1),
            LLC1.GS2: lambda said: tell(said, 2, LLC1.SS2),
            LLC1.EX: lambda said: self._act(said, Action.EXTEND),
            LLC1.CT: lambda said: self._act(said, Action.CONTRACT),
            LLC1.INH: self._take_part,
            LLC1.GP: self._tell_position,
            LLC1.GPS: self._begin_first_check,
            LLC1.GPF: lambda said: self._check.finish(),
            LLC1.MDS: lambda said: self._begin_check(self.condition.capabilities.digits),
            LLC1.MDF: lambda said: self._check.finish(),
            LLC1.SPT: lambda said: self._latch(said, close=False),
            LLC1.ATT: lambda said: self._latch(said, close=True),
            LLC1.TSF: lambda said: self.walking.end_elbow("TSF"),
            **dict.fromkeys(WALKING, self._walk),
            LLC2.TUP: self._turn,
            LLC2.RTC: lambda said: self._clock.rtc(self._board.now),
            LLC2.STP: lambda said: self.walking.stop(),
            LLC2.RST: lambda said: setattr(self, "restart", True),
            LLC2.CM: self._change_mode,
            LLC2.PO: self._answer_poll,
            LLC2.SIE: self._tell_environment,
            LLC2.SIM: self._tell_module,
            LLC2.SYC: lambda said: self._outbox.say(
                LLC2.AMC, self.condition.capabilities.digits, to=said.sender
            ),
            LLC2.PLA: lambda said: self.walking.take_place(int(said.values[0])),
            LLC2.SPD: lambda said: self.walking.pace(int(said.values[0])),
            LLC2.WAV: self._wave,
        }

    # -- LLC1, translated ----------------------------------------------------------------------

    def _act(self, said: Message, action: Action) -> None:
        pose = self.translation.action(action, self.stimuli.position)
        if pose is None:
            self._unable(said)
        else:
            self.stimuli.orders.update(pose)

    def _move_servo(self, said: Message, number: int) -> None:
        servo = self.translation.servo(number)
        if servo is None:
            self._unable(said)
        else:
            self.stimuli.orders[servo.name] = servo.value(int(said.values[0]))

    def _tell_servo(self, said: Message, number: int, answer: Command) -> None:
        servo = self.translation.servo(number)
        if servo is None or servo.name not in self._board.servos:
            self._unable(said)
        else:
            angle = servo.angle(self._board.servos[servo.name].angle)
            self._outbox.say(answer, angle, to=said.sender)

    def _take_part(self, said: Message) -> None:
        if self.translation.action(Action.EXTEND) is None:
            self._unable(said)
        else:
            self.walking.take_part(cast(InchwormPart, said.values[0]))

    def _latch(self, said: Message, *, close: bool) -> None:
        """The face towards the previous module is the front one."""
        if "front" not in self._board.latches:
            self._unable(said)
        elif close:
            self._board.latches["front"].attach()
        else:
            self._board.latches["front"].detach()

    # -- the check -----------------------------------------------------------------------------

    def _begin_first_check(self, said: Message) -> None:
        """Who asks may have just started, and knows nothing of what was told before."""
        if self.told.command is not None:
            self.walking.stop()
        if self.stimuli.situation is not Situation.UNKNOWN:
            self.queue(LLC2.APO, self.stimuli.situation.value)
        if self.walking.moved:
            self.queue(LLC2.APO, MOVED)
        self._begin_check(self._who.module.wire_id)

    def _begin_check(self, answer: str) -> None:
        def speak(*, last: bool, wanted: Callable[[], bool], then: Callable[[bool], None]) -> None:
            def spoken(acknowledged: bool) -> None:
                if acknowledged and (LLC2.APO, (STARTED,)) in self._to_say:
                    self._to_say.remove((LLC2.APO, (STARTED,)))
                then(acknowledged)

            command = LLC1.PCL if last else LLC1.PC1
            self._outbox.say(command, answer, wanted=wanted, then=spoken)

        self._check.begin(self._board.now, speak)

    def _tell_position(self, said: Message) -> None:
        if self._check.last is None:
            self._refuse("no configuration check yet", Alarm.CHECK, LLC1.GP.opcode)
        else:
            command = LLC1.PCL if self._check.last else LLC1.PC1
            self._outbox.say(command, self._who.module.wire_id, to=said.sender)

    # -- LLC2, passed on -----------------------------------------------------------------------

    def _set_walk(self, said: Message | None = None) -> None:
        if not self.walking.set() and said is not None and self.translation.waves:
            self._refuse("its place is not known", Alarm.UNABLE, said.command.opcode)

    def _walk(self, said: Message) -> None:
        self.walking.begin(said)
        self._set_walk(said)

    def _turn(self, said: Message) -> None:
        self.walking.turn(said)
        self._set_walk(said)

    def _wave(self, said: Message) -> None:
        self.walking.wave(said)
        self._set_walk(said)

    def _change_mode(self, said: Message) -> None:
        self.stimuli.mode = cast(WorkingMode, said.values[0])
        self._board.log("mode", {"mode": self.stimuli.mode.meaning})

    def _answer_poll(self, said: Message) -> None:
        self._polled = True
        if not self._to_say and said.to != EVERYONE:
            self._outbox.say(LLC2.APO, to=said.sender)
        while self._to_say:
            command, values = self._to_say.popleft()
            self._outbox.say(command, *values, to=said.sender)

    def _tell_environment(self, said: Message) -> None:
        asked = cast(EnvironmentInfo, said.values[0])
        values = self.information.of_environment(asked, bore=self.stimuli.bore)
        if values is None:
            self._unable(said)
        else:
            self._outbox.say(LLC2.AIE, *values, to=said.sender)

    def _tell_module(self, said: Message) -> None:
        motors = sum(a.name not in self.condition.broken for a in self.translation.actuators)
        answer = self.information.of_module(cast(ModuleInfo, said.values[0]), motors)
        if answer is None:
            self._unable(said)
        else:
            self._outbox.say(LLC2.AIM, answer, to=said.sender)
