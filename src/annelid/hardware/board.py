"""A board made of this machine: a clock and ports, no servos or sensors.

A host's program runs on it as on a simulated board: at the pace of the wall clock (``runner``), or
of a simulation elsewhere (``exchange``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from annelid.electronics.board import BoardCamera, BoardServo, Gripper, Latch, Sensor
from annelid.electronics.names import NamedParts
from annelid.electronics.port import Pin
from annelid.kernel import Kernel, LocalClock, LocalTimer, RandomStreams, Until
from annelid.kernel import seconds as to_ns

Tell = Callable[[int, str, Mapping[str, Any]], None]
"""Told of every line in the log: ns, kind, detail."""


def silent(t_ns: int, kind: str, detail: Mapping[str, Any]) -> None:
    """A log that nobody looks at."""


class PcBoard:
    """Satisfies :class:`~annelid.electronics.board.Board`; ``ports`` are filled later."""

    def __init__(self, name: str, kernel: Kernel, *, seed: int = 0, tell: Tell = silent) -> None:
        self.name = name
        self.kernel = kernel
        self.servos: NamedParts[BoardServo] = NamedParts("servo (a PC has none)", name)
        self.sensors: NamedParts[Sensor] = NamedParts("sensor (a PC has none)", name)
        self.cameras: NamedParts[BoardCamera] = NamedParts("camera (a PC has none)", name)
        self.latches: NamedParts[Latch] = NamedParts("latch (a PC has none)", name)
        self.grippers: NamedParts[Gripper] = NamedParts("gripper (a PC has none)", name)
        self.ports: NamedParts[Any] = NamedParts("port", name)
        self.pins: NamedParts[Pin] = NamedParts("pin (a PC has none)", name)
        self.voltage: float | None = None
        self.random: np.random.Generator = RandomStreams(seed)[f"board/{name}"]
        self._local = LocalClock()
        self._timer = LocalTimer(self._local)
        self._tell = tell

    @property
    def now(self) -> int:
        return self._local.local(self.kernel.now)

    def sleep(self, seconds: float) -> Until:
        return self._timer.sleep(to_ns(seconds), self.kernel.now)

    def tick(self, seconds: float) -> Until:
        return self._timer.tick(to_ns(seconds), self.kernel.now)

    def until(self, local_ns: int) -> Until:
        return Until(self._local.tick(local_ns))

    def log(self, kind: str, detail: Mapping[str, Any]) -> None:
        self.kernel.record(self.name, kind, detail)
        self._tell(self.kernel.now, kind, detail)
