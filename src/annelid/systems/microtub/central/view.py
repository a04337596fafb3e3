"""Finds a stripe, a landmark or a wall in a picture of the open.

The lamp at the lens reaches some decimetres: near floor and near walls are bright, the sky is
black.  Everything is judged by what stands next to it in the picture, and a picture that shows too
little of the floor shows no stripe.  A head that crawls nods: pictures are taken at rest
(``behaviours/by_sight``).

==========  =====================================================================
stripe      a dark gap in a row of bright floor
landmark    something upright, narrow and lit against the dark
wall        brightness that reaches up one side of the picture
==========  =====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annelid.systems.microtub.central.vision import FIELD_OF_VIEW
from annelid.systems.microtub.video import Picture

FLOOR: Final = 20
"""Grey level of floor that the lamp lights, the dimmest that counts."""
HORIZON: Final = 30
"""Rows below the middle of a picture from a level head in which the lit floor begins."""
WIDE: Final = 0.6
"""Of the picture's width: a darkness that is wider is no stripe."""
GAP: Final = 0.5
"""A stripe is darker than this part of the floor beside it."""
LIT: Final = 8
"""Grey level above the black of the sky; the camera's noise is 2."""
TALL: Final = 0.25
NARROW: Final = 0.2
"""Of the picture's height and width: what counts as a landmark."""
AT_HAND: Final = 0.5
"""The same width for one that is so near that it is bright."""
NEAR_LIT: Final = 60.0
"""Mean grey level of a wall that is at hand, and of a landmark 25 cm away."""
REACHED_LIT: Final = 80.0
"""The same of a landmark that is reached: 20 cm."""


@dataclass(frozen=True, slots=True)
class OpenView:
    """Bearings are rad, positive to the left."""

    stripe: float | None = None
    landmark: float | None = None
    landmark_near: bool = False
    wall_left: float = 0.0
    wall_right: float = 0.0
    """How near, 0 (none) to 1 (at hand)."""


def look(picture: Picture) -> OpenView:
    smooth = ndimage.uniform_filter(picture.astype(np.float32), 5)
    landmark, lit = _landmark(smooth)
    left, right = _walls(smooth)
    return OpenView(_stripe(smooth), landmark, lit >= REACHED_LIT, left, right)


def bearing(column: float, width: int) -> float:
    return atan(tan(FIELD_OF_VIEW / 2) * (1 - 2 * column / (width - 1)))


def _stripe(smooth: NDArray[np.float32]) -> float | None:
    """From the highest row that shows one: 15 cm ahead for a head that lies on the floor."""
    height, width = smooth.shape
    for row in range(height // 2 + HORIZON, height, 10):
        line = smooth[row]
        floor = float(np.percentile(line, 80))
        if floor < FLOOR:
            continue
        dark = line < GAP * floor
        labels, count = ndimage.label(dark)
        for label in range(1, count + 1):
            columns = np.flatnonzero(labels == label)
            if 4 <= len(columns) <= WIDE * width:
                return bearing(float(columns.mean()), width)
    return None


def _landmark(smooth: NDArray[np.float32]) -> tuple[float | None, float]:
    """Bearing and brightness of the tallest narrow thing above the horizon."""
    height, width = smooth.shape
    lit = smooth[: height // 2] > LIT
    labels, _ = ndimage.label(lit)
    best, tallest, brightness = None, TALL * height, 0.0
    for label, place in enumerate(ndimage.find_objects(labels), 1):
        rows, columns = place
        high, wide = rows.stop - rows.start, columns.stop - columns.start
        grey = float(smooth[: height // 2][labels == label].mean())
        if high >= tallest and wide <= (AT_HAND if grey >= NEAR_LIT else NARROW) * width:
            tallest, best = high, (columns.start + columns.stop - 1) / 2
            brightness = grey
    return (None if best is None else bearing(best, width)), brightness


def _walls(smooth: NDArray[np.float32]) -> tuple[float, float]:
    """From the upper half, at the rims: what reaches up there stands beside the robot, unless it
    is the floor under a head that nods, which fills the middle as well."""
    height, width = smooth.shape
    upper, rim = smooth[: height // 2], max(width // 16, 1)
    middle = float(upper[:, width // 2 - rim : width // 2 + rim].mean())
    left, right = (float(each.mean()) - middle for each in (upper[:, :rim], upper[:, -rim:]))
    return min(max(left / NEAR_LIT, 0.0), 1.0), min(max(right / NEAR_LIT, 0.0), 1.0)
