"""What is wrong with each sensor of a robot that was drawn: its zero, and how noisy it is."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annelid.physics.build import Plan
from annelid.robot.body import Accelerometer, Climate, Pressure, Ray, Sensor

Floats = NDArray[np.float64]

ACCELEROMETER_RANGE = 4 * 9.81
"""From -2 g to 2 g, m/s²."""

CLIMATE_RANGE = 100.0
"""°C or % of relative humidity."""


def error_of(plan: Plan, name: str, sensor: Sensor) -> tuple[Floats, float]:
    """(offset of each channel in the sensor's unit, factor on its noise) of ``R1.accelerometer``;
    of a nominal robot (0, 1)."""
    mine = plan.built.sensor(name)
    return np.array(mine.offset) * _range(plan, name, sensor), mine.noise


def _range(plan: Plan, name: str, sensor: Sensor) -> float:
    """From the lowest reading to the highest, of what measures an amount."""
    match sensor:
        case Ray():
            return sensor.range
        case Accelerometer():
            return ACCELEROMETER_RANGE
        case Climate():
            return CLIMATE_RANGE
        case Pressure():
            cup = f"{name.partition('.')[0]}.{sensor.cup}"
            mount = next(one.mount for one in plan.cups if one.name == cup)
            return mount.suction / mount.area
        case _:
            return 0.0
