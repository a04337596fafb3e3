"""Finds a stripe, a landmark or a wall in a picture of the open.

The lamp at the lens reaches some decimetres: near floor and near walls are bright, the sky is
black.  Everything is judged by what stands next to it in the picture, and a picture that shows too
little of the floor shows no stripe.  A head that crawls nods: pictures are taken at rest
(``behaviours/by_sight``).

==========  =====================================================================
stripe      a dark gap in a row of bright floor, with floor on both sides of it, or where it leaves
            the picture, above it: the dark above the horizon, which comes in at the rim where
            the camera is rolled, has none
landmark    something upright, narrow and lit against the dark; at hand when its foot, where it
            meets the floor, is as far below the horizon as at 5 cm
wall        brightness that reaches up one side of the picture
==========  =====================================================================
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan, inf, tan
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annelid.systems.microtub.central.vision import FIELD_OF_VIEW
from annelid.systems.microtub.video import Picture

FLOOR: Final = 20
"""Grey level of floor that the lamp lights, the dimmest that counts."""
FAINT: Final = 6
"""The same of floor that is beyond most of its light; the black of the sky is 2 at most."""
HORIZON: Final = 30
"""Rows below the middle of a picture from a level head in which the lit floor begins."""
WIDE: Final = 0.6
"""Of the picture's width: a darkness that is wider is no stripe."""
GAP: Final = 0.5
"""A stripe is darker than this part of the floor beside it."""
BESIDE: Final = 0.75
"""Beside a stripe the floor is as bright as this part of what it is in that row."""
LIT: Final = 8
"""Grey level above the black of the sky; the camera's noise is 2."""
TALL: Final = 0.25
NARROW: Final = 0.2
"""Of the picture's height and width: what counts as a landmark."""
AT_RIM: Final = 0.7
WHOLE: Final = 0.95
"""The same width for one that is so near that it is bright: cut off by the picture, and not."""
NEAR_LIT: Final = 60.0
"""Mean grey level of a wall that is at hand, and of a landmark 10 to 20 cm away."""
FOOT: Final = 0.4
"""How far below the horizon, over the distance ahead, the foot of a landmark is seen that is
reached: 43 mm ahead of the nose of a level head, 56 mm where the nose points up by 6°."""
STEP, STEP_ROWS = 5.0, 8
"""The floor is darker than the foot that stands on it, by at least so much within so many rows."""


@dataclass(frozen=True, slots=True)
class OpenView:
    """Bearings are rad, positive to the left."""

    stripe: float | None = None
    landmark: float | None = None
    landmark_near: bool = False
    """Bright: it is not far to it."""
    landmark_reached: bool = False
    wall_left: float = 0.0
    wall_right: float = 0.0
    """How near, 0 (none) to 1 (at hand)."""


def look(picture: Picture) -> OpenView:
    smooth = ndimage.uniform_filter(picture.astype(np.float32), 5)
    left, right = _walls(smooth)
    landmark = _landmark(smooth) if _floor_below(smooth) else None
    if landmark is None:
        return OpenView(_stripe(smooth), wall_left=left, wall_right=right)
    near = landmark.lit >= NEAR_LIT
    reached = near and _foot(smooth, landmark.columns) >= FOOT
    seen = bearing(landmark.column, smooth.shape[1])
    return OpenView(_stripe(smooth), seen, near, reached, left, right)


def _floor_below(smooth: NDArray[np.float32]) -> bool:
    """Whether the lit floor lies below, on both sides: before a camera on its back or its side the
    floor itself is bright and upright."""
    height, width = smooth.shape
    rows = smooth[-height // 4 :]
    sides = rows[:, : width // 3], rows[:, -width // 3 :]
    return all(float(np.percentile(side, 80)) >= FLOOR for side in sides)


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
            if not 4 <= len(columns) <= WIDE * width:
                continue
            sides = (line[: columns[0]], 0), (line[columns[-1] + 1 :], width - 1)
            if all(
                float(side.max()) >= BESIDE * floor if side.size else _floor_above(smooth, row, rim)
                for side, rim in sides
            ):
                return bearing(float(columns.mean()), width)
    return None


def _floor_above(smooth: NDArray[np.float32], row: int, rim: int) -> bool:
    """Whether there is floor at that rim of the picture between the horizon and ``row``, be it
    faint."""
    for line in smooth[smooth.shape[0] // 2 : row]:
        floor = float(np.percentile(line, 80))
        if floor >= FAINT and line[rim] >= GAP * floor:
            return True
    return False


@dataclass(frozen=True, slots=True)
class _Upright:
    """Something narrow above the horizon."""

    columns: slice
    lit: float
    """Mean grey level."""

    @property
    def column(self) -> float:
        return float(self.columns.start + self.columns.stop - 1) / 2


def _landmark(smooth: NDArray[np.float32]) -> _Upright | None:
    """The tallest."""
    height, width = smooth.shape
    lit = smooth[: height // 2] > LIT
    labels, _ = ndimage.label(lit)
    best, tallest = None, TALL * height
    for label, place in enumerate(ndimage.find_objects(labels), 1):
        rows, columns = place
        high, wide = rows.stop - rows.start, columns.stop - columns.start
        grey = float(smooth[: height // 2][labels == label].mean())
        whole = columns.start > 0 and columns.stop < width
        most = NARROW if grey < NEAR_LIT else WHOLE if whole else AT_RIM
        if high >= tallest and wide <= most * width:
            tallest, best = high, _Upright(columns, grey)
    return best


def _foot(smooth: NDArray[np.float32], columns: slice) -> float:
    """How far below the horizon it meets the floor, over the distance ahead; infinite: below the
    picture."""
    height, width = smooth.shape
    third = (columns.stop - columns.start) // 3
    middle = smooth[height // 2 :, columns.start + third : columns.stop - third]
    down = np.median(middle, axis=1)
    steps = down[:-STEP_ROWS] - down[STEP_ROWS:]
    row = int(np.argmax(steps))
    if steps[row] < STEP:
        return inf
    return float(tan(FIELD_OF_VIEW / 2) * (2 * row + STEP_ROWS) / (width - 1))


def _walls(smooth: NDArray[np.float32]) -> tuple[float, float]:
    """From the upper half, at the rims: what reaches up there stands beside the robot, unless it
    is the floor under a head that nods, which fills the middle as well."""
    height, width = smooth.shape
    upper, rim = smooth[: height // 2], max(width // 16, 1)
    middle = float(upper[:, width // 2 - rim : width // 2 + rim].mean())
    left, right = (float(each.mean()) - middle for each in (upper[:, :rim], upper[:, -rim:]))
    return min(max(left / NEAR_LIT, 0.0), 1.0), min(max(right / NEAR_LIT, 0.0), 1.0)
