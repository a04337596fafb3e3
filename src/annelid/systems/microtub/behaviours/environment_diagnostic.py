"""Environment diagnostic (000 §4.1): are the surroundings fit for the robot?

*Activation*: always, on modules that can measure them.  *Stimuli*: thermometer, hygrometer.
*Proposals*: none; it raises an alarm when a reading leaves its bounds, and once only until it is
well inside again.  *Rate*: 1 Hz; air is slow.

The paper names this behaviour and does not describe it.  The bounds are ours: air at 50 °C cannot
cool a servo that must stop at 50 °C, below freezing grease is stiff, and at 95 % water condenses on
the boards.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.protocol.enums import Alarm, EnvironmentInfo


@dataclass(frozen=True, slots=True)
class Bounds:
    """Of one reading, in its own unit."""

    sensor: str
    what: EnvironmentInfo
    low: float
    high: float
    margin: float
    """How far inside it counts as good again."""
    unit: str


BOUNDS: Final = (
    Bounds("thermometer", EnvironmentInfo.TEMPERATURE, 0.0, 50.0, 2.0, "°C"),
    Bounds("hygrometer", EnvironmentInfo.HUMIDITY, 0.0, 95.0, 2.0, "%"),
)


class EnvironmentDiagnostic(EmbeddedBehaviour):
    name = "environment diagnostic"
    level = PERCEPTION
    period_ns = seconds(1.0)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        known = {bounds.sensor for bounds in BOUNDS}
        return None if known.isdisjoint(module.sensors) else cls(module.sensors)

    def __init__(self, sensors: Iterable[str]) -> None:
        """``sensors`` the module has; those without bounds are not watched."""
        named = frozenset(sensors)
        self._watched = [bounds for bounds in BOUNDS if bounds.sensor in named]
        self._out: set[str] = set()

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        for bounds in self._watched:
            reading = stimuli.read(bounds.sensor)
            if bounds.low + bounds.margin <= reading <= bounds.high - bounds.margin:
                self._out.discard(bounds.sensor)
            elif (reading < bounds.low or reading > bounds.high) and bounds.sensor not in self._out:
                self._out.add(bounds.sensor)
                words = f"{bounds.what.meaning} is {reading:.0f} {bounds.unit}, "
                words += f"fit is {bounds.low:g} to {bounds.high:g}"
                stimuli.warn(Alarm.SURROUNDINGS, words, number=int(bounds.what))
        return ()
