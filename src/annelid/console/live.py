"""Keeps a live run at its pace, and lets the worker read messages between steps.

Whenever the kernel asks whether the next moment has come, a look at the wall clock decides: is it
time to listen for commands, to show a frame, to send readings?  The run itself sees nothing of
that.  Between two events the physics is advanced to what the wall clock says, so that slow motion
is smooth; no event lies in between, so the run stays what it would have been.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Protocol

from annelid.kernel import MILLISECOND, Pacer
from annelid.physics.simulation import Simulation

FRAME_NS = 25 * MILLISECOND
"""Between two frames: 40 a second."""
READINGS_NS = 100 * MILLISECOND
IDLE_S = 0.02
"""How long a paused run sleeps between two looks."""
SPEEDS = (0.1, 20.0)


class Watcher(Protocol):
    """Who looks up: the worker."""

    def listen(self, wait_s: float) -> None:
        """Obey what has come, waiting for it at most so long."""

    def show(self) -> None:
        """One frame."""

    def read(self, speed: float, paused: bool) -> None:
        """Everything else."""


class Pulse(Protocol):
    """A number in memory that server and worker share: it counts moments, so that the server can
    see from outside that time passes; 0: nothing is being simulated."""

    value: int


class LivePacer(Pacer):
    """Pause, single steps, another speed at any time; as fast as can be up to ``until_ns``."""

    def __init__(
        self,
        sim: Callable[[], Simulation],
        watcher: Watcher,
        *,
        paused: bool,
        speed: float,
        pulse: Pulse,
        until_ns: int = 0,
    ) -> None:
        super().__init__(time.monotonic_ns, watcher.listen, speed=speed)
        self._pulse = pulse
        self._sim = sim
        self._watcher = watcher
        self._paused = paused
        self._step_to_ns: int | None = None
        self._until_ns = until_ns
        self._behind = until_ns > 0
        self._frame_ns = self._readings_ns = 0
        self._was = (self._wall(), 0)
        self._now_ns = 0

    @property
    def behind(self) -> bool:
        """Whether it still hurries to ``until_ns``."""
        return self._behind

    def pace(self, *, paused: bool, speed: float) -> None:
        self._paused, self._speed = paused, min(max(speed, SPEEDS[0]), SPEEDS[1])
        self._step_to_ns = None
        self.restart(self._now_ns)

    def step(self, length_ns: int) -> None:
        self._paused = True
        self._step_to_ns = self._now_ns + length_ns

    def arrived(self, t_ns: int) -> bool:
        self._pulse.value += 1
        self._behind = self._behind and t_ns <= self._until_ns
        wall = self._wall()
        if wall >= self._frame_ns:
            self._look(wall, t_ns)
        if t_ns <= self._until_ns:
            self._now_ns = t_ns
            self.restart(t_ns)
            return True
        if self._paused:
            if self._step_to_ns is not None and t_ns <= self._step_to_ns:
                self._now_ns = t_ns
                return True
            self._step_to_ns = None
            self._watcher.listen(IDLE_S)
            self.restart(self._now_ns)
            return False
        if super().arrived(t_ns):
            self._now_ns = t_ns
            return True
        return False

    def _look(self, wall: int, due_ns: int) -> None:
        self._frame_ns = max(self._frame_ns + FRAME_NS, wall + FRAME_NS // 2)
        if not self._paused and due_ns > self._until_ns:
            sim = self._sim()
            shown = min(self.virtual_ns(), due_ns - 1)
            if shown > sim.now_ns:
                sim.advance_to(shown)
        self._watcher.show()
        self._watcher.listen(0.0)  # last: what comes now must not be overtaken by the physics
        if wall >= self._readings_ns:
            self._readings_ns = wall + READINGS_NS
            before, then = self._was
            speed = (self._now_ns - then) / max(wall - before, 1)
            self._was = (wall, self._now_ns)
            self._watcher.read(speed, self._paused)
