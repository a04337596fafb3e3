"""Self-diagnostic (000 §4.1.4): do the servos follow their commands, do the sensors answer?

*Activation*: always.  *Stimuli*: targets against angles, currents, sensors.  *Proposals*: none; it
marks broken servos for the others and raises alarms.  *Rate*: 10 Hz; sensors take turns at 5 Hz,
since a reading costs more than all the rest.

A servo far from its target may be dead or held.  **Dead**, it draws next to nothing: half a second
of that is enough, and where its neighbours swing it about, half a second in all without one look
at which it drew something.  **Held**, it draws its current, and pipe walls, supports that grip
and a jammed gear look alike from inside.  What tells them apart is where it can move: held without
having made a move towards its target, or held on both sides of one place, it is broken; held after
a move it has met something, which is avoid actuator damage's business.  Where the robot is pushed
straight through a pipe, the push holds sound servos off their rest from the first moment on: there
only both sides count.  A gait that calls a servo away and back again in less than a second shows a
jammed one as well: it is **fixed** when it was called far away three times, drew its current, and
did not move once.  It is mended when it moves again by a current of its own, or follows its target.
Drives, which have no target to be near, have a test of their own (``drive_test``).

What a servo that works has **left** of its torque and its range is weighed too (``strength``): a
part of a capability's grade is lost with it.

A sensor is dead when it says so, or, for one whose noise never rests, when it gives exactly the
same number all the time.  Sync lines and bus are judged where they are used, in the configuration
check and the agent.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from math import copysign, inf, isfinite, radians
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.robot import measuring
from annelid.robot.body import DriveMount, LinearMount, ServoMount
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import ServoState, Stimuli
from annelid.systems.microtub.behaviours.strength import Range, Torque
from annelid.systems.microtub.protocol.enums import Alarm

FAR: Final = radians(4.5)
"""From the target; a healthy servo rests within 1° and a setpoint led by 5° is still caught."""
STILL: Final = radians(1.0)
"""Less movement than this is none; five steps of the potentiometer."""
STEPS: Final = 2.0
"""Of a coarser potentiometer: less movement than this may be none."""
MENDED: Final = 3.0
"""Times STILL: a broken servo that comes so much nearer works again; others are swung about."""
LINEAR: Final = 0.05
"""FAR and STILL of a linear servo are these parts of its travel."""
LINEAR_STILL: Final = 0.02
PATIENCE_NS: Final = seconds(0.5)
HELD_NS: Final = seconds(1.0)
"""A servo that draws current is given more time: it may be lifting something."""

ELBOW_NS: Final = seconds(4.0)
"""In an elbow: a robot that is pushed has gone on by 50 to 100 mm meanwhile."""

TRIES_A: Final = 0.030
"""A servo that draws this much tries; 4.5° from its target a healthy one that is held draws 78 mA
(Table 1 of 001)."""

LINEAR_TRIES: Final = 0.4
"""Of the current that a linear servo draws at FAR from its target, which belongs to its force."""

IDLE: Final = 2.0
"""Times FAR: a healthy servo so far from its target draws 150 mA, or is being thrown there."""
IDLES: Final = 5
"""Such looks, 0.1 s apart, without one at which it tried."""

CALLED: Final = 3
"""Times that a fixed servo was called away in vain."""

FOLLOWS: Final = 3
"""Looks at which a servo that is swung about is not near a moving target by chance.  A healthy one
that carries nothing follows with 10 mA."""

LISTEN: Final = 2
"""Runs from one sensor to the next."""

FROZEN: Final = 10
"""Equal readings in a row that no accelerometer with noise can give: its steps of 0.01 m/s² are
five times finer than the noise, so two readings are equal once in twelve."""


@dataclass(slots=True)
class _Trial:
    """Since when a servo has not moved while it was far from its target, and where it was then."""

    since_ns: int
    angle: float
    moving: float = 0.0
    """Which way it moved before it stood still here; 0 where it was content."""
    held: set[float] = field(default_factory=set)
    """On which sides its target was."""
    follows: int = 0
    """Looks in a row at which it had moved and was where it should be."""
    away: bool = False
    """Whether it was called far away, tried, and its target has not come back since."""
    called: int = 0
    """Times that its target went far away and came back, and it had not moved."""


@dataclass(frozen=True, slots=True)
class WatchedServo:
    """One servo, and what counts as far and as still, in its own unit."""

    name: str
    far: float = FAR
    still: float = STILL
    tries: float = TRIES_A
    """Current at which it tries, A."""


def watched(kind: ModuleType) -> tuple[WatchedServo, ...]:
    """Servos that have a place to be compared with their target; a drive has none."""
    found = []
    body = kind.body()
    for mount in body.mounts:
        step = STEPS * measuring.position(body, mount).resolution
        if isinstance(mount, ServoMount):
            found.append(WatchedServo(mount.name, FAR + max(0.0, step - STILL), max(STILL, step)))
        elif isinstance(mount, LinearMount):
            low, high = body.joint(mount.joint).range or (0.0, inf)
            far, still = LINEAR * (high - low), LINEAR_STILL * (high - low)
            far = max(far, step)
            pulls = mount.stall_current * min(far / mount.proportional_length, 1.0)
            found.append(WatchedServo(mount.name, far, max(still, step), LINEAR_TRIES * pulls))
    return tuple(found)


def strengths(module: EmbeddedContext) -> tuple[dict[str, Torque], dict[str, Range]]:
    """What is weighed: motors whose current and angle belong together, which those of a servo that
    moves several joints do not; the range of those that bend."""
    torques: dict[str, Torque] = {}
    ranges: dict[str, Range] = {}
    for mount in module.kind.body().mounts:
        if isinstance(mount, DriveMount):
            torques[mount.name] = Torque(mount)
        elif isinstance(mount, ServoMount) and len(mount.joints) == 1:
            torques[mount.name] = Torque(mount)
            ranges[mount.name] = Range(*module.room.range(mount.name, {}))
    return torques, ranges


class SelfDiagnostic(EmbeddedBehaviour):
    name = "self-diagnostic"
    level = PERCEPTION
    period_ns = seconds(0.1)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        torques, ranges = strengths(module)
        return cls(
            servos=watched(module.kind), sensors=module.sensors, torques=torques, ranges=ranges
        )

    def __init__(
        self,
        *,
        servos: Iterable[WatchedServo],
        sensors: Iterable[str],
        torques: Mapping[str, Torque],
        ranges: Mapping[str, Range],
    ) -> None:
        self._servos = tuple(servos)
        self._torques, self._ranges = torques, ranges
        self._trials: dict[str, _Trial] = {}
        self._idle: dict[str, int] = {}
        """Looks at which a servo should have drawn a current, since it last drew one."""
        self._sensors = tuple(sensors)
        self._runs = 0
        self._readings: dict[str, tuple[float, int]] = dict.fromkeys(self._sensors, (0.0, 0))
        self._dead: set[str] = set()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        for watched in self._servos:
            self._watch(watched, stimuli.servos[watched.name], stimuli)
        for name, torque in self._torques.items():
            self._weigh(stimuli.servos[name], torque, self._ranges.get(name), stimuli)
        self._runs += 1
        if self._sensors and self._runs % LISTEN == 0:
            self._listen(self._sensors[self._runs // LISTEN % len(self._sensors)], stimuli)
        return ()

    def _watch(self, watched: WatchedServo, servo: ServoState, stimuli: Stimuli) -> None:
        off = servo.target - servo.angle
        trial = self._trials.get(servo.name)
        if off != off:  # released: nothing is expected of it
            self._trials.pop(servo.name, None)
            return
        if trial is None:
            self._trials[servo.name] = _Trial(stimuli.now_ns, servo.angle)
            return
        side = copysign(1.0, off)
        moved = servo.angle - trial.angle
        tries = servo.current >= watched.tries
        if tries:
            self._idle[servo.name] = 0
        elif abs(off) > IDLE * watched.far:
            self._idle[servo.name] = idle = self._idle.get(servo.name, 0) + 1
            if idle == IDLES and not servo.broken:
                self._tell(servo, self._draws_nothing(servo), stimuli)
        near = abs(off) <= watched.far
        moves = moved * side > watched.still
        if servo.broken:
            clearly = MENDED * watched.still
            trial.follows = trial.follows + 1 if near and abs(moved) > clearly else 0
            moves = (tries and moved * side > clearly) or trial.follows >= FOLLOWS
        if moves:
            stimuli.judge(servo, broken=False)
            self._trials[servo.name] = _Trial(stimuli.now_ns, servo.angle, side)
            return
        if abs(moved) > watched.still:  # its load has moved it: what holds it is outside
            trial.angle = servo.angle
            trial.moving = side
            trial.held.clear()
            trial.away, trial.called = False, 0
        trial.away |= tries and abs(off) > IDLE * watched.far
        if near:
            trial.since_ns = stimuli.now_ns
            trial.moving = 0.0
            trial.called += trial.away
            trial.away = False
            if trial.called == CALLED and not servo.broken:
                self._tell(servo, "does not move, however often it is called", stimuli)
            return
        waited_ns = stimuli.now_ns - trial.since_ns
        if servo.broken or waited_ns < PATIENCE_NS:
            return
        if not tries:
            words = self._draws_nothing(servo)
        elif waited_ns < HELD_NS:
            return
        else:
            trial.held.add(side)
            walk = stimuli.walk
            pushed = stimuli.in_pipe and walk.push is not None
            held = pushed and (walk.elbow is None or waited_ns < ELBOW_NS)
            if len(trial.held) == 1 and (held or trial.moving == side):
                return
            words = "moves neither way" if len(trial.held) > 1 else "does not begin to move"
        self._tell(servo, words, stimuli)

    @staticmethod
    def _draws_nothing(servo: ServoState) -> str:
        return f"does not approach its target at {1000 * servo.current:.0f} mA"

    @staticmethod
    def _tell(servo: ServoState, words: str, stimuli: Stimuli) -> None:
        stimuli.judge(servo, broken=True)
        stimuli.warn(Alarm.STUCK, f"{servo.name}: {words}", servo)

    def _weigh(
        self, servo: ServoState, torque: Torque, span: Range | None, stimuli: Stimuli
    ) -> None:
        if servo.broken:
            return
        torque.look(servo)
        left, what = torque.left, "torque"
        if span is not None:
            if stimuli.in_pipe is False:
                span.look(servo)
            if span.left < left:
                left, what = span.left, "range"
        if stimuli.weigh(servo, left) and left < 1.0:
            stimuli.warn(Alarm.WEAK, f"{servo.name}: {left:.0%} of its {what} is left", servo)

    def _listen(self, name: str, stimuli: Stimuli) -> None:
        reading = stimuli.read(name)
        last, equal = self._readings[name]
        equal = equal + 1 if reading == last else 0
        self._readings[name] = reading, equal
        frozen = equal >= FROZEN and name.startswith("accelerometer")
        if isfinite(reading) and not frozen:
            self._dead.discard(name)
        elif name not in self._dead:
            self._dead.add(name)
            words = f"gives {reading:g} and nothing else" if frozen else "says that it is broken"
            stimuli.warn(Alarm.SENSOR, f"{name}: {words}")
