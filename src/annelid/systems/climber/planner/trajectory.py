"""Level 1, trajectory tracking (003 §4.1): the body's centre follows poses, nothing else.

Between two poses the way is straight and the turn even (SLERP).  It checks no safety; it only
sends nothing where the inverse kinematics has no answer.  It runs while leg safety enables it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from annelid.behaviour import Behaviour, Proposal
from annelid.systems.climber.executive.links import BODY, TRAJECTORY
from annelid.systems.climber.executive.pose import Pose, apart, between, rotation_of
from annelid.systems.climber.planner.situation import STILL, Situation, Twist

NEAR_M, NEAR_RAD = 1e-4, 1e-3
"""A pose counts as reached."""


@dataclass(frozen=True)
class Pace:
    """How fast the body goes, m/s and rad/s."""

    speed: float
    turn: float


class TrajectoryTracking(Behaviour[Situation]):
    name = TRAJECTORY
    level = 1
    on_demand = True

    def __init__(self, way: Sequence[Pose], pace: Pace, tick_s: float) -> None:
        self._way = list(way)
        self._pace = pace
        self._tick = tick_s
        self._start: Pose | None = None
        """Where the leg of the way began."""

    def add(self, poses: Sequence[Pose]) -> None:
        """More to follow, from the operator."""
        self._way += poses

    @property
    def left(self) -> int:
        return len(self._way)

    def propose(self, now: Situation, /) -> Iterable[Proposal]:
        while self._way and _reached(now.wish, self._way[0]):
            self._way.pop(0)
        now.arrived = not self._way
        if now.arrived:
            now.twist = STILL
            return ()
        aim = self._way[0]
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


def _reached(pose: Pose, aim: Pose) -> bool:
    distance, angle = apart(pose, aim)
    return distance < NEAR_M and angle < NEAR_RAD
