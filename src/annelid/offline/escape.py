"""Detects a robot that has left its world: through a wall, over a side, under the floor.

A search finds such ways out, and they are fast.
"""

from __future__ import annotations

import numpy as np

from annelid.physics.frames import rotate
from annelid.physics.simulation import Simulation

SUNK = 0.02
"""How deep the middle of a module may be in a floor or wall, m: a contact gives by less."""


def escaped(sim: Simulation) -> str | None:
    """What it has left, and how; None: it is where it should be."""
    places = sim.poses()[:, :3]
    scenery = sim.plan.scenery
    if scenery.tubes is not None:
        along = np.array([sim.world.progress((x, y, z)) for x, y, z in places.tolist()])
        goal = sim.world.goal
        on_the_way = along < (np.inf if goal is None else goal - SUNK)
        if (on_the_way & (scenery.tubes.clearance(places) < -SUNK)).any():
            return "escaped through the wall of the pipe"
    if scenery.heights is not None:
        ground = scenery.heights
        if (np.abs(places[:, 1]) > ground.half_y + SUNK).any():
            return "escaped over the side of the ground"
        if (np.abs(places[:, 0]) > ground.half_x).any():
            return "ran off the end of the ground"
        if (places[:, 2] < ground.grid.min() - SUNK).any():
            return "sank through the ground"
    for block in scenery.blocks:
        if block.shape == "plane" and block.solid:
            normal = rotate(np.array(block.turn), (0, 0, 1))
            if ((places - np.array(block.at)) @ normal < -SUNK).any():
                return f"sank through {block.name or 'the floor'}"
    return None
