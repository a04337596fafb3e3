"""Finds a break of the pipe wall in a picture of the head's camera (000 §2.1, §6.1.6).

The lamp sits at the lens, so a pipe is bright at the rim of the picture and fades towards the
point where its walls meet.  A hole shows as black with a sharp, bright edge; the darkness ahead
has none.  A crack is a hole that is long and thin.

From the picture to the pipe: the darkest point is the direction of the pipe's axis as the camera
sees it, which takes out how the head is tilted.  The angle of the hole from there and the distance
to the wall on that side give how far ahead it is.  The head lies on the floor of the pipe, which
is where the camera is below the axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import atan2, cos, hypot, pi, radians, sin, sqrt, tan
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray
from scipy import ndimage

from annelid.modules.shells import RADIUS
from annelid.systems.microtub.video import Picture

FIELD_OF_VIEW: Final = 1.2217
"""Across the width, rad (000 §2.1's camera as ``modules/touch.py`` has it)."""
BORE_M: Final = 0.040
"""Of the pipes this robot is made for (000 §2)."""
DARK: Final = 25
"""Grey level below which a pixel may be a hole."""
EDGE: Final = 50
"""Median grey level round a hole; the darkness ahead fades in from :data:`DARK`."""
LEAST: Final = 40
"""Pixels of a hole; fewer are noise, or too far away to tell where."""
DIM: Final = 60
AHEAD: Final = 400
"""The darkness ahead has at least so many pixels below :data:`DIM`."""
ASIDE, LOW, HIGH = tan(radians(2.5)), tan(radians(-2.0)), tan(radians(9.0))
"""In a straight pipe its axis is straight ahead of the lens, and a little up: the nose hangs."""
BLUR: Final = 6.0
"""Pixels over which the picture is smoothed to find the pipe's axis."""


Pixel = TypeVar("Pixel", float, NDArray[np.float64])


@dataclass(frozen=True, slots=True)
class SeenBreak:
    """Where a hole is, as seen from the lens."""

    ahead: float
    """m, along the pipe."""
    direction: float
    """Round the pipe from the left towards up, rad, as ``mapping`` counts it."""
    aim: float
    """The same as seen from the lens, which is where the chain's axis is."""
    pixels: int
    straight: bool = True
    """Whether the pipe goes straight on, as far as one can see: in a bend the distance is wrong."""


@dataclass(frozen=True, slots=True, eq=False)
class Hole:
    """Black with a bright edge: a break of the wall, or the open end of a pipe."""

    mask: NDArray[np.bool_]
    pixels: int

    @property
    def narrow(self) -> int:
        """The shorter side of the box round it, pixels."""
        rows, columns = ndimage.find_objects(self.mask.astype(np.int8))[0]
        return min(int(rows.stop - rows.start), int(columns.stop - columns.start))

    @property
    def with_rim(self) -> NDArray[np.bool_]:
        """The hole and what its edge blurs."""
        grown: NDArray[np.bool_] = ndimage.binary_dilation(self.mask, iterations=3)
        return grown


def find_break(picture: Picture, *, bore: float = BORE_M) -> SeenBreak | None:
    """The largest hole in sight; None: the wall is whole as far as one can see."""
    hole = find_hole(picture)
    return None if hole is None else place_ahead(picture, hole, bore=bore)


def find_hole(picture: Picture, *, least: int = LEAST) -> Hole | None:
    """The largest; None: there is none of so many pixels."""
    dark, _ = ndimage.label(picture < DARK)
    best: NDArray[np.bool_] | None = None
    size = 0
    for label, place in enumerate(ndimage.find_objects(dark), 1):
        rows, columns = (slice(max(s.start - 2, 0), s.stop + 2) for s in place)
        hole = dark[rows, columns] == label
        pixels = int(hole.sum())
        if pixels < max(least, size + 1):
            continue
        rim = ndimage.binary_dilation(hole, iterations=2) & ~hole
        if rim.any() and np.median(picture[rows, columns][rim]) >= EDGE:
            size = pixels
            best = dark == label
    return None if best is None else Hole(best, size)


def place_ahead(picture: Picture, hole: Hole, *, bore: float = BORE_M) -> SeenBreak | None:
    """Where a hole is if the pipe goes straight on; None: it is the pipe's open end, or the wall of
    a bend hides the pipe's darkness."""
    if not _goes_on(picture, hole.mask):
        return None
    row, column = ndimage.center_of_mass(hole.mask)
    return _placed(ray_of(picture, row, column), _axis(picture, hole), hole.pixels, bore)


def _goes_on(picture: Picture, hole: NDArray[np.bool_]) -> bool:
    """Whether the pipe's own darkness is there beside the hole: else this is its open end."""
    dim = (picture < DIM) & ~ndimage.binary_dilation(hole, iterations=4)
    return int(dim.sum()) >= AHEAD


def _axis(picture: Picture, hole: Hole) -> tuple[float, float]:
    """Where the pipe goes: the middle of the darkness ahead, as a ray."""
    filled = np.where(hole.with_rim, 255, picture)
    smooth = ndimage.gaussian_filter(filled.astype(np.float32), BLUR)
    rows, columns = np.nonzero(smooth <= smooth.min() + 6.0)
    return ray_of(picture, float(rows.mean()), float(columns.mean()))


def ray_of(picture: Picture, row: Pixel, column: Pixel) -> tuple[Pixel, Pixel]:
    """Left and up per metre ahead, of a pixel or of many."""
    height, width = picture.shape
    half = tan(FIELD_OF_VIEW / 2)
    left = half * (1 - 2 * column / (width - 1))
    up = half * height / width * (1 - 2 * row / (height - 1))
    return left, up


def _placed(
    ray: tuple[float, float], axis: tuple[float, float], pixels: int, bore: float
) -> SeenBreak:
    left, up = ray[0] - axis[0], ray[1] - axis[1]
    direction = atan2(up, left) % (2 * pi)
    below = bore / 2 - RADIUS
    """Of the camera under the pipe's axis."""
    wall = below * sin(direction) + sqrt((bore / 2) ** 2 - (below * cos(direction)) ** 2)
    away = hypot(left, up)
    at = np.array([wall * cos(direction), wall * sin(direction) - below])
    about_axis = float(atan2(at[1], at[0]) % (2 * pi))
    straight = abs(axis[0]) <= ASIDE and LOW <= axis[1] <= HIGH
    return SeenBreak(wall / max(away, 1e-6), about_axis, direction, pixels, straight)
