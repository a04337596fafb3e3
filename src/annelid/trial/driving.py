"""Drives the motors by gaits at every tick; gaits can be replaced during the run."""

from __future__ import annotations

from collections.abc import Sequence

from annelid.kernel import Kernel, Program, Sleep, to_seconds
from annelid.motion import BoundGaits, GaitSpec
from annelid.physics.simulation import Simulation


class Driver:
    """Of one run that no system drives."""

    def __init__(self, sim: Simulation, gaits: Sequence[GaitSpec], bound: BoundGaits) -> None:
        self._sim = sim
        self._gaits = gaits
        self._bound = bound
        self._lag_s = 0.0
        """By how much the gaits' time is behind that of the run."""

    def retune(self, gaits: Sequence[GaitSpec], bound: BoundGaits, now_s: float) -> None:
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
            sim.actuators.write(self._bound.values(to_seconds(kernel.now) - self._lag_s))
            yield tick


def _omega(gaits: Sequence[GaitSpec]) -> float | None:
    """Of the first wave, rad/s."""
    return next((gait.omega for gait in gaits if gait.omega is not None), None)
