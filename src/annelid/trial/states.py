"""The recorded joint positions of a run, and the simulations that can be put into them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.kernel.trace.reader import Event
from annelid.physics.simulation import Simulation


class Rebuild(NamedTuple):
    a: str
    b: str
    join: bool
    angle: float | None
    """As the faces stand, where a latch grasped."""


def rebuilds(happened: list[Event]) -> Iterator[Rebuild]:
    """What made the model anew, in order; a latch that was closed already did not."""
    epoch = 0
    for event in happened:
        if event.kind in ("cut", "join"):
            faces = (str(event.detail["a"]), str(event.detail["b"]))
        elif event.kind in ("attach", "detach") and event.detail.get("epoch") == epoch + 1:
            faces = (event.source, str(event.detail["other"]))
        else:
            continue
        epoch += 1
        join = event.kind in ("join", "attach")
        yield Rebuild(*faces, join, event.detail.get("angle_rad"))


@dataclass(frozen=True)
class States:
    """All frames of one model."""

    epoch: int
    times_ns: NDArray[np.int64]
    qpos: NDArray[np.float64]
    sim: Simulation

    def show(self, frame: int) -> Simulation:
        """Put the simulation into a frame; bodies and geoms then are where they were."""
        self.sim.data.qpos[:] = self.qpos[frame]
        mujoco.mj_forward(self.sim.model, self.sim.data)
        return self.sim
