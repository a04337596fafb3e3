"""Level 2, leg safety (003 §4.2.1): moves legs before they run out of room.

A leg steps when that brings it at least a *stride* ahead, or when its urgency passes the *motion
limit* and it gains anything at all; of several the most urgent goes.  Urgency counts where
the body will be when a step that begins now ends: a knee runs out of room within millimetres.
Above the *danger limit* the body stands still until legs have been put down elsewhere.  A leg is
lifted only if the others then hold (the force model) and there is a place for it to go.  When one
must step and none can, it says so, and an upper level may take over.

While it is active it enables the trajectory; disabled, it takes the trajectory with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import Log, Proposal
from annelid.systems.climber.executive.links import SAFETY, TOKEN, TRAJECTORY, channel
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.lifting import strain_of_lifting, strain_of_standing
from annelid.systems.climber.planner.orders import StepRule, WalkingStyle
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import ClimberSituation
from annelid.systems.climber.planner.steps import STEP_S, LegStep, tucked_pose
from annelid.systems.climber.planner.strides import LEAST_MARGIN, clear_home, longest
from annelid.systems.climber.planner.urgency import urgency

Floats = NDArray[np.float64]

HOLDING: Final = 0.1
"""Share of a vacuum with which a broken leg still holds the body back."""
LOOK_S: Final = 0.1
"""How often it looks for a leg to move."""
AHEAD_S: Final = 1.5
"""How far ahead it looks for the body's own safety."""
STUCK_S: Final = 2.0
"""So long in danger with no leg to move is a blocking state."""

BOLD, BOLD_S = 0.8, 1.0
"""Strain, loads evened out, up to which a leg may be lifted all the same after so long in danger
with no other to move, s: a fifth stays in reserve, because the model is up to 19 % off (LAB)."""
REGRET: Final = 1.1
"""Strain of those that stand, over that with which a step was allowed, above which the step is
broken off: one that was allowed stays near 1, one more cup lost goes well beyond."""


