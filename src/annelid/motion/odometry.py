"""The distance that a traveller module measures with its three wheels (001 §3.3.6).

At every pass of its loop (about 15 ms) the module reads the three encoders and adds the largest
of the three advances: a wheel that has lost the wall turns less than one that rolls.  Bumps make
the sum run ahead or fall behind in proportion to the way, differently for each movement, so the
paper proposes one linear filter per movement: here a factor, fitted through the origin.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from annelid.errors import InputError

MOST: Final = 0.05
"""That a wheel can roll in one pass, m: 3 m/s.  What jumps further is a broken encoder."""

LOOP_S: Final = 0.015
"""One pass of the traveller's loop, s (001 §3.3.6, "approx.")."""


def advance(
    distance: float,
    before: Sequence[float],
    now: Sequence[float],
    *,
    direction: Literal[1, -1] = 1,
) -> float:
    """The way after one pass, m, from the encoders' readings (m) at this pass and the last.

    ``direction`` is where the robot is driven: astern, the largest advance is the most negative.
    """
    ways = [direction * (new - old) for old, new in zip(before, now, strict=True)]
    return distance + direction * max((way for way in ways if abs(way) <= MOST), default=0.0)


def steady(before: Sequence[float], now: Sequence[float]) -> float:
    """The middle one of the wheels' advances in one pass, m.

    The largest runs ahead where the module sways: some wheel always goes forward.  The middle one
    does not, and a single wheel that has lost the wall does not change it.
    """
    ways = sorted(new - old for old, new in zip(before, now, strict=True))
    way = ways[len(ways) // 2]
    return way if abs(way) <= MOST else 0.0


def calibrate(measured: ArrayLike, true: ArrayLike) -> float:
    """The factor that takes measured distances to true ones with least squared error.

    A straight line through the origin, because nothing travelled is nothing measured:
    ``k = Σ m·d / Σ m²``.
    """
    m, d = np.asarray(measured, float).ravel(), np.asarray(true, float).ravel()
    if m.shape != d.shape:
        raise InputError(f"odometry: {m.size} measured distances, but {d.size} true ones")
    if not (np.isfinite(m).all() and np.isfinite(d).all() and np.any(m)):
        raise InputError("odometry: expected finite distances, not all of them 0")
    return float(m @ d / (m @ m))
