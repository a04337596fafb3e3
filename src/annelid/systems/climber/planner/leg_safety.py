"""Level 2, leg safety (003 §4.2.1): moves legs before they run out of room.

A leg steps when that brings it at least a *stride* ahead, or when its urgency passes the *motion
limit* and it gains anything at all; of several the most urgent goes.  Above the *danger limit* the
body stands still until that leg has been put down elsewhere.  A leg is lifted only if the others
then hold (the force model) and there is a place for it to go.  When one must step and none can, it
says so, and an upper level may take over.

While it is active it enables the trajectory; disabled, it takes the trajectory with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.behaviour import Behaviour, Log, Proposal
from annelid.systems.climber.executive.links import SAFETY, TOKEN, TRAJECTORY, channel
from annelid.systems.climber.planner.lifting import strain_of_lifting, strain_of_standing
from annelid.systems.climber.planner.situation import Situation
from annelid.systems.climber.planner.steps import Step
from annelid.systems.climber.planner.strides import Stride, longest
from annelid.systems.climber.planner.urgency import urgency

LOOK_S: Final = 0.1
"""How often it looks for a leg to move."""
AHEAD_S: Final = 1.5
"""How far ahead it looks for the body's own safety."""
STUCK_S: Final = 2.0
"""So long in danger with no leg to move is a blocking state."""


@dataclass(frozen=True)
class StepRule:
    """The tolerances of §4.2.1 and §5."""

    stride: float
    """A leg steps when it can get at least so far ahead, m."""
    least: float
    """What an urgent step must bring, m."""
    reach: float
    """How far ahead of its stance a foot may be put, m."""
    lift: float
    motion_limit: float
    danger_limit: float


class LegSafety(Behaviour[Situation]):
    name = SAFETY
    level = 2
    token = TOKEN
    enables: tuple[str, ...] = (TRAJECTORY,)

    def __init__(self, rule: StepRule, tick_s: float, log: Log) -> None:
        self._rule = rule
        self._tick = tick_s
        self._log = log
        self._look_at = 0.0
        self._stuck_since: float | None = None
        self.turns: list[tuple[float, int]] = []
        """(time, leg) of every reallocation: the walking pattern of Fig 7."""

    def propose(self, now: Situation, /) -> Iterable[Proposal]:
        if now.step is None and now.time_s >= self._look_at:
            self._look_at = now.time_s + LOOK_S
            self._consider(now)
        if now.step is None:
            return ()
        command = now.step.advance(now, self._tick)
        return (self.proposal(channel(now.step.leg), command, reason=now.step.phase),)

    def reset(self) -> None:
        self._stuck_since = None
        self._look_at = 0.0

    def _consider(self, now: Situation) -> None:
        """Choose a leg, and say whether the body may go on."""
        urgent = np.where(now.standing, urgency(now.climber, now.stance_joints(now.wish)), 0.0)
        tucking = [k for k in now.failures if now.vacuum[k] > 0.1]
        danger = bool((urgent >= self._rule.danger_limit).any()) or bool(tucking)
        if not danger and not now.arrived:
            ahead = now.twist.later(now.wish, AHEAD_S)
            danger = strain_of_standing(now, ahead) > 1.0
        lifting = strain_of_lifting(now)
        chosen = self._choose(now, urgent, lifting)
        if chosen is not None:
            self._begin(now, chosen)
        self.enables = () if danger else (TRAJECTORY,)
        stuck = danger and chosen is None
        if not stuck:
            self._stuck_since = None
            now.blocked = ""
        elif self._stuck_since is None:
            self._stuck_since = now.time_s
        elif now.time_s - self._stuck_since >= STUCK_S:
            now.blocked = self._why(now, urgent, lifting)

    def _choose(self, now: Situation, urgent: np.ndarray, lifting: np.ndarray) -> Stride | None:
        rule = self._rule
        for leg in np.argsort(-urgent, kind="stable"):
            k = int(leg)
            if not now.standing[k] or not now.usable[k] or lifting[k] > 1.0:
                continue
            stride = longest(now, k, reach=rule.reach, lift=rule.lift)
            if stride is None:
                continue
            needed = rule.least if urgent[k] >= rule.motion_limit else rule.stride
            if stride.gain >= needed:
                return stride
        return None

    def _begin(self, now: Situation, stride: Stride) -> None:
        now.step = Step(stride.leg, stride.place, lift=stride.lift, start=now.anchors[stride.leg])
        now.standing[stride.leg] = False
        self.turns.append((now.time_s, stride.leg))
        self._log(
            "step",
            {"leg": stride.leg + 1, "gain_mm": round(1000 * stride.gain, 1)},
        )

    def _why(self, now: Situation, urgent: np.ndarray, lifting: np.ndarray) -> str:
        worst = int(np.argmax(urgent))
        return (
            f"leg {worst + 1} must move (urgency {urgent[worst]:.2f}) and none can: lifting uses "
            f"{np.min(lifting[now.standing]):.2f} of what cups and servos may bear at best"
        )
