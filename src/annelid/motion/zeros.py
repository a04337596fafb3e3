"""The zeros of an accelerometer, from readings at rest in several poses.

Each axis of a real sensor reads a little beside zero where there is nothing to read: 20 mg are
usual, and make two degrees of pitch and roll.  At rest a reading is as long as gravity, whichever
way the module lies.  So the readings of a module that is laid down in several poses are points of a
sphere, and what the zeros are off by is where its middle is.  Nobody has to know how it lay.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from annelid.errors import InputError
from annelid.spec import Vec3

LEAST: Final = 4
"""Poses: a sphere of known size through three points may lie on either side of them."""
SPREAD: Final = 0.2
"""How far directions must lie apart: their smallest root mean square along any axis.  0 is a plane;
six poses along the axes have 0.58, which is the most."""
OFF: Final = 0.03
"""What a reading may differ from gravity when the zeros are taken off, as a share: a module that
moves, or a broken axis, is further off."""
ROUNDS: Final = 50
"""Newton's steps at most; five are usual."""


def accelerometer_zeros(poses: ArrayLike, *, g: float = 9.81) -> Vec3:
    """What each axis reads beside its zero, to be taken off its readings, in the unit of ``g``.

    ``poses``: a row x y z for each pose at rest, each the mean of some readings.  Good are the four
    sides on a level table, nose up and nose down.  The least squares of ``|reading - zeros| - g``.
    """
    readings = np.asarray(poses, float)
    if readings.ndim != 2 or readings.shape[1] != 3 or len(readings) < LEAST:
        raise InputError(
            f"accelerometer zeros: expected at least {LEAST} poses, a row x y z each, got an array "
            f"of shape {readings.shape}"
        )
    if not np.isfinite(readings).all():
        raise InputError("accelerometer zeros: expected finite readings, got nan or infinity")
    zeros = np.zeros(3)
    for _ in range(ROUNDS):
        lengths, directions = _apart(readings - zeros)
        _require_spread(directions)
        step, *_ = np.linalg.lstsq(directions, lengths - g)
        zeros += step
        if np.abs(step).max() < 1e-9 * g:
            break
    lengths, _ = _apart(readings - zeros)
    worst = int(np.abs(lengths - g).argmax())
    if abs(lengths[worst] - g) > OFF * g:
        raise InputError(
            f"accelerometer zeros: expected readings at rest, as long as gravity ({g:g}); with any "
            f"zeros pose {worst + 1} of {len(readings)} is {lengths[worst]:.3g} long"
        )
    x, y, z = zeros.tolist()
    return x, y, z


def _apart(readings: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Lengths and directions."""
    lengths = np.linalg.norm(readings, axis=1)
    return lengths, readings / np.maximum(lengths, 1e-12)[:, None]


def _require_spread(directions: NDArray[np.float64]) -> None:
    spread = float(np.linalg.svd(directions, compute_uv=False)[-1]) / len(directions) ** 0.5
    if spread < SPREAD:
        raise InputError(
            "accelerometer zeros: expected poses on all sides, got poses whose directions lie "
            f"nearly in one plane (spread {spread:.2f}, at least {SPREAD:g}); add poses with the "
            "nose up and down, or on other sides"
        )
