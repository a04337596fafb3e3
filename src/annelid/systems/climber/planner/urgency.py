"""How urgently a leg should be moved (003 §4.2.1): 0 not at all, 1 at its limit.

By how near its joints are to their limits (0.6 rad: not urgent, 0: critical) and how near its foot
is to the centre of mass (20 cm: not urgent, 5 cm: critical); the worse of the two counts.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.model import Climber

Floats = NDArray[np.float64]

CALM_MARGIN: Final = 0.6
"""rad"""
CALM_DISTANCE, CRITICAL_DISTANCE = 0.20, 0.05
"""m"""


def urgency(climber: Climber, q: Floats) -> Floats:
    """Of every leg in these joints, (..., n)."""
    margin = climber.legs.margin(q)
    joints = (CALM_MARGIN - margin) / CALM_MARGIN
    with np.errstate(invalid="ignore"):
        feet = climber.legs.forward(q)
        centre = climber.masses.centre(np.nan_to_num(q))
        away = np.linalg.norm((feet - centre[..., None, :])[..., :2], axis=-1)
    near = (CALM_DISTANCE - away) / (CALM_DISTANCE - CRITICAL_DISTANCE)
    worst = np.maximum(joints, np.nan_to_num(near, nan=1.0))
    clipped: Floats = np.clip(worst, 0.0, 1.0)
    return clipped
