"""The inputs of a module's behaviours, read once per tick.

The servos are read at every tick, because survival depends on them.  Sensors are handed on as they
are and read by whoever wants to know, at its own rate: an infrared ray nobody asks for is not
cast.  What the agent has understood (mode, orders, walk, place in the chain, synchronised time) is
written into the same object, and so is what perception has found out (000 §4.2: "their output
feeds back to the other behaviours").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from math import cos, inf, nan, radians, sin
from typing import Final, NamedTuple, Self

from annelid.behaviour import BehaviourStack
from annelid.electronics.board import Board, BoardServo, Sensor
from annelid.motion.elbow import NoseReport
from annelid.motion.turn_in_pipe import TurnInPipe
from annelid.robot.body import ServoMount
from annelid.robot.module import ModuleType
from annelid.robot.service import HORIZONTAL, VERTICAL, Service
from annelid.systems.microtub.behaviours.walk import STANDING, Walk
from annelid.systems.microtub.protocol.enums import Alarm, WorkingMode

AMBIENT_C: Final = 25.0
"""Assumed where no thermometer says otherwise."""

LEAD: Final = radians(5.0)
"""Of a target over its servo: with Table 1's servo 6° draw the 105 mA that trip it (FACTS §3)."""


ORDERED: Final = 1.5
"""Times that lead for a joint that the central control has told how to stand, where servos do not
trip at 100 mA at once: some 150 mA against a wall that does not give way."""
NOTABLE: Final = 0.1
"""Part of a servo's strength: changes of less are not told."""


class Situation(StrEnum):
    """000 §4.1.5.  A very wide pipe may pass for open air: one moves in it as if it were
    (000 §4, note 7)."""

    UNKNOWN = "unknown"
    NARROW_PIPE = "narrow pipe"
    WIDE_PIPE = "wide pipe"
    OPEN_AIR = "open air"
    PERHAPS_OUT = "perhaps out of the pipe"
    """Of a nose that a wave swings about, before it can be sure."""


class Raised(NamedTuple):
    """An alarm for the central control, as the bus will carry it, with words for the trace."""

    alarm: Alarm
    number: int
    """Of the servo, from 1, or of whatever the alarm is about; 0 where nothing is meant."""
    words: str


@dataclass(slots=True)
class ServoState:
    """One servo as its board knows it."""

    name: str
    number: int
    device: BoardServo
    lead: float = inf
    """How far a target may be ahead of it, in its own unit."""
    target: float = nan
    """What was last written to it; NaN while released."""
    angle: float = 0.0
    speed: float = 0.0
    """Since the last tick, in its own unit a second."""
    current: float = 0.0
    """Filtered, A."""
    tripped: bool = False
    squares: float = 0.0
    """Sum of current², A², over ``samples`` ticks: what heats, gathered between two estimates."""
    samples: int = 0
    temperature: float = AMBIENT_C
    """As avoid overheating estimates it (000 eq 6), °C."""
    broken: bool = False
    left: float = 1.0
    """Of its torque or range, 0 to 1.  Both as self-diagnostic found."""


@dataclass(frozen=True, slots=True)
class ChainJoint:
    """The two servos of a module that bends the chain towards any side."""

    horizontal: Service
    vertical: Service

    def bent(self, servos: Mapping[str, ServoState], towards: float) -> float:
        """How far it is bent towards a side, rad; 0 is to the left, π/2 upwards."""
        aside = self.horizontal.amount(servos[self.horizontal.actuator].angle)
        up = self.vertical.amount(servos[self.vertical.actuator].angle)
        return aside * cos(towards) + up * sin(towards)

    def targets(self, bend: float, towards: float) -> tuple[tuple[str, float], ...]:
        """What its servos are told for that."""
        return (
            (self.horizontal.actuator, self.horizontal.value(bend * cos(towards))),
            (self.vertical.actuator, self.vertical.value(bend * sin(towards))),
        )


