"""The hand that holds a robot near its surface at the start, until it holds on by itself.

A robot on cups is put to its wall by somebody who lets go when it says that it holds.  The hand
bears a share of the weight of every part, and slows the trunk so much that a foot which presses
hardly moves it.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from annelid.physics.simulation import Simulation

FIRM: Final = 3000.0
"""Against moving, N·s/m: a foot that presses with 3 N pushes the trunk by 1 mm/s."""
FIRM_TURN: Final = 60.0
"""Against turning, N·m·s/rad: the same at 0.14 m."""


class Hand:
    """On the piece of a module; a robot that is cut or joined slips out of it."""

    def __init__(self, sim: Simulation, module: str) -> None:
        self._sim = sim
        self._epoch = sim.epoch
        first = f"{module}/{sim.robot[module].body.parts[0].name}"
        root = sim.model.body_rootid[sim.model.body(first).id]
        self._bodies = np.flatnonzero(sim.model.body_rootid == root)
        start = int(sim.model.jnt_dofadr[sim.model.body_jntadr[root]])
        self._dofs = slice(start, start + 6)
        self.share = 0.0
        """Of the weight that it bears, 0 to 1; at 0 it does not touch the robot."""

    def bear(self, share: float) -> None:
        """From this moment on."""
        sim = self._sim
        if sim.epoch != self._epoch or share == self.share:
            return
        self.share = share
        weights = sim.model.body_mass[self._bodies] * sim.world.gravity
        sim.data.xfrc_applied[self._bodies, 2] = share * weights
        firm = (FIRM,) * 3 + (FIRM_TURN,) * 3 if share > 0.0 else (0.0,) * 6
        sim.model.dof_damping[self._dofs] = firm
