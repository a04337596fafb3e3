"""The robot centre follower (003 §4.4.1, eq 5): computes the body's pose from its attached feet.

Feet that hold do not move, so ``P + R·u_k = P_n + R_n·u_n_k`` for every attached foot k.  The paper
solves these 3K equations by gradient descent; so does :func:`follow`, from the pose before, which
is a few steps away.  :func:`fit` is the closed solution (Kabsch, by singular values), against which
the descent is checked.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.systems.climber.executive.pose import BodyPose, turned

Floats = NDArray[np.float64]

STEPS_MAX = 40
STEADY = 1e-9
"""m²: keeps the curvature regular where feet stand in a row."""
ENOUGH = 1e-7
"""Turn of a step, rad, below which the descent has arrived (0.02 µm at a foot)."""


def follow(before: BodyPose, feet: Floats, anchors: Floats) -> BodyPose:
    """The pose that brings the attached ``feet`` (in the body) to their ``anchors`` (world).

    The place follows from the turn (the centres must meet), so the descent is over the turn alone;
    its steps are scaled by the curvature, which makes it a matter of two or three.
    """
    if len(feet) < 3:
        raise InputError(f"centre follower: expected at least 3 attached feet, got {len(feet)}")
    middle, there = feet.mean(axis=0), anchors.mean(axis=0)
    u, a = feet - middle, anchors - there
    turn = before.turn
    for _ in range(STEPS_MAX):
        seen = u @ turn.T
        # Gradient of ½Σ|a - exp(w)·seen|² at w = 0, and its curvature.
        products = seen.T @ a
        downhill = np.array(
            [
                products[1, 2] - products[2, 1],
                products[2, 0] - products[0, 2],
                products[0, 1] - products[1, 0],
            ]
        )
        curvature = (np.trace(products) + STEADY) * np.eye(3) - (products + products.T) / 2
        step = np.linalg.solve(curvature, downhill)
        turn = turned(step) @ turn
        if float(step @ step) < ENOUGH**2:
            break
    return BodyPose(there - turn @ middle, turn)


def fit(feet: Floats, anchors: Floats) -> BodyPose:
    """The least squares solution at once."""
    middle, there = feet.mean(axis=0), anchors.mean(axis=0)
    left, _, right = np.linalg.svd((feet - middle).T @ (anchors - there))
    sign = np.sign(np.linalg.det(right.T @ left.T))
    turn = right.T @ np.diag([1.0, 1.0, sign]) @ left.T
    return BodyPose(there - turn @ middle, turn)
