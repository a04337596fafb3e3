"""Legs of any size at any place."""

from __future__ import annotations

import numpy as np

from annelid.systems.climber.executive.kinematics import Legs


def random_legs(rng: np.random.Generator, count: int, links: int) -> Legs:
    return Legs(
        mounts=rng.uniform(-0.2, 0.2, (count, 3)),
        yaws=rng.uniform(-np.pi, np.pi, count),
        coxae=rng.uniform((-0.02, 0.0, -0.04), (0.02, 0.08, 0.04), (count, 3)),
        links=rng.uniform(0.04, 0.2, (count, links)),
        low=np.full((count, 1 + links), -np.pi),
        high=np.full((count, 1 + links), np.pi),
    )
