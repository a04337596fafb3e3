"""Casts rays, the distance sense of infrared sensors and cameras.

In a pipe network the wall is traced analytically (the engine's rays do not see it); in every other
world, and before the mouth of a pipe, the engine casts the ray against the scenery.  Either way it
is exact, deterministic and needs no graphics driver.
"""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.physics.build import Plan
from annelid.physics.scene import SCENERY_GROUP
from annelid.physics.wall import PipeWall
from annelid.worlds import tube_rays

Floats = NDArray[np.float64]

WALL_GREY = 0.6
"""How bright a pipe's wall is under full light."""

BREAK_GREY = 0.02
"""A hole leads into the dark."""


class Rays:
    """Casts rays in one model."""

    def __init__(self, plan: Plan, data: mujoco.MjData, wall: PipeWall) -> None:
        self._model, self._data = plan.model, data
        self._wall = wall
        self._ground = bool(plan.scenery.blocks)
        """Whether there is anything outside the pipes."""
        self._groups = np.zeros(6, dtype=np.uint8)
        self._groups[SCENERY_GROUP] = 1
        self._greys = plan.model.geom_rgba[:, :3].mean(axis=1).astype(np.float64)
        self._met = np.full(1, -1, dtype=np.int32)

    def distance(self, origin: Floats, direction: Floats, reach: float) -> float:
        """Of one ray, without asking how bright that is: what infrared sensors do at every tick."""
        table = self._table(origin)
        if table is not None:
            return tube_rays.trace_ray(table, origin, direction, reach)[0]
        way = mujoco.mj_ray(
            self._model, self._data, origin, direction, self._groups, True, -1, self._met, None
        )
        return way if 0 <= way < reach else reach

    def _table(self, origin: Floats) -> Floats | None:
        """Of the pipes, for who is in them; None: the engine sees what is there."""
        network = self._wall.network
        if self._ground and network is not None and network.clearance(origin) < 0:
            return None
        return self._wall.table

    def cast(self, origin: Floats, directions: Floats, reach: float) -> tuple[Floats, Floats]:
        """(distance, grey of what was met) for unit ``directions`` from one point.

        Where nothing is met the distance is ``reach`` and the grey 0.
        """
        table = self._table(origin)
        if table is not None:
            distances, kinds = tube_rays.trace_rays(table, origin, directions, reach)
            return distances, np.choose(kinds, (0.0, WALL_GREY, BREAK_GREY))
        count = len(directions)
        geoms = np.full(count, -1, dtype=np.int32)
        distances = np.empty(count)
        mujoco.mj_multiRay(
            self._model,
            self._data,
            origin,
            directions.ravel(),
            self._groups,
            True,
            -1,
            geoms,
            distances,
            None,
            count,
            reach,
        )
        met = (geoms >= 0) & (distances >= 0) & (distances < reach)
        greys = np.where(met, self._greys[geoms], 0.0)
        return np.where(met, distances, reach), greys
