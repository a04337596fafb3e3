"""Decides whether a leg may be lifted (003 §4.2.1), and whether a pose of the body is safe.

The force model is asked for the moment of lifting and for the pose in which the step will end,
because the body goes on meanwhile.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.situation import ClimberSituation
from annelid.systems.climber.planner.steps import STEP_S

Floats = NDArray[np.float64]


def strain_of_lifting(now: ClimberSituation, *, moving: bool, even: bool = False) -> Floats:
    """The largest share of what may be used while each leg is in the air, (n,); above 1 it must
    stay down.  Legs that do not stand cost nothing to lift.  ``moving``: the body goes on.
    ``even``: loads are evened out, as servos are told to do; else that is kept in reserve."""
    climber = now.climber
    grips = now.grips
    cases = climber.forces.without(grips)
    worst = np.zeros(climber.count)
    for pose in (now.wish, now.twist.later(now.wish, STEP_S)) if moving else (now.wish,):
        q = now.stance_joints(pose)
        if np.isnan(q).any():
            q = now.stance_joints(now.wish)
        if np.isnan(q).any():
            return np.full(climber.count, np.inf)
        gravity, normal = now.gravity_at(pose), now.normal_at(pose)
        loads = climber.forces.loads(q, gravity, cases, normal=normal, even=even)
        worst = np.maximum(worst, loads.strain(climber.forces.grip))
    if int(now.standing.sum()) <= 3:
        worst = np.where(now.standing, np.inf, worst)
    return worst


def strain_of_standing(now: ClimberSituation, pose: BodyPose) -> float:
    """With all feet down as they are, the body at ``pose``; infinite where it cannot be."""
    q = now.stance_joints(pose)
    if np.isnan(q).any():
        return float("inf")
    climber = now.climber
    loads = climber.forces.loads(q, now.gravity_at(pose), now.grips, normal=now.normal_at(pose))
    return float(loads.strain(climber.forces.grip))
