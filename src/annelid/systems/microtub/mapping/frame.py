"""Position and orientation on the map: dead reckoning in three dimensions.

Directions to the side are angles round the heading, 0 to the left, 90° up, as pipe parts have them
(``annelid.worlds.pipe``).  "Up" is carried round a bend without twist; it is the world's up only
until a pipe leaves the horizontal.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, isclose, sin

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class PipeFrame:
    """A point, m, the way ahead and the way up, both of unit length."""

    point: Vector
    heading: Vector
    up: Vector

    @classmethod
    def origin(cls) -> PipeFrame:
        """x ahead, y left, z up: the inlet of a level pipe."""
        return cls(np.zeros(3), np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0]))

    def side(self, direction: float) -> Vector:
        """The unit vector at this angle round the heading, rad."""
        left = np.cross(self.up, self.heading)
        towards: Vector = cos(direction) * left + sin(direction) * self.up
        return towards

    def ahead(self, distance: float) -> PipeFrame:
        return PipeFrame(self.point + distance * self.heading, self.heading, self.up)

    def turned(self, direction: float, angle: float, *, arc: float = 0.0) -> PipeFrame:
        """After a bend by ``angle`` towards ``direction``, rad, on an arc of this length, m."""
        if isclose(angle, 0.0):
            return self.ahead(arc)
        side = self.side(direction)
        axis = np.cross(self.heading, side)
        radius = arc / angle
        point = self.point + radius * (sin(angle) * self.heading + (1 - cos(angle)) * side)
        inward = cos(angle) * side - sin(angle) * self.heading
        return PipeFrame(
            point,
            cos(angle) * self.heading + sin(angle) * side,
            (self.up @ side) * inward + (self.up @ axis) * axis,
        )
