"""The seat of an agent outside: the run stops at every control tick until it has decided."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from annelid.control.interface import Floats, Interface, Reals
from annelid.kernel import Kernel


class Seat:
    """A pilot whose decisions come from outside."""

    def __init__(self, robot: Interface, kernel: Kernel) -> None:
        self.robot = robot
        self._kernel = kernel
        self.waits = True
        """Whether a decision is due at this tick."""
        self.seen: Reals = np.zeros(len(robot.observations), np.float32)
        """At the last tick."""
        self.watch: Callable[[], None] | None = None
        """Called at every control tick, before it is commanded."""
        self.commands: Floats = np.zeros(len(robot.actions))
        """Until the next one."""

    def look(self, time_s: float, told: Floats) -> None:
        self.waits = self.robot.decides()
        if not self.waits:
            return
        self.seen = self.robot.observe(time_s, told)
        self._kernel.stop()

    def lay(self, told: Floats) -> None:
        if self.watch is not None:
            self.watch()
        self.robot.lay(self.commands, told)
