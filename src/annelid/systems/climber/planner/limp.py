"""Estimates where a leg may be that does not answer any more.

Its servos may hold what they were told last, or hang limp; nobody says.  A limp leg swings downhill
about its coxa, slowly (3 s on a wall).  So the others keep clear of all that it may sweep: from
where it was last heard of to its coxa's limit on that side.  Without that a robot fell off a wall:
the dead leg came to lie where its neighbour was just being put down, and levered it off.

On level ground nothing swings it: its foot lies where it was, or is dragged some of the way
along.  So it is somewhere from where it was last heard of to where it points at the place where
its foot was then.  A body that comes too near to that place pushes it, and it turns away, but
slowly: over so long a way as itself its angle grows by a factor of e.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.planner.situation import ClimberSituation

Floats = NDArray[np.float64]

SHARES: Final = np.linspace(0.0, 1.0, 5)
"""Of the way to the limit: neighbouring ones are less than a cup apart."""
LEVEL: Final = 0.5
"""Gravity along the surface below which it does not move a limp leg, m/s²."""
BEYOND: Final = 0.1
"""A dragged foot may be so much farther round than reckoned, rad."""
PUSHED: Final = 0.12
"""From the coxa's axis to the place of a foot, m, below which the leg is pushed, not dragged."""
AWAY: Final = 0.8
"""To which a pushed leg may have turned, to either side, rad."""


def may_be(now: ClimberSituation, q: Floats) -> list[Floats]:
    """Joints of all legs as in ``q``, for every place where silent legs may be."""
    silent = np.flatnonzero(~now.answering & ~now.standing)
    if not len(silent):
        return [q]
    ends = _swings(now, silent) if _steep(now) else _dragged(now, silent)
    cases = []
    for share in SHARES:
        case = q.copy()
        case[silent] = now.q[silent]
        case[silent, 0] = ends[0] + share * (ends[1] - ends[0])
        cases.append(case)
    return cases


def _steep(now: ClimberSituation) -> bool:
    return float(np.linalg.norm(now.gravity[:2])) >= LEVEL


def _swings(now: ClimberSituation, silent: NDArray[np.intp]) -> Floats:
    """Between which coxa angles, (2, silent): to the limit to which gravity turns it."""
    legs = now.climber.legs
    down = legs.jacobian(now.q)[..., 0] @ np.array([*now.gravity[:2], 0.0])
    limit = np.where(down[silent] > 0.0, legs.high[silent, 0], legs.low[silent, 0])
    return np.stack([now.q[silent, 0], limit])


def _dragged(now: ClimberSituation, silent: NDArray[np.intp]) -> Floats:
    """Between which coxa angles, (2, silent): by where its foot was when it was last heard of."""
    legs = now.climber.legs
    known, low, high = now.q[silent, 0], legs.low[silent, 0], legs.high[silent, 0]
    here = (now.feet - legs.mounts)[silent]
    left = np.array([now.wish.into(now.lost[k]) for k in silent]) - legs.mounts[silent]
    # A coxa turns clockwise.
    turn = np.arctan2(here[:, 1], here[:, 0]) - np.arctan2(left[:, 1], left[:, 0])
    turn = (turn + np.pi) % (2 * np.pi) - np.pi
    pushed = np.linalg.norm(left[:, :2], axis=1) < PUSHED
    first = known - np.where(pushed, AWAY, BEYOND - np.minimum(turn, 0.0))
    last = known + np.where(pushed, AWAY, BEYOND + np.maximum(turn, 0.0))
    return np.stack([np.maximum(first, low), np.minimum(last, high)])
