"""Level 3, critical exception handler (003 §4.3.2): keeps the robot still when it is in danger.

It looks at everything, disables all below, and holds body and legs where they are; servos and
impellers stay on.  Only a foot that is in the air is put down, because one more cup is what such a
robot needs most.  Nothing but the operator ends it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

import numpy as np

from annelid.behaviour import BELOW, Log, Proposal
from annelid.systems.climber.executive.links import BODY, CRITICAL, channel
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import ClimberSituation

WALKING_MIN: Final = 4
"""Legs needed to walk (003 §5)."""
SLIP: Final = 0.012
"""How far feet may seem to have moved before that is believed to be so, m."""


class CriticalHandler(PlannerBehaviour):
    name = CRITICAL
    level = 3
    disables = BELOW

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        return cls(planner.tick_s, planner.log)

    def __init__(self, tick_s: float, log: Log) -> None:
        self._tick = tick_s
        self._log = log
        self._told = ""

    def condition(self, now: ClimberSituation, /) -> bool:
        # The danger that is there now says more than what once stopped it.
        now.critical = self._danger(now) or now.critical
        if now.critical and now.critical != self._told:
            self._log("critical stop", {"why": now.critical})
        self._told = now.critical
        return bool(now.critical)

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        yield self.proposal(BODY, now.wish, reason=now.critical)
        if now.step is not None and now.step.tuck is None and now.usable[now.step.leg]:
            now.step.put_down(now)
            command = now.step.advance(now, self._tick)
            yield self.proposal(channel(now.step.leg), command, reason="put down")

    def _danger(self, now: ClimberSituation) -> str:
        usable = int(now.usable.sum())
        if usable < WALKING_MIN:
            why = "; ".join(f"leg {k + 1} {reason}" for k, reason in now.failures.items())
            return f"{usable} legs left: they can stand, not walk" + (f" ({why})" if why else "")
        if int(now.standing.sum()) < 3:
            return f"{int(now.standing.sum())} feet attached: expected at least 3"
        seen = now.pose.out(now.feet[now.standing])
        moved = float(np.linalg.norm(seen - now.anchors[now.standing], axis=1).max())
        if moved > SLIP:
            return f"a foot has slipped by {1000 * moved:.0f} mm"
        return ""
