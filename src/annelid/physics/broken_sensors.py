"""Dead and noisy sensors: what their converter gets instead of the true value.

Whatever a fault does, its result still passes the converter: a board reads numbers of its range.
All of it is a function of the physics step, so that looking more often changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, sin, tau
from typing import Literal

import numpy as np

from annelid.robot.converter import Converter

Tamper = Callable[[float, int], float]
"""(quantity, physics step) to what the converter gets."""

DeadCamera = Literal["black", "noise"]
"""What a dead camera shows."""

HUM_HZ = (45.0, 65.0)
DRIFT_HZ = (0.05, 0.5)
"""An open input picks up the mains, on top of a slow drift."""
HUM = 0.3
"""Share of the hum in it."""


@dataclass(frozen=True)
class BrokenSensor:
    """One channel that does not measure any more, or not well."""

    tamper: Tamper
    valid: bool = True
    """False: its electronics say that the reading means nothing."""


def stuck(reading: float) -> BrokenSensor:
    """The same reading for good."""
    return BrokenSensor(lambda _value, _step: reading)


def flagged() -> BrokenSensor:
    """The far end of the range, and a flag."""
    return BrokenSensor(lambda _value, _step: inf, valid=False)


def floating(converter: Converter, draw: np.random.Generator, step_s: float) -> BrokenSensor:
    """An open input: it wanders through the whole range."""
    middle, half = (converter.low + converter.high) / 2, (converter.high - converter.low) / 2
    hum, drift = (tau * float(draw.uniform(*band)) * step_s for band in (HUM_HZ, DRIFT_HZ))
    first, second = draw.uniform(0.0, tau, 2).tolist()

    def wander(_value: float, step: int) -> float:
        level = HUM * sin(hum * step + first) + (1 - HUM) * sin(drift * step + second)
        return middle + half * level

    return BrokenSensor(wander)


def noisy(noise: Callable[[int], float]) -> BrokenSensor:
    """``noise`` at a step is added to the quantity."""
    return BrokenSensor(lambda value, step: value + noise(step))
