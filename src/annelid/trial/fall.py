"""Detects a fall, for any body and any world.

Nobody walks down faster than a robot falls.  So a watch keeps the height at which the robot was
last *held*: it rises with the robot's centre at once and sinks with it at no more than ``WALKED``.
A centre that is ``DEPTH`` below that height has come down by its weight.  It has fallen if nothing
can catch it: no part of it is in a pipe, and no ground lies under its centre that is flat enough to
stop on.  Otherwise it only drops, and goes on from where it lands.  Hence

- a hop, a throw or a drop off a step is no fall, as long as there is ground below;
- off the edge of a terrain, out of an open end of a pipe, off a wall or a ceiling it is one;
- so is sliding down something steeper than ``STEEP``, where friction has given way.

A robot in pieces has fallen when the piece with its first module has.  The watch looks at control
ticks and nowhere else, so that a run ends at the same tick whether it is recorded or not.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, inf, radians
from typing import Final

import mujoco
import numpy as np
from numpy.typing import NDArray

from annelid.kernel import to_seconds
from annelid.physics.simulation import Simulation
from annelid.worlds.tubes import WALL

Floats = NDArray[np.float64]

DEPTH: Final = 0.3
"""So far below its last hold it falls, m; free fall takes 0.25 s for it."""
WALKED: Final = 0.6
"""The fastest that a robot of these modules climbs down, m/s: several times any gait."""
SINKING: Final = 0.02
"""So far below its last hold it may be falling, m; what it passes on the way does not count."""
STEEP: Final = radians(45)
"""Ground that is steeper stops nobody."""
SURFACES: Final = 64
"""So many surfaces under one another are looked through for one that is solid."""


@dataclass(frozen=True)
class LastHold:
    """The last moment at which the robot was where its own doing had brought it."""

    at_ns: int
    head: Floats
    """Where its first module was, m."""
    centre: Floats
    """Of the whole robot, m."""


@dataclass(frozen=True)
class Fall:
    """When it lost its hold, which modules fell, and how that was seen."""

    at_ns: int
    who: tuple[str, ...]
    why: str

    @property
    def at_s(self) -> float:
        return to_seconds(self.at_ns)


class FallWatch:
    """Looks at a simulation at every control tick; that takes 2 µs as long as nothing falls."""

    def __init__(self, sim: Simulation) -> None:
        self.fall: Fall | None = None
        self._height = -inf
        """Of its last hold, m."""
        self._low = 0.0
        """How far it is below that, m."""
        self._last_ns = sim.now_ns
        self._watch(sim)
        self._held_ns = sim.now_ns
        self._held_head, self._held_centre = self._head.copy(), self._centre.copy()
        self.look(sim)

    def _watch(self, sim: Simulation) -> None:
        """Bodies and arrays are others after every cut and join."""
        self._epoch = sim.epoch
        first = sim.robot.modules[0]
        head = sim.model.body(f"{first.name}/{first.body.parts[0].name}").id
        self._root = int(sim.model.body_rootid[head])
        centres = sim.data.subtree_com
        self._head, self._centre = sim.data.xpos[head], centres[0]
        self._watched = centres[self._root]
        """Where these are at any moment: rows of the engine's arrays."""
        self._height = -inf  # a piece that was cut off has taken its share of the centre along

    @property
    def sinking(self) -> bool:
        """Whether it may be falling at this moment."""
        return self._low > SINKING

    def look(self, sim: Simulation) -> None:
        if sim.epoch != self._epoch:
            self._watch(sim)
        now_ns, height = sim.now_ns, float(self._watched[2])
        lowered = self._height - WALKED * 1e-9 * (now_ns - self._last_ns)
        self._height, self._last_ns = max(height, lowered), now_ns
        self._low = self._height - height
        if self._low <= 0.0:
            self._held_ns = now_ns
            self._held_head[:], self._held_centre[:] = self._head, self._centre
        elif self._low > DEPTH and self.fall is None:
            if self._in_pipe(sim) or self._over_ground(sim):
                self._height, self._low = height, 0.0
            else:
                self.fall = self._told(sim)

    @property
    def hold(self) -> LastHold:
        return LastHold(self._held_ns, self._held_head.copy(), self._held_centre.copy())

    def _in_pipe(self, sim: Simulation) -> bool:
        """Whether any of its modules is in a bore, or in the wall of one."""
        tubes = sim.plan.scenery.tubes
        if tubes is None:
            return False
        inside = tubes.clearance(sim.poses()[self._mine(sim), :3]) > -WALL
        return bool(inside.any())

    def _over_ground(self, sim: Simulation) -> bool:
        """Straight down from its centre, past its own parts and past what cannot be touched."""
        model = sim.model
        solid = (model.geom_bodyid == 0) & ((model.geom_contype | model.geom_conaffinity) != 0)
        point = self._watched.copy()
        down, normal = np.array([0.0, 0.0, -1.0]), np.zeros(3)
        geom = np.array([-1], dtype=np.int32)
        for _ in range(SURFACES):
            way = mujoco.mj_ray(model, sim.data, point, down, None, True, -1, geom, normal)
            if way < 0.0:
                return False
            if solid[geom[0]]:
                return bool(normal[2] >= cos(STEEP))
            point[2] -= way + 1e-5
        return False

    def _mine(self, sim: Simulation) -> NDArray[np.bool_]:
        """Which modules belong to the piece that is watched."""
        firsts = [f"{m.name}/{m.body.parts[0].name}" for m in sim.robot.modules]
        roots = [sim.model.body_rootid[sim.model.body(name).id] for name in firsts]
        mine: NDArray[np.bool_] = np.array(roots) == self._root
        return mine

    def _told(self, sim: Simulation) -> Fall:
        mine = self._mine(sim)
        who = tuple(m.name for m, fell in zip(sim.robot.modules, mine, strict=True) if fell)
        roots = sim.model.body_rootid[sim.model.geom_bodyid[sim.data.contact.geom]]
        touches = bool(((roots == 0).any(axis=1) & (roots == self._root).any(axis=1)).any())
        sank = 1000 * float(self.hold.centre[2] - self._centre[2])
        took = to_seconds(sim.now_ns - self.hold.at_ns)
        left = "has left the pipe, " if sim.plan.scenery.tubes is not None else ""
        feels = "slides down something steep" if touches else "touches nothing"
        why = f"it {left}sank {sank:.0f} mm in {took:.2f} s, {feels}, and no ground below stops it"
        return Fall(self.hold.at_ns, who, why)
