"""Compile the native kernels ahead of time: ``python -m annelid.physics.warm``.

Numba compiles at first use and keeps the result on disk; a first run says so and waits.  Done once
while setting up, no run has to wait, and none meets a disk that is too full to keep it.
"""

from __future__ import annotations

from annelid.modules import shelf
from annelid.physics import electrics, pipe_contact
from annelid.physics.compiling import watched
from annelid.physics.simulation import Simulation
from annelid.robot import assemble, chain
from annelid.worlds import parse_world, worlds

WORLD = {
    "kind": "pipe",
    "parts": [{"part": "straight", "length_mm": 50}, {"part": "elbow"}, {"part": "tee"}],
    "tether": {"drag_n_per_m": 0.01},
}


def warm_up() -> None:
    """Step, feel, look and measure once in a pipe that has one of everything."""
    sim = Simulation(assemble(chain("TRHP"), shelf()), parse_world(WORLD, worlds()))
    sim.advance(2)
    sim.sensors.read()
    sim.sensors.picture("T1.camera")
    sim.progress()
    if sim.plan.scenery.tubes is not None:
        sim.plan.scenery.tubes.clearance(sim.head())


def for_workers() -> None:
    """Compile here what is not kept yet, so that not every worker process has to."""
    watched()
    electrics.install()
    pipe_contact.install()
    if watched().happened:
        warm_up()


if __name__ == "__main__":
    warm_up()
