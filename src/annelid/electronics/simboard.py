"""The simulated board: the devices of one module, a clock that drifts, and power.

The same class serves a PC on the bench, which is a board without a module.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from annelid.electronics.devices import PhysicsGrid, SimCamera, SimCup, SimSensor, SimServo
from annelid.electronics.latch import SimLatch
from annelid.electronics.names import NamedParts
from annelid.kernel import LocalClock, LocalTimer, RandomStreams, Until
from annelid.kernel import seconds as to_ns
from annelid.robot.body import Camera
from annelid.robot.robot import Placed

VOLTS_BIT: Final = 0.02
"""Of the converter that measures the supply, V."""


class SimBoard:
    """Satisfies :class:`~annelid.electronics.board.Board`.

    The code that wires the robot puts ports and pins into ``ports`` and ``pins``; each of them is
    switched with the board (:class:`~annelid.electronics.port.Powered`).
    """

    def __init__(
        self,
        grid: PhysicsGrid,
        name: str,
        *,
        streams: RandomStreams,
        module: Placed | None = None,
        drift_ppm: float = 0.0,
        offset_ns: int = 0,
    ) -> None:
        self.name = name
        self.grid = grid
        self.module = module
        self.powered = True
        self.servos: NamedParts[SimServo] = NamedParts("servo", name)
        self.sensors: NamedParts[SimSensor] = NamedParts("sensor", name)
        self.cameras: NamedParts[SimCamera] = NamedParts("camera", name)
        self.latches: NamedParts[SimLatch] = NamedParts(
            "latch (a module has them with latch = true)", name
        )
        self.grippers: NamedParts[SimCup] = NamedParts("gripper", name)
        self.ports: NamedParts[Any] = NamedParts("port", name)
        self.pins: NamedParts[Any] = NamedParts("pin", name)
        self.rail: Callable[[], float] | None = None
        """The voltage of what feeds it; None: the scenario has no supply."""
        self.random: np.random.Generator = streams[f"board/{name}"]
        self._kernel = grid.kernel
        self._set_clock(LocalClock(drift_ppm, offset_ns, grid.sim.step_ns))
        if module is not None:
            self._fit(module)

    def _fit(self, module: Placed) -> None:
        for mount in module.body.mounts:
            self.servos[mount.name] = SimServo(self.grid, f"{module.name}.{mount.name}")
        for sensor in module.body.sensors:
            if isinstance(sensor, Camera):
                self.cameras[sensor.name] = SimCamera(self.grid, f"{module.name}.{sensor.name}")
        for channel in self.grid.sim.sensors.names:
            owner, _, name = channel.partition(".")
            if owner == module.name:
                self.sensors[name] = SimSensor(self.grid, channel)
        for cup in module.body.cups:
            self.grippers[cup.name] = SimCup(self.grid, f"{module.name}.{cup.name}")
        if module.type.latch:
            for face in module.body.faces:
                self.latches[face.name] = SimLatch(self.grid, f"{module.name}.{face.name}")

    # -- what the program sees -----------------------------------------------------------------

    @property
    def now(self) -> int:
        return self.clock.local(self._kernel.now)

    @property
    def voltage(self) -> float | None:
        """As its converter reads it."""
        return None if self.rail is None else round(self.rail() / VOLTS_BIT) * VOLTS_BIT

    def sleep(self, seconds: float) -> Until:
        return self._timer.sleep(to_ns(seconds), self._kernel.now)

    def tick(self, seconds: float) -> Until:
        return self._timer.tick(to_ns(seconds), self._kernel.now)

    def until(self, local_ns: int) -> Until:
        return Until(self.clock.tick(local_ns))

    def log(self, kind: str, detail: Mapping[str, Any]) -> None:
        self._kernel.record(self.name, kind, detail)

    # -- what happens to the board -------------------------------------------------------------

    def power(self, on: bool, *, release: bool = True) -> None:
        """Switch the board with its ports and pins.

        Switched off, a servo loses its signal and lets go (``release``), or is of the kind that
        holds its last command.
        """
        for servo in self.servos.values():
            if not on and release:
                servo.release()
            servo.powered = on
        for latch in self.latches.values():
            latch.power(on)
        for gripper in self.grippers.values():
            gripper.power(on)
        for link in (*self.ports.values(), *self.pins.values()):
            link.power(on)
        self.powered = on
        self._timer = LocalTimer(self.clock)  # whatever it counted is forgotten

    def set_drift(self, drift_ppm: float) -> None:
        """Let the clock run at another rate from now on, without a jump.

        A sleep under way ends when it would have ended.
        """
        now = self._kernel.now
        shown = self.clock.local(now)
        faster = LocalClock(drift_ppm, 0, self.clock.grid_ns)
        self._set_clock(LocalClock(drift_ppm, shown - faster.local(now), self.clock.grid_ns))

    def _set_clock(self, clock: LocalClock) -> None:
        self.clock = clock
        self._timer = LocalTimer(clock)
