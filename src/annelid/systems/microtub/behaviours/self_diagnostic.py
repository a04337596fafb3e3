"""Self-diagnostic (000 §4.1.4): does the module do what it is told, and do its senses answer?

*Activation*: always.  *Stimuli*: targets against angles, currents, sensors.  *Proposals*: none; it
marks broken servos for the others and raises alarms.  *Rate*: 10 Hz; sensors take turns at 5 Hz,
since a reading costs more than all the rest.

A servo does not follow when for half a second it was far from its target, hardly moved, and drew
no current that would tell of a block (that is avoid actuator damage's business).  A sensor is dead
when it gives no number, or, for one whose noise never rests, exactly the same one all the time.
Sync lines and bus are judged where they are used, in the configuration check and the agent.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, radians
from typing import Final

from annelid.behaviour import Behaviour, Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours.levels import PERCEPTION
from annelid.systems.microtub.behaviours.stimuli import ServoState, Stimuli
from annelid.systems.microtub.protocol.enums import Alarm

FAR: Final = radians(4.5)
"""From the target; a healthy servo rests within 1° and a setpoint led by 5° is still caught."""
STILL: Final = radians(1.0)
"""Less movement than this is none."""
PATIENCE_NS: Final = seconds(0.5)

BLOCKED_A: Final = 0.100
"""A servo that draws this much tries, and something holds it."""

LISTEN: Final = 2
"""Runs from one sensor to the next."""

FROZEN: Final = 10
"""Equal readings in a row, to the last digit, that no accelerometer with noise can give."""


@dataclass(slots=True)
class _Trial:
    """Since when a servo is far from its target, and where it was then."""

    since_ns: int
    angle: float


class SelfDiagnostic(Behaviour[Stimuli]):
    name = "self-diagnostic"
    level = PERCEPTION
    period_ns = seconds(0.1)

    def __init__(self, *, servos: Iterable[str], sensors: Iterable[str]) -> None:
        """``servos`` whose target is an angle; a drive has none to be compared."""
        self._servos = tuple(servos)
        self._trials: dict[str, _Trial] = {}
        self._sensors = tuple(sensors)
        self._runs = 0
        self._readings: dict[str, tuple[float, int]] = dict.fromkeys(self._sensors, (0.0, 0))
        self._dead: set[str] = set()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        for name in self._servos:
            self._watch(stimuli.servos[name], stimuli)
        self._runs += 1
        if self._sensors and self._runs % LISTEN == 0:
            self._listen(self._sensors[self._runs // LISTEN % len(self._sensors)], stimuli)
        return ()

    def _watch(self, servo: ServoState, stimuli: Stimuli) -> None:
        off = abs(servo.target - servo.angle)
        if not off > FAR or servo.current >= BLOCKED_A:  # also where it is released: NaN
            self._trials.pop(servo.name, None)
            if off <= FAR:
                servo.broken = False
            return
        trial = self._trials.get(servo.name)
        if trial is None or abs(servo.angle - trial.angle) > STILL:
            self._trials[servo.name] = _Trial(stimuli.now_ns, servo.angle)
            servo.broken = servo.broken and trial is None
        elif not servo.broken and stimuli.now_ns - trial.since_ns >= PATIENCE_NS:
            servo.broken = True
            words = f"does not approach its target at {1000 * servo.current:.0f} mA"
            stimuli.warn(Alarm.STUCK, f"{servo.name}: {words}", servo)

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
            words = f"gives {reading:g} and nothing else" if frozen else "gives no number"
            stimuli.warn(Alarm.SENSOR, f"{name}: {words}")
