"""Says where in a bend a hole is: finds the bend that looks like the picture.

One lens cannot tell how far away a hole is.  But a bend lights up in its own way: from a picture
follow how far ahead it begins, its radius, and how the lens is tilted.  The map gives where the
bend leads and how far it turns, as the joints felt it, and only about where it begins.  The rest is
fitted: the sum of squared differences between picture and model is made small, beginning from
several radii (Levenberg and Marquardt's method).

What the model does not explain is not told: a picture that looks like no bend, a hole where the
model is dark as well, or one that is as wide as the mouth of a branch.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from itertools import product
from math import atan2, cos, pi, radians, sin
from typing import Final

import numpy as np

from annelid.modules.shells import RADIUS
from annelid.systems.microtub.central.bend_model import BendView, Floats
from annelid.systems.microtub.central.known import KnownElbow
from annelid.systems.microtub.central.vision import EDGE, Hole, ray_of
from annelid.systems.microtub.video import Picture

BLOCK: Final = 16
"""Pixels of a picture, each way, that are averaged."""
CLEAR: Final = 0.6
"""Of a block: so much of it must be wall."""
EVEN: Final = 10.0
"""Grey levels that a block may vary by; in others the wall of the bend hides what is behind it."""
RAYS: Final = 200
"""Of a hole that are followed, at most."""
LENS_M: Final = 0.003
"""From the nose."""
BEGIN: Final = (1.25, 2.5, 5.0)
LATER_M: Final = (0.0, 0.02)
"""Radii to begin with, by the bore, and by how much the bend begins later than the map has it."""
LEAST_RADIUS: Final = 0.55
MOST_RADIUS_M: Final = 0.5
"""The least by the bore."""
# fmt: off
STEP: Final = np.array(
    [.001, .001, radians(1), radians(1), .001, .001, radians(1), radians(1), 3.0]
)
"""Of each number of a :class:`BendView`, in which it is varied."""
SURE: Final = np.array(
    [.040, .060, radians(8), radians(8), .004, .004, radians(15), radians(15), 80.0]
)
"""How far each may be from where it begins, in two of three."""
# fmt: on
GAIN: Final = 255.0
NOISE: Final = 4.0
"""Grey levels that the model may be off by."""
WEIGHT: Final = 100.0
"""Of the whole picture against what is known beforehand."""
SHORT, LONG, TRIES = 4, 15, 5
FINISH: Final = 3
ENOUGH: Final = 1e-3
"""Rounds from every beginning and from the best of them, each with so many tries; no more where a
round gains less than this share."""
POOR: Final = 8.0
"""A picture that differs more from its model shows something else."""
BEFORE_M, BEHIND_M = 0.06, 0.03
"""A hole so far before the bend or behind it can be placed."""
WIDE: Final = 0.75
"""Of the bore: what is longer or wider is the mouth of a branch."""


@dataclass(frozen=True, slots=True, eq=False)
class HoleSight:
    """What is kept of a picture that shows a hole."""

    way: float
    """Of the nose when it was taken, m."""
    still: bool
    """Whether the robot stood; else the way is less exact."""
    roll: float
    bore: float
    grey: Floats
    looking: Floats
    """Of the wall: means of blocks, and the unit rays to them."""
    hole: Floats
    """Unit rays to the hole."""


@dataclass(frozen=True, slots=True)
class PlacedHole:
    at: float
    """Way of the nose when it is there, m."""
    direction: float
    """Round the pipe from the left towards up, rad, whatever way the robot is rolled."""
    sight: HoleSight


def keep(
    picture: Picture, hole: Hole, *, way: float, still: bool, roll: float, bore: float
) -> HoleSight:
    height, width = picture.shape
    rows, columns = height // BLOCK, width // BLOCK
    wall = ~hole.with_rim
    blocks = (rows, BLOCK, columns, BLOCK)
    cut = np.s_[: rows * BLOCK, : columns * BLOCK]
    pixels = wall[cut].reshape(blocks).sum(axis=(1, 3))
    grey = (picture * wall)[cut].reshape(blocks).sum(axis=(1, 3)) / np.maximum(pixels, 1)
    square = (picture.astype(float) ** 2 * wall)[cut].reshape(blocks).sum(axis=(1, 3))
    uneven = np.sqrt(np.maximum(square / np.maximum(pixels, 1) - grey**2, 0.0))
    clear = (pixels > CLEAR * BLOCK**2) & (uneven < EVEN)
    middle = np.array(np.nonzero(clear), dtype=np.float64) * BLOCK + (BLOCK - 1) / 2
    inside = np.array(np.nonzero(hole.mask), dtype=float)
    few = inside[:, :: -(-inside.shape[1] // RAYS)]
    return HoleSight(
        way=way,
        still=still,
        roll=roll,
        bore=bore,
        grey=grey[clear],
        looking=_units(picture, *middle),
        hole=_units(picture, *few),
    )


def place(sight: HoleSight, elbow: KnownElbow) -> PlacedHole | None:
    """None: the picture does not show a hole in this bend."""
    view, poor = _fitted(sight, elbow)
    if poor > POOR:
        return None
    hole = view.meet(sight.hole, sight.bore)
    along = float(np.median(hole.along))
    beyond = along - view.radius * view.angle
    if np.median(hole.light) < EDGE or along < -BEFORE_M or beyond > BEHIND_M:
        return None
    side = atan2(float(np.sin(hole.side).mean()), float(np.cos(hole.side).mean()))
    round_it = (hole.side - side + pi) % (2 * pi) - pi
    sizes = (_spread(hole.along), _spread(round_it) * sight.bore / 2)
    if max(sizes) > WIDE * sight.bore:
        return None
    return PlacedHole(sight.way + LENS_M - view.lens + along, side + sight.roll, sight)


def _spread(values: Floats) -> float:
    low, high = np.percentile(values, (10, 90))
    return float(high - low)


def _units(picture: Picture, rows: Floats, columns: Floats) -> Floats:
    left, up = ray_of(picture, rows, columns)
    rays = np.stack([np.ones_like(left), left, up], axis=1)
    units: Floats = rays / np.linalg.norm(rays, axis=1, keepdims=True)
    return units


def _fitted(sight: HoleSight, elbow: KnownElbow) -> tuple[BendView, float]:
    """The bend that looks like the picture, and how much it differs."""
    below = max(sight.bore / 2 - RADIUS, 0.0)
    begun: list[tuple[float, Floats, Floats]] = []
    for times, later in product(BEGIN, LATER_M):
        radius = times * sight.bore
        start = BendView(
            lens=sight.way + LENS_M - (elbow.middle + later - radius * elbow.angle / 2),
            radius=radius,
            angle=elbow.angle,
            towards=elbow.towards,
            left=-below * sin(sight.roll),
            up=-below * cos(sight.roll),
            yaw=0.0,
            pitch=0.0,
            gain=GAIN,
        )
        known = np.array(astuple(start))
        found = _refined(sight, known, known, rounds=SHORT)
        off = _differences(sight, found, known)
        begun.append((float(off @ off), known, found))
    begun.sort(key=lambda each: each[0])
    ended: list[tuple[float, Floats]] = []
    for _, known, begin in begun[:FINISH]:
        found = _refined(sight, begin, known, rounds=LONG)
        off = _differences(sight, found, known)[: len(sight.grey)]
        ended.append((float(off @ off), found))
    poor, found = min(ended, key=lambda each: each[0])
    return _view(found), poor


def _view(numbers: Floats) -> BendView:
    return BendView(*numbers.tolist())


def _differences(sight: HoleSight, numbers: Floats, start: Floats) -> Floats:
    """Of the picture, where large ones count less, and of what was known beforehand."""
    off = (_view(numbers).meet(sight.looking, sight.bore).light - sight.grey) / NOISE
    soft = np.sign(off) * np.sqrt(2 * (np.sqrt(1 + off**2) - 1))
    return np.concatenate([soft * np.sqrt(WEIGHT / len(soft)), (numbers - start) / SURE])


def _refined(sight: HoleSight, start: Floats, known: Floats, *, rounds: int) -> Floats:
    numbers, damped = start, 1e-2
    off = _differences(sight, numbers, known)
    for _ in range(rounds):
        slopes = np.empty((len(off), len(STEP)))
        for k, step in enumerate(STEP):
            varied = numbers.copy()
            varied[k] += step / 3
            slopes[:, k] = (_differences(sight, varied, known) - off) * 3
        square, down = slopes.T @ slopes, -slopes.T @ off
        before = float(off @ off)
        for _ in range(TRIES):
            heavy = square + damped * np.diag(np.diag(square) + 1e-6)
            tried = numbers + STEP * np.linalg.solve(heavy, down)
            tried[1] = np.clip(tried[1], LEAST_RADIUS * sight.bore, MOST_RADIUS_M)
            after = _differences(sight, tried, known)
            if after @ after < before:
                numbers, off, damped = tried, after, max(damped / 5, 1e-4)
                break
            damped *= 5
        if before - float(off @ off) < ENOUGH * before:
            break
    return numbers
