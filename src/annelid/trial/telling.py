"""Tells whoever waits for a run how far it is."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

from annelid.kernel import Kernel, Program, Sleep, seconds, to_seconds
from annelid.physics.simulation import Simulation

Progress = Callable[[float, float], None]
"""``(seconds simulated, progress of the head in metres)``, a few times per wall second."""

TELL_EVERY_S = 0.1
"""Wall time between two calls of a ``Progress``."""


def telling(progress: Progress, sim: Simulation, kernel: Kernel) -> Program:
    """Looks at the wall clock to spare the screen; the simulation does not see it."""
    tick = Sleep(seconds(0.02))
    told = 0.0
    while True:
        now = perf_counter()
        if now - told > TELL_EVERY_S:
            told = now
            progress(to_seconds(kernel.now), sim.progress())
        yield tick
