"""Estimates where a leg may be that does not answer any more.

Its servos may hold what they were told last, or hang limp; nobody says.  A limp leg swings downhill
about its coxa, slowly (3 s on a wall), and on level ground its foot stays behind while the body
goes on.  So the others keep clear of all that it may sweep: from where it was last heard of to its
coxa's limit on that side.  Without that a robot fell off a wall: the dead leg came to lie where its
neighbour was just being put down, and levered it off.
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


def may_be(now: ClimberSituation, q: Floats) -> list[Floats]:
    """Joints of all legs as in ``q``, for every place where silent legs may be."""
    silent = np.flatnonzero(~now.answering & ~now.standing)
    if not len(silent):
        return [q]
    legs = now.climber.legs
    known = now.q[silent, 0]
    limit = np.where(_down(now)[silent] > 0.0, legs.high[silent, 0], legs.low[silent, 0])
    cases = []
    for share in SHARES:
        case = q.copy()
        case[silent] = now.q[silent]
        case[silent, 0] = known + share * (limit - known)
        cases.append(case)
    return cases


def _down(now: ClimberSituation) -> Floats:
    """To which side every coxa turns if its servo lets go: positive or negative, (n,)."""
    aside = np.array([*now.gravity[:2], 0.0])
    if float(np.linalg.norm(aside)) < LEVEL:
        aside = -(now.wish.turn.T @ now.twist.speed)
    turns: Floats = now.climber.legs.jacobian(now.q)[..., 0] @ aside
    return turns
