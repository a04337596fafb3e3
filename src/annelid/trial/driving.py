"""Drives the motors at every tick: by gaits, which can be replaced during the run, and by a pilot
that stands on them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from annelid.control.controller import INTERFACE, Pilot, WrittenPilot
from annelid.control.interface import Interface
from annelid.control.policy import PolicyPilot, load_policy
from annelid.kernel import Kernel, Priority, Program, Sleep, to_seconds
from annelid.motion import BoundGaits, GaitSpec
from annelid.physics.simulation import Simulation
from annelid.trial.scenario import Control

NOW: Final = Sleep(0)

PILOTED: Final = Priority.LATE - 1
"""A pilot sees an instant when everything has happened in it, and before it is recorded."""


class Driver:
    """Of one run that no system drives."""

    def __init__(
        self,
        sim: Simulation,
        gaits: Sequence[GaitSpec],
        bound: BoundGaits,
        pilot: Pilot | None = None,
    ) -> None:
        self._sim = sim
        self._gaits = gaits
        self._bound = bound
        self._pilot = pilot
        self._lag_s = 0.0
        """By how much the gaits' time is behind that of the run."""

    @property
    def priority(self) -> int:
        return Priority.NORMAL if self._pilot is None else PILOTED

    def retune(self, gaits: Sequence[GaitSpec], bound: BoundGaits, now_s: float) -> None:
        """Other gaits from now on.  A wave goes on at the phase it had: at another angular
        velocity its time is moved so that omega t stays the same."""
        before, after = _omega(self._gaits), _omega(gaits)
        if before is not None and after is not None and before != after:
            self._lag_s = now_s - (now_s - self._lag_s) * before / after
        self._gaits, self._bound = gaits, bound

    def program(self, kernel: Kernel, tick_ns: int) -> Program:
        sim, pilot = self._sim, self._pilot
        tick = Sleep(tick_ns)
        while True:
            sim.advance_to(kernel.now)
            time_s = to_seconds(kernel.now) - self._lag_s
            told = self._bound.values(time_s)
            if pilot is not None:
                pilot.look(time_s, told)
                if pilot.waits:
                    yield NOW
                pilot.lay(told)
            sim.actuators.write(told)
            yield tick


def pilot_of(control: Control, sim: Simulation) -> Pilot | None:
    """The policy or the controller that a scenario asks for, ready for this robot."""
    tick_s = control.tick_ms / 1000
    if control.policy is not None:
        policy = load_policy(control.policy)
        robot = Interface(sim, policy.interface, tick_s=tick_s)
        policy.require_fit(robot, tick_ms=control.tick_ms)
        return PolicyPilot(policy, robot)
    if control.controller is not None:
        return WrittenPilot(control.controller, Interface(sim, INTERFACE, tick_s=tick_s))
    return None


def _omega(gaits: Sequence[GaitSpec]) -> float | None:
    """Of the first wave, rad/s."""
    return next((gait.omega for gait in gaits if gait.omega is not None), None)
