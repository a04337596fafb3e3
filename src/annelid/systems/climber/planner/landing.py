"""The landing: a climber that is held near a surface feels for it with its feet.

Every foot goes down along the body's z until its cup seals; the others do so meanwhile.  A foot
that has touched is pushed on a little.  One that comes to the end of its leg has found no surface,
and is told.  Feet that hold already stay as they are.

Where all is done, the feet that hold are a plane, and the body's height and inclination above it
are known.  If they bear the weight, whoever holds the robot may let go.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.model import Climber
from annelid.systems.climber.planner.steps import (
    CLOSE,
    HELD,
    NEAR,
    PATIENCE_S,
    PRESS,
    TOUCH_SPEED,
    TOUCHED,
)
from annelid.systems.climber.wire import GRIP

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

SPEED: Final = 0.06
"""Of feet that are far from the surface, m/s."""
LAG: Final = 0.006
"""What a foot on its way is behind its command, m."""


class Landing:
    """Advanced once a tick; all in the body's frame."""

    def __init__(self, climber: Climber, q: Floats, there: Bools, vacuum: Floats) -> None:
        self._climber = climber
        self._q = q.copy()
        """Told to the servos."""
        self._feet = climber.legs.forward(q)
        self._zero = np.where(vacuum >= HELD, 0.0, vacuum)
        """What sensors tell of open cups."""
        self._touched = np.full(climber.count, np.nan)
        """When, s."""
        self._landed = np.zeros(climber.count)
        """Wished heights at which feet touched, m."""
        self.held = there & (vacuum >= HELD)
        self.failures: dict[int, str] = {int(k): "does not answer" for k in np.flatnonzero(~there)}

    @property
    def over(self) -> bool:
        return bool((self.held | self._failed).all())

    @property
    def _failed(self) -> Bools:
        failed = np.zeros(self._climber.count, dtype=bool)
        failed[list(self.failures)] = True
        return failed

    def advance(
        self, vacuum: Floats, distance: Floats, time_s: float, dt: float
    ) -> tuple[Floats, list[int]]:
        """Joint targets and flags for all legs."""
        for k in np.flatnonzero(~self.held & ~self._failed):
            self._lower(int(k), float(vacuum[k]), float(distance[k]), time_s, dt)
        return self._q, [0 if k in self.failures else GRIP for k in range(len(self._q))]

    def _lower(self, leg: int, vacuum: float, distance: float, time_s: float, dt: float) -> None:
        sealed = vacuum - self._zero[leg] >= TOUCHED
        if vacuum >= HELD:
            self.held[leg] = True
            return
        if np.isnan(self._touched[leg]):
            if sealed or distance < CLOSE:
                self._touched[leg], self._landed[leg] = time_s, self._feet[leg, 2]
            else:
                self._down(leg, (SPEED if distance > NEAR + LAG else TOUCH_SPEED) * dt)
        elif time_s - self._touched[leg] > PATIENCE_S:
            self.failures[leg] = f"its cup does not hold ({vacuum:.0%} of its vacuum)"
        elif not sealed and self._feet[leg, 2] > self._landed[leg] - PRESS:
            self._down(leg, TOUCH_SPEED * dt)

    def _down(self, leg: int, way: float) -> None:
        foot = self._feet[leg] - way * UP
        legs = self._climber.legs.alone[leg]
        q = legs.inverse(foot[None])
        if legs.margin(q)[0] < 0.0:
            low = -1000 * float(self._feet[leg, 2])
            self.failures[leg] = f"found no surface within its reach ({low:.0f} mm below the body)"
            return
        self._feet[leg], self._q[leg] = foot, q[0]


def above(feet: Floats) -> BodyPose:
    """The body's pose in a world whose plane z = 0 is laid through ``feet`` (in the body), its
    origin below the body and x ahead."""
    middle = feet.mean(axis=0)
    normal = np.linalg.svd(feet - middle)[2][2]
    normal = normal * np.sign(normal[2])
    ahead = np.array([1.0, 0.0, 0.0]) - normal[0] * normal
    ahead /= np.linalg.norm(ahead)
    turn = np.stack([ahead, np.cross(normal, ahead), normal])
    return BodyPose(-float(normal @ middle) * UP, turn)
