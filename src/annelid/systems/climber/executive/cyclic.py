"""Cyclic movement (003 §4.4.6): a default walk, used to check the other functions.

The whole body goes forward by a stride, then the legs follow one at a time, from the back to the
front.  It needs no sensing and knows no limits; the planner's levels do that better, and the study
of leg positions (§3.1) counts how far it gets.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class FootTargets:
    """Where feet are to be, in the body; ``lifted`` is the leg on its way, None while the body
    moves."""

    feet: Floats
    lifted: int | None


def order(stance: Floats, ahead: Floats) -> list[int]:
    """Legs from the back to the front."""
    return [int(k) for k in np.argsort(stance @ ahead, kind="stable")]


def cycle(stance: Floats, stride: float, *, ahead: Floats | None = None) -> Iterator[FootTargets]:
    """One cycle from ``stance`` (n, 3) back to it; the body gets on by ``stride`` along ``ahead``
    (x by default)."""
    forward = np.array([1.0, 0.0, 0.0]) if ahead is None else ahead
    feet = stance - stride * forward
    yield FootTargets(feet.copy(), None)
    for leg in order(stance, forward):
        feet[leg] = stance[leg]
        yield FootTargets(feet.copy(), leg)
