"""Where a climber walks, where it only stands, and where it refuses, by the force model alone.

A leg can be lifted somewhere if the others then hold with the body above some place near its
stance; blocking recovery brings the body there.  A robot *walks* where that is so for every leg,
with a little left for what robots of one design differ by; it *stands* where all cups together
hold; else it *refuses* to be put there at all.
"""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.forces import UP, ForceModel
from annelid.systems.climber.model import Climber

Floats = NDArray[np.float64]

OFFSETS: Final = np.array([-0.06, -0.045, -0.03, -0.015, 0.0, 0.015, 0.03, 0.045, 0.06])
"""Where the body might go, ahead and aside of above its stance, m."""
MARGIN: Final = 0.08
"""That standing legs keep to their limits meanwhile, rad."""
DIFFER: Final = 0.10
"""Share of what may be used that is kept for how robots of one design differ."""
STRONGEST_N: Final = 500.0
"""Beyond this no cup is looked for."""


class Footing(StrEnum):
    WALKS = "walks"
    BARELY = "barely"
    """By the model, but not every robot of this design."""
    STANDS = "stands"
    REFUSES = "refuses"


def gravity_on(slope_deg: float, heading_deg: float) -> Floats:
    """In a body level with a plane, headed so from straight up it to the left, m/s²."""
    slope, heading = np.radians(slope_deg), np.radians(heading_deg)
    return 9.81 * np.array(
        [-np.sin(slope) * np.cos(heading), np.sin(slope) * np.sin(heading), -np.cos(slope)]
    )


def strain_of_steps(climber: Climber, gravity: Floats) -> Floats:
    """For each leg, the smallest share of what may be used while it is in the air, over the places
    where the body may be, (n,)."""
    ahead, aside = np.meshgrid(OFFSETS, OFFSETS)
    places = np.stack([ahead.ravel(), aside.ravel(), np.zeros(ahead.size)], axis=1)
    q = climber.legs.inverse(climber.stance - places[:, None])
    q = q[climber.legs.margin(q).min(axis=1) >= MARGIN]
    if not len(q):
        return np.full(climber.count, np.inf)
    lifted = climber.forces.without(np.ones(climber.count))
    cases = np.broadcast_to(q[:, None], (len(q), climber.count, *q.shape[1:]))
    loads = climber.forces.loads(cases, gravity, np.broadcast_to(lifted, (len(q), *lifted.shape)))
    least: Floats = loads.strain(climber.forces.grip).min(axis=0)
    return least


def use_of_standing(climber: Climber, gravity: Floats) -> tuple[float, int]:
    """(largest share of a cup's limit with all feet down, of which leg)."""
    q = climber.legs.inverse(climber.stance)
    loads = climber.forces.loads(q, gravity, np.ones(climber.count), normal=UP)
    use = np.maximum(loads.pull_use, loads.shear_use)
    leg = int(np.argmax(use))
    return float(use[leg]), leg


def footing(climber: Climber, slope_deg: float, heading_deg: float) -> Footing:
    gravity = gravity_on(slope_deg, heading_deg)
    if use_of_standing(climber, gravity)[0] > 1.0:
        return Footing.REFUSES
    strain = float(strain_of_steps(climber, gravity).max())
    if strain > 1.0:
        return Footing.STANDS
    return Footing.WALKS if strain <= 1.0 - DIFFER else Footing.BARELY


def with_cups(climber: Climber, suction_n: float) -> Climber:
    """The same robot with other cups."""
    forces = climber.forces
    grip = replace(forces.grip, suction=suction_n)
    return replace(climber, forces=ForceModel(forces.legs, forces.masses, forces.stiffness, grip))


def suction_needed(climber: Climber, slope_deg: float, heading_deg: float) -> float | None:
    """The weakest cups that walk there, to 0.5 N; None: no cups do, the servos are too weak or the
    legs too few."""
    low, high = 0.0, STRONGEST_N

    def walks(suction: float) -> bool:
        return footing(with_cups(climber, suction), slope_deg, heading_deg) is Footing.WALKS

    if not walks(high):
        return None
    while high - low > 0.5:
        middle = (low + high) / 2
        low, high = (low, middle) if walks(middle) else (middle, high)
    return high
