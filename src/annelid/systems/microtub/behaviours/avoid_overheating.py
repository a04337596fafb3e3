"""Avoid overheating (000 §4.1.1): stop a servo whose winding is estimated at 50 °C.

*Activation*: a motor has reached its limit (a servo's is 50 °C) and has not cooled by 5 °C since
(the hysteresis is ours: the paper stops and does not say when it goes on).  *Stimuli*: measured
currents, the temperature of the surroundings.  *Proposals*: nothing on that motor's channel, which
blanks it.  *Rate*: 10 Hz, the T of eq 6; heat is slow.  Drives are watched like servos, up to the
limit that is theirs: a pusher that stalls in a bend heats more than any servo.

Eq 6: ``Tm[n] = (T·Te + T·Rth·R·I² + Rth·Cth·Tm[n-1]) / (T + Rth·Cth)``, with the mean of I² since
the last estimate, since one sample of a moving servo's current in 100 ms says little.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds, to_seconds
from annelid.robot.body import LinearMount, ServoMount
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.embedded import (
    SURVIVAL,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import AMBIENT_C, Stimuli
from annelid.systems.microtub.protocol.enums import Alarm

COOLER_C: Final = 5.0
"""Below its limit a motor goes on again."""

THERMOMETER: Final = "thermometer"


@dataclass(frozen=True, slots=True)
class Winding:
    """The constants of eq 6 (FACTS §3 for those that the paper does not print)."""

    resistance: float
    """RΩ, Ω"""
    thermal_resistance: float
    """Rth, °C/W"""
    thermal_capacity: float
    """Cth, W·s/°C"""
    hottest_c: float
    """Limit, °C"""

    def next(self, before_c: float, air_c: float, mean_square: float, step_s: float) -> float:
        """Eq 6."""
        lag = self.thermal_resistance * self.thermal_capacity
        rise = self.thermal_resistance * self.resistance * mean_square
        return (step_s * (air_c + rise) + lag * before_c) / (step_s + lag)


def windings(kind: ModuleType) -> dict[str, Winding]:
    """Of the module's motors; one of which no winding is known, a linear servo, is not watched."""
    motors = {
        mount.name: mount.servo if isinstance(mount, ServoMount) else mount
        for mount in kind.body().mounts
        if not isinstance(mount, LinearMount)
    }
    return {
        name: Winding(
            motor.resistance, motor.thermal_resistance, motor.thermal_capacity, motor.hottest_c
        )
        for name, motor in motors.items()
    }


class AvoidOverheating(EmbeddedBehaviour):
    name = "avoid overheating"
    level = SURVIVAL
    period_ns = seconds(0.1)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(windings(module.kind)) if module.servos else None

    def __init__(self, of: Mapping[str, Winding], *, air_c: float = AMBIENT_C) -> None:
        self._windings = of
        self._air_c = air_c
        self._hot: dict[str, Proposal] = {}
        self._before_ns: int | None = None

    def condition(self, stimuli: Stimuli, /) -> bool:
        before_ns, self._before_ns = self._before_ns, stimuli.now_ns
        if before_ns is None:
            return False
        step_s = to_seconds(stimuli.now_ns - before_ns)
        air_c = self._air_c
        if THERMOMETER in stimuli.sensors:
            measured = stimuli.read(THERMOMETER)
            air_c = measured if measured == measured else air_c
        for name, winding in self._windings.items():
            servo = stimuli.servos[name]
            mean_square = servo.squares / max(servo.samples, 1)
            servo.squares, servo.samples = 0.0, 0
            now_c = servo.temperature = winding.next(servo.temperature, air_c, mean_square, step_s)
            if now_c >= winding.hottest_c and name not in self._hot:
                words = f"its winding is at {now_c:.1f} °C, the limit is {winding.hottest_c:.0f}"
                self._hot[name] = self.proposal(name, None, reason=words)
                stimuli.warn(Alarm.HOT, f"{name}: {words}", servo)
            elif now_c <= winding.hottest_c - COOLER_C:
                self._hot.pop(name, None)
        return bool(self._hot)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._hot.values()
