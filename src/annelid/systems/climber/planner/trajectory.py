"""Level 1, trajectory tracking (003 §4.1): the body's centre follows poses, nothing else.

Between two poses the way is straight and the turn even (SLERP).  It checks no safety; it only
sends nothing where the inverse kinematics has no answer.  It runs while leg safety enables it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

import numpy as np

from annelid.behaviour import Proposal
from annelid.systems.climber.executive.links import BODY, TRAJECTORY
from annelid.systems.climber.executive.pose import BodyPose, apart, between, rotation_of
from annelid.systems.climber.planner.orders import BodySpeed
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import STILL, ClimberSituation, Twist

NEAR_M, NEAR_RAD = 1e-4, 1e-3
"""A pose counts as reached."""
NEXT_M = 0.02
"""On a surface that bends the body is level and at its height again after so long a way, m."""


class TrajectoryTracking(PlannerBehaviour):
    name = TRAJECTORY
    level = 1
    on_demand = True

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        return cls(planner.way, planner.orders.pace, planner.tick_s)

    def __init__(self, way: list[BodyPose], pace: BodySpeed, tick_s: float) -> None:
        self._way = way
        self._pace = pace
        self._tick = tick_s

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        while self._way and reached(now.wish, self._way[0]):
            self._way.pop(0)
        now.arrived = not self._way
        if now.arrived:
            now.twist = STILL
            return ()
        aim = self._way[0] if not now.ground.curved else _near(now.wish, self._way[0])
        distance, angle = apart(now.wish, aim)
        takes = max(distance / self._pace.speed, angle / self._pace.turn)
        now.twist = Twist(
            (aim.at - now.wish.at) / takes,
            now.wish.turn @ rotation_of(now.wish.turn.T @ aim.turn) / takes,
        )
        pose = between(now.wish, aim, min(1.0, self._tick / takes))
        q = now.stance_joints(pose)
        if np.isnan(q[now.standing]).any():
            return ()
        return (self.proposal(BODY, pose),)


def reached(pose: BodyPose, aim: BodyPose) -> bool:
    distance, angle = apart(pose, aim)
    return distance < NEAR_M and angle < NEAR_RAD


def _near(pose: BodyPose, aim: BodyPose) -> BodyPose:
    """A place on the way that is so near that the body gets level with a bent surface meanwhile."""
    distance, _ = apart(pose, aim)
    if distance <= NEXT_M:
        return aim
    mean = between(pose, aim, NEXT_M / distance)
    yaw = float(np.arctan2(mean.turn[1, 0], mean.turn[0, 0]))
    return BodyPose.of((mean.at[0], mean.at[1], aim.at[2]), (0.0, 0.0, yaw))
