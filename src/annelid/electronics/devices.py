"""Servos, sensors and cameras of a simulated board; all read and write at physics steps.

Every reading first brings the physics to the grid step of this moment, so that a program sees the
world as it is *now*, and two programs that tick together see the same step; a command takes effect
at the step of its moment, which the physics makes when somebody looks.  The
robot may be cut or joined at any time, which compiles the model anew; a device is a name and
looks its place up again when the epoch has changed.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.board import Measured
from annelid.errors import InputError
from annelid.kernel import Kernel
from annelid.physics.simulation import Simulation


class PhysicsGrid:
    """The physics that the devices share; the first device that is read brings it up to date."""

    __slots__ = ("_due_ns", "_step_ns", "kernel", "sim")

    def __init__(self, kernel: Kernel, sim: Simulation) -> None:
        self.kernel = kernel
        self.sim = sim
        self._step_ns = sim.step_ns
        self._due_ns = sim.now_ns + self._step_ns

    def sync(self) -> None:
        """Advance to the last grid step not after now; nothing to do within the same step."""
        now = self.kernel.now
        if now >= self._due_ns:
            self.sim.advance_to(now)
            self._due_ns = now - now % self._step_ns + self._step_ns

    def command(self, place: int, value: float) -> None:
        """One motor, from this moment on."""
        self.sim.command(self.kernel.now // self._step_ns, place, value)


class SimServo:
    """A motor of the simulation, as its board commands and measures it."""

    __slots__ = ("_epoch", "_grid", "_place", "_sim", "name", "powered")

    def __init__(self, grid: PhysicsGrid, name: str) -> None:
        self.name = name
        """In the simulation: ``R1.yaw``."""
        self.powered = True
        """A board that is off commands nothing."""
        self._grid = grid
        self._sim = grid.sim
        self._epoch = grid.sim.epoch
        self._place = grid.sim.actuators.place(name)

    def _now(self) -> int:
        self._grid.sync()
        return self._here()

    def _here(self) -> int:
        if self._sim.epoch != self._epoch:
            self._epoch = self._sim.epoch
            self._place = self._sim.actuators.place(self.name)
        return self._place

    @property
    def target(self) -> float:
        return float(self._sim.actuators.targets[self._now()])

    @target.setter
    def target(self, value: float) -> None:
        if not math.isfinite(value):
            raise InputError(
                f"{self.name}: target: expected a finite number, got {value!r};"
                " release() lets the servo go"
            )
        if self.powered:
            self._grid.command(self._here(), value)

    @property
    def angle(self) -> float:
        place = self._now()
        return self._sim.actuators.read_angle_at(place)

    @property
    def current(self) -> float:
        place = self._now()
        return self._sim.actuators.read_current_at(place)

    @property
    def temperature(self) -> float:
        place = self._now()
        return self._sim.actuators.read_temperature_at(place)

    @property
    def tripped(self) -> bool:
        place = self._now()
        return self._sim.actuators.tripped_at(place)

    def measure(self) -> Measured:
        return Measured(*self._sim.actuators.measured_at(self._now()))

    def release(self) -> None:
        if self.powered:
            self._grid.command(self._here(), math.nan)

    def reset(self) -> None:
        self._now()
        if self.powered:
            self._sim.actuators.reset_trip(self.name)


class SimSensor:
    """One channel of a sensor."""

    __slots__ = ("_grid", "name")

    def __init__(self, grid: PhysicsGrid, name: str) -> None:
        self.name = name
        """In the simulation: ``T1.touch``, ``R1.accelerometer.x``."""
        self._grid = grid

    def read(self) -> float:
        self._grid.sync()
        return self._grid.sim.sensors.read_one(self.name)

    @property
    def valid(self) -> bool:
        self._grid.sync()
        return self._grid.sim.sensors.valid(self.name)


class SimCamera:
    """A grey camera."""

    __slots__ = ("_grid", "name")

    def __init__(self, grid: PhysicsGrid, name: str) -> None:
        self.name = name
        self._grid = grid

    def picture(self) -> NDArray[np.uint8]:
        self._grid.sync()
        return self._grid.sim.sensors.picture(self.name)


class SimCup:
    """A suction cup: its fan is switched, its vacuum follows.

    Satisfies :class:`~annelid.electronics.board.Gripper`; what it holds is told by the cup's
    pressure sensor."""

    def __init__(self, grid: PhysicsGrid, name: str) -> None:
        self.name = name
        """In the simulation: ``L1.cup``."""
        self._grid = grid
        self._powered = True

    def _place(self) -> int:
        self._grid.sync()
        return self._grid.sim.cups.place(self.name)

    @property
    def gripping(self) -> bool:
        return self._grid.sim.cups.running(self._place())

    def attach(self) -> None:
        self._switch(True)

    def detach(self) -> None:
        self._switch(False)

    def power(self, on: bool) -> None:
        """Without power the impeller stands, and the vacuum goes."""
        if not on:
            self._switch(False)
        self._powered = on

    def _switch(self, on: bool) -> None:
        place = self._place()
        if self._powered and self._grid.sim.cups.running(place) != on:
            self._grid.sim.cups.run(place, on)
