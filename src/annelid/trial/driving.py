"""Gaits drive the motors, tick by tick; they can be exchanged while they do."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from annelid.kernel import Kernel, Program, Sleep, to_seconds
from annelid.motion import BoundGaits, Gait
from annelid.motion.gait import SnakeGait, WaveGait
from annelid.motion.snake import SNAKE
from annelid.physics.simulation import Simulation


class Driver:
    """``released`` are motors that no gait may command now."""

    def __init__(
        self,
        sim: Simulation,
        gaits: Sequence[Gait],
        bound: BoundGaits,
        *,
        released: Collection[str],
    ) -> None:
        self._sim = sim
        self._gaits = gaits
        self._bound = bound
        self._released = released
        self._lag_s = 0.0
        """By how much the gaits' time is behind that of the run."""

    def retune(self, gaits: Sequence[Gait], bound: BoundGaits, now_s: float) -> None:
        """Other gaits from now on.  A wave goes on at the phase it had: at another angular
        velocity its time is moved so that omega t stays the same."""
        before, after = _omega(self._gaits), _omega(gaits)
        if before is not None and after is not None and before != after:
            self._lag_s = now_s - (now_s - self._lag_s) * before / after
        self._gaits, self._bound = gaits, bound

    def program(self, kernel: Kernel, tick_ns: int) -> Program:
        sim = self._sim
        tick = Sleep(tick_ns)
        while True:
            sim.advance_to(kernel.now)
            values = self._bound.values(to_seconds(kernel.now) - self._lag_s)
            for name in self._released:
                values[sim.actuators.place(name)] = np.nan
            sim.actuators.write(values)
            yield tick


def _omega(gaits: Sequence[Gait]) -> float | None:
    """Of the first wave, rad/s."""
    for gait in gaits:
        if isinstance(gait, WaveGait) and gait.omega_rad_s > 0:
            return gait.omega_rad_s
        if isinstance(gait, SnakeGait):
            return gait.omega_rad_s or SNAKE[gait.move].omega
    return None