class LegSafety(PlannerBehaviour):
    name = SAFETY
    level = 2
    token = TOKEN
    enables: tuple[str, ...] = (TRAJECTORY,)

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        return cls(planner.orders.rule, planner.tick_s, planner.log)

    def __init__(self, rule: StepRule, tick_s: float, log: Log) -> None:
        self._rule = rule
        self._tick = tick_s
        self._log = log
        self._look_at = 0.0
        self._stuck_since: float | None = None
        self._allowed = 1.0
        """Strain with which the leg that is on its way was lifted, or 1."""
        self._failures = 0
        """That it knew of when it last looked."""

    def condition(self, now: ClimberSituation, /) -> bool:
        return now.gait is WalkingStyle.FREE

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        if now.time_s >= self._look_at:
            self._look_at = now.time_s + LOOK_S
            self._consider(now)
        if now.step is None:
            return ()
        command = now.step.advance(now, self._tick)
        return (self.proposal(channel(now.step.leg), command, reason=now.step.phase),)

    def reset(self) -> None:
        self._stuck_since = None
        self._look_at = 0.0

    def _consider(self, now: ClimberSituation) -> None:
        """Say whether the body may go on, and choose a leg if none is on its way."""
        urgent = self._urgent(now, now.wish)
        broken = [k for k in now.failures if now.answering[k] and k not in now.tucked]
        loose = [int(k) for k in np.flatnonzero(now.usable & ~now.standing)]
        if now.step is not None:
            loose = [k for k in loose if k != now.step.leg]
        if len(now.failures) != self._failures:
            self._failures = len(now.failures)
            self._redirect(now)
        self._regret(now)
        danger = self._danger(now, urgent, broken, loose)
        if now.step is None:
            lifting = strain_of_lifting(now, moving=not danger)
            soon = self._urgent(now, now.twist.later(now.wish, STEP_S))
            urgent = np.maximum(urgent, soon)
            if not (self._tuck(now, broken, lifting) or self._put_back(now, loose)):
                self._stride(now, urgent, lifting, danger)
            self._watch(now, danger, urgent, lifting)
        self.enables = () if danger else (TRAJECTORY,)

    def _urgent(self, now: ClimberSituation, pose: BodyPose) -> Floats:
        """Of every leg with the body at ``pose``, its foot where it stands; 1 out of its reach."""
        return np.where(now.standing, urgency(now.climber, now.stance_joints(pose)), 0.0)

    def _danger(
        self, now: ClimberSituation, urgent: Floats, broken: list[int], loose: list[int]
    ) -> bool:
        """Whether the body must stand: a leg at its danger limit, a foot without hold, a broken
        leg that still holds, a foot on its way to where the body leaves it behind, or more load
        ahead than may be borne."""
        if loose or bool((urgent >= self._rule.danger_limit).any()):
            return True
        if any(now.vacuum[k] > HOLDING for k in broken):
            return True
        if now.arrived:
            return False
        if self._leaves_behind(now):
            return True
        return strain_of_standing(now, now.twist.later(now.wish, AHEAD_S)) > 1.0

    def _leaves_behind(self, now: ClimberSituation) -> bool:
        """Whether a body that goes on gets out of reach of where a foot is about to stand: its way
        may have turned since the place was chosen."""
        step = now.step
        if step is None or step.tuck is not None:
            return False
        legs = now.climber.legs.alone[step.leg]
        here, there = (
            float(legs.margin(legs.inverse(pose.into(step.place)[None]))[0])
            for pose in (now.wish, now.twist.later(now.wish, AHEAD_S))
        )
        return there < min(LEAST_MARGIN, here)

    def _watch(self, now: ClimberSituation, danger: bool, urgent: Floats, lifting: Floats) -> None:
        """In danger, and no leg to move: for a while that may be, for long it is a blocking."""
        if not danger or now.step is not None:
            self._stuck_since = None
            now.blocked = ""
        elif self._stuck_since is None:
            self._stuck_since = now.time_s
        elif now.time_s - self._stuck_since >= STUCK_S:
            now.blocked = self._why(now, urgent, lifting)

    def _tuck(self, now: ClimberSituation, broken: list[int], lifting: Floats) -> bool:
        """Fold a leg that failed, its cup up (Fig 8), before the body drags it along."""
        for k in broken:
            if not now.standing[k] or lifting[k] <= 1.0:
                fold = tucked_pose(now.climber)[k]
                self._begin(
                    now, LegStep(k, now.foot(k), lift=self._rule.lift, start=now.foot(k), tuck=fold)
                )
                self._log("tuck", {"leg": k + 1, "why": now.failures[k]})
                return True
        return False

    def _put_back(self, now: ClimberSituation, loose: list[int]) -> bool:
        """A foot that has lost its hold, or has found none, tries its place in the stance."""
        for k in loose:
            home = clear_home(now, k, now.wish, lift=self._rule.lift)
            if home is not None:
                self._begin(now, LegStep(k, home.place, lift=home.lift, start=now.foot(k)))
                self._log("put back", {"leg": k + 1})
                return True
        return False

    def _stride(self, now: ClimberSituation, urgent: Floats, lifting: Floats, danger: bool) -> bool:
        """The most urgent leg that can step; where none is urgent, the one that gains most.  While
        the body has to stand, any gain will do."""
        rule = self._rule
        waited = 0.0 if self._stuck_since is None else now.time_s - self._stuck_since
        light = lifting <= 1.0
        if danger and waited >= BOLD_S:
            light |= strain_of_lifting(now, moving=False, even=True) <= BOLD
        able = np.flatnonzero(now.standing & now.usable & light)
        limit = 0.0 if danger else rule.motion_limit
        least = np.where(urgent >= limit, min(rule.least, rule.stride), rule.stride)
        found = (
            longest(now, int(k), reach=rule.reach, lift=rule.lift, least=float(least[k]))
            for k in able
        )
        strides = [stride for stride in found if stride is not None]
        must = [s for s in strides if urgent[s.leg] >= limit and s.gain >= rule.least]
        should = [s for s in strides if s.gain >= rule.stride]
        if must:
            chosen = max(must, key=lambda stride: float(urgent[stride.leg]))
        elif should:
            chosen = max(should, key=lambda stride: stride.gain)
        else:
            return False
        k = chosen.leg
        self._begin(now, LegStep(k, chosen.place, lift=chosen.lift, start=now.foot(k)))
        self._allowed = max(1.0, float(lifting[k]))
        self._log("step", {"leg": k + 1, "gain_mm": round(1000 * chosen.gain, 1)})
        return True

    def _redirect(self, now: ClimberSituation) -> None:
        """A leg has failed, and may come to hang where another is about to be put down."""
        if now.step is None or now.step.tuck is not None:
            return
        k, rule = now.step.leg, self._rule
        stride = longest(now, k, reach=rule.reach, lift=rule.lift) or clear_home(
            now, k, now.wish, lift=rule.lift
        )
        now.step.redirect(now.anchors[k].copy() if stride is None else stride.place)

    def _regret(self, now: ClimberSituation) -> None:
        """With a leg on its way, another has let go: if the rest are not enough, put it down."""
        step = now.step
        if step is None or step.tuck is not None or not step.open:
            return
        strain = strain_of_standing(now, now.wish)
        if strain > REGRET * self._allowed:
            self._log("put down", {"leg": step.leg + 1, "strain": round(min(strain, 99.0), 2)})
            step.put_down(now)

    def _begin(self, now: ClimberSituation, step: LegStep) -> None:
        now.step = step
        self._allowed = 1.0
        now.standing[step.leg] = False

    def _why(self, now: ClimberSituation, urgent: Floats, lifting: Floats) -> str:
        worst = int(np.argmax(np.where(now.standing, urgent, -1.0)))
        why = (
            f"lifting it uses {lifting[worst]:.2f} of what cups and servos may bear"
            if lifting[worst] > 1.0
            else "it reaches no place ahead"
        )
        return (
            f"leg {worst + 1} must move (urgency {urgent[worst]:.2f}) and cannot: {why}; "
            "no other that may be lifted gains by a step"
        )