@dataclass(slots=True)
class Stimuli:
    """One per module, for as long as its program runs."""

    servos: dict[str, ServoState]
    sensors: Mapping[str, Sensor]
    now_ns: int = 0
    """By the board's own clock."""
    gait_s: float = 0.0
    """Time of the gaits: the clock that the modules have in common, s."""
    position: int | None = None
    """Place among those who share a wave, from 0 at the head; None: nobody has told it."""
    mode: WorkingMode = WorkingMode.GENERAL
    orders: dict[str, float] = field(default_factory=dict)
    """LLC1: servo to target.  They hold until they are taken out."""
    walk: Walk = STANDING
    situation: Situation = Situation.UNKNOWN
    gentle: bool = False
    """Whether a servo that trips is led by at most its ``lead``, wherever it is."""
    joint: ChainJoint | None = None
    """How this module bends the chain; None: not both ways."""
    turn: TurnInPipe | None = None
    """This module's turn in an elbow."""
    bore: float | None = None
    """Of the pipe, as the nose's rays have it, m; None: nobody has looked."""
    felt: list[NoseReport] = field(default_factory=list)
    """To be told to the central control (TS); who tells it empties the list."""
    alarms: list[Raised] = field(default_factory=list)
    """To be told to the central control; who tells them empties the list."""
    repairs: int = 0
    """How often a servo broke or was mended."""
    wanted: dict[str, float] = field(default_factory=dict)
    """Targets decided in this step so far, for servos that depend on each other."""

    @classmethod
    def of(cls, board: Board, kind: ModuleType, *, lead: float = LEAD, gentle: bool = True) -> Self:
        """``lead`` is for servos that trip; those that are made to stall get their target whole.

        ``gentle`` False: only in pipes, where the wall bends joints (``act``).
        """
        tripping = {
            mount.name
            for mount in kind.body().mounts
            if isinstance(mount, ServoMount) and mount.servo.trip is not None
        }
        body = kind.body()
        numbers = {name: number for number, name in enumerate(kind.servo_order(body), 1)}
        servos = {
            name: ServoState(name, numbers[name], device, lead if name in tripping else inf)
            for name, device in board.servos.items()
        }
        services = kind.services(body)
        joint = (
            ChainJoint(services[HORIZONTAL], services[VERTICAL]) if kind.bends_both_ways() else None
        )
        return cls(servos, board.sensors, now_ns=board.now, gentle=gentle, joint=joint)

    def look(self, now_ns: int) -> None:
        """Read the servos; ``now_ns`` is the board's ``now``."""
        passed_s = (now_ns - self.now_ns) * 1e-9
        self.now_ns = now_ns
        for servo in self.servos.values():
            before = servo.angle
            servo.angle, current, servo.tripped = servo.device.measure()
            if passed_s > 0.0:
                servo.speed = (servo.angle - before) / passed_s
            servo.current = current
            servo.squares += current * current
            servo.samples += 1

    def read(self, sensor: str) -> float:
        """NaN where this module has no such sensor, or one that says it is broken."""
        device = self.sensors.get(sensor)
        return nan if device is None or not device.valid else device.read()

    @property
    def in_pipe(self) -> bool | None:
        """By the mode the operator has set, else by what is seen; None: nobody knows."""
        if self.mode is not WorkingMode.GENERAL:
            return self.mode is WorkingMode.PIPE
        if self.situation is Situation.UNKNOWN:
            return None
        return self.situation is not Situation.OPEN_AIR

    def judge(self, servo: ServoState, *, broken: bool) -> None:
        """What self-diagnostic makes of a servo."""
        if servo.broken != broken:
            servo.broken = broken
            self.repairs += 1

    def weigh(self, servo: ServoState, left: float) -> bool:
        """What self-diagnostic finds left of a servo; whether that is worth telling."""
        if left == servo.left or (abs(left - servo.left) < NOTABLE and left < 1.0):
            return False
        servo.left = left
        self.repairs += 1
        return True

    def warn(
        self, alarm: Alarm, words: str, servo: ServoState | None = None, *, number: int = 0
    ) -> None:
        """``number`` is what the alarm is about, where that is no servo."""
        self.alarms.append(Raised(alarm, servo.number if servo else number, words))

    def act(self, target: float | None, servo: ServoState) -> None:
        """Carry out a decision: a target, or let go.

        In a pipe a joint that only follows it gets a target at most its lead from where it is, and
        so gives in to the wall.  One that carries the robot by a wave needs all of its torque: led
        by 5°, a snake makes half of its way.
        A tripped servo is powered again in either case: let go, its trip has done its work.
        """
        device = servo.device
        if target is None:
            if servo.target == servo.target or servo.tripped:
                device.release()
                servo.target = nan
        else:
            ordered = servo.name in self.orders and not self.gentle
            lead = servo.lead * (ORDERED if ordered else 1.0)
            if lead < inf and (self.gentle or (self.in_pipe and not self.walk.by_wave)):
                target = min(max(target, servo.angle - lead), servo.angle + lead)
            if target != servo.target:
                device.target = target
                servo.target = target
        if servo.tripped:
            device.reset()


def step(stack: BehaviourStack[Stimuli], stimuli: Stimuli, now_ns: int) -> None:
    """One tick of a module: look, decide, act.

    A channel that is blanked releases its servo; one on which nobody speaks leaves it as it is.
    """
    stimuli.look(now_ns)
    values = stack.step(now_ns, stimuli)
    for name, servo in stimuli.servos.items():
        value = values[name]
        if value is not None or stack.decision(name).blank:
            stimuli.act(value, servo)
