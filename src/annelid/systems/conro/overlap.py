"""Refuses a body whose modules would lie in each other where it begins.

CONRO's modules do not touch each other in the simulation, so a tree that folds back on itself would
run, and prove nothing.
"""

from __future__ import annotations

from itertools import combinations
from typing import Final

import mujoco
import numpy as np

from annelid.errors import InputError
from annelid.physics.simulation import Simulation

DEEP: Final = 0.002
"""m; neighbours whose zeros are off may graze each other by less."""


def require_apart(sim: Simulation) -> None:
    """Modules of one piece; those that are docked to each other may touch."""
    model, data = sim.model, sim.data
    whose = _owners(sim)
    near = {frozenset((dock.a[0], dock.b[0])) for dock in sim.robot.docks}
    middles, reach = data.geom_xpos, model.geom_rbound
    boxes = [g for g in whose if model.geom_type[g] == mujoco.mjtGeom.mjGEOM_BOX]
    pieces = [[g for g in boxes if whose[g] in piece] for piece in sim.robot.pieces()]
    for one, other in (pair for piece in pieces for pair in combinations(piece, 2)):
        pair = (whose[one], whose[other])
        if pair[0] == pair[1] or frozenset(pair) in near:
            continue
        if np.linalg.norm(middles[one] - middles[other]) >= reach[one] + reach[other]:
            continue
        if mujoco.mj_geomDistance(model, data, one, other, 0.01, None) < -DEEP:
            raise InputError(
                f"conro: {pair[0]} and {pair[1]} would lie in each other at the start: the body "
                "touches itself"
            )


def _owners(sim: Simulation) -> dict[int, str]:
    """Geom to its module."""
    found = {}
    for geom in range(sim.model.ngeom):
        module, part, _ = sim.model.body(sim.model.geom_bodyid[geom]).name.partition("/")
        if part:
            found[geom] = module
    return found
