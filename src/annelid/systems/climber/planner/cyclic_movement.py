"""Level 2, cyclic movement (003 §4.4.6), which an operator or another behaviour can ask for.

The whole body goes on by a stride, then the legs follow one at a time, from the back to the front,
each to its place in the stance.  It walks the same way as leg safety and trajectory tracking do
together, in a fixed pattern, and neither of them is active meanwhile: ``now.gait`` says which.  The
levels above stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

import numpy as np

from annelid.behaviour import Log, Proposal
from annelid.systems.climber.executive.cyclic import order
from annelid.systems.climber.executive.links import BODY, CYCLIC, TOKEN, channel
from annelid.systems.climber.executive.pose import BodyPose, apart, between
from annelid.systems.climber.planner.lifting import strain_of_lifting, strain_of_standing
from annelid.systems.climber.planner.orders import BodySpeed, StepRule, WalkingStyle
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import STILL, ClimberSituation
from annelid.systems.climber.planner.steps import LegStep
from annelid.systems.climber.planner.strides import LEAST_MARGIN, clear_home
from annelid.systems.climber.planner.trajectory import reached

SHORTER: Final = 0.8
SHORTEST: Final = 0.005
"""A stride that does not work is tried so much shorter, down to this, m."""


class CyclicMovement(PlannerBehaviour):
    name = CYCLIC
    level = 2
    token = TOKEN

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        orders = planner.orders
        return cls(planner.way, orders.pace, orders.rule, planner.tick_s, planner.log)

    def __init__(
        self, way: list[BodyPose], pace: BodySpeed, rule: StepRule, tick_s: float, log: Log
    ) -> None:
        self._way = way
        self._pace = pace
        self._rule = rule
        self._tick = tick_s
        self._log = log
        self._goal: BodyPose | None = None
        """Where the body goes with this stride; None: it has got there."""
        self._follow: list[int] = []
        """Legs that are to follow."""

    def condition(self, now: ClimberSituation, /) -> bool:
        return now.gait is WalkingStyle.CYCLIC

    def reset(self) -> None:
        self._goal = None
        self._follow = []

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        now.twist = STILL
        if now.step is None and self._goal is None:
            if self._follow:
                self._next_leg(now)
            else:
                self._next_stride(now)
        if now.step is not None:
            command = now.step.advance(now, self._tick)
            return (self.proposal(channel(now.step.leg), command, reason=now.step.phase),)
        if self._goal is None:
            return ()
        distance, angle = apart(now.wish, self._goal)
        takes = max(distance / self._pace.speed, angle / self._pace.turn, 1e-9)
        pose = between(now.wish, self._goal, min(1.0, self._tick / takes))
        if takes <= self._tick:
            self._goal = None
        return (self.proposal(BODY, pose),)

    def _next_stride(self, now: ClimberSituation) -> None:
        """As far as the rule has it, or as all feet that stand allow."""
        loose = now.usable & ~now.standing
        if loose.any():
            self._follow = [int(k) for k in np.flatnonzero(loose)]
            return
        while self._way and reached(now.wish, self._way[0]):
            self._way.pop(0)
        now.arrived = not self._way
        if now.arrived:
            return
        aim = self._way[0]
        distance, angle = apart(now.wish, aim)
        swept = max(distance, angle * float(np.linalg.norm(now.climber.stance, axis=1).max()))
        stride = min(self._rule.stride, swept)
        while stride >= SHORTEST:
            goal = between(now.wish, aim, stride / swept)
            q = now.stance_joints(goal)
            margin = now.climber.legs.margin(q)[now.standing].min()
            if margin >= LEAST_MARGIN and strain_of_standing(now, goal) <= 1.0:
                break
            stride *= SHORTER
        else:
            if swept >= SHORTEST:
                now.critical = "cyclic movement: the body cannot go on with its feet where they are"
                return
            goal = aim
        ahead = now.wish.turn.T @ (goal.at - now.wish.at)
        self._goal = goal
        self._follow = [k for k in order(now.climber.stance, ahead) if now.usable[k]]
        self._log("stride", {"mm": round(1000 * stride, 1)})

    def _next_leg(self, now: ClimberSituation) -> None:
        """The one that is farthest back, if the others hold; else the next that can."""
        strain = strain_of_lifting(now, moving=False)
        self._follow = [k for k in self._follow if now.usable[k]]
        for leg in self._follow:
            home = clear_home(now, leg, now.wish, lift=self._rule.lift)
            if home is not None and strain[leg] <= 1.0:
                self._follow.remove(leg)
                now.step = LegStep(leg, home.place, lift=home.lift, start=now.foot(leg))
                now.standing[leg] = False
                self._log("step", {"leg": leg + 1, "gain_mm": round(1000 * home.gain, 1)})
                return
        if self._follow:
            least = float(min(strain[k] for k in self._follow))
            now.critical = (
                f"cyclic movement: no leg can follow, lifting uses {least:.2f} of what may be borne"
            )
