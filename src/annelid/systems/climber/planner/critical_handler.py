"""Level 3, critical exception handler (003 §4.3.2): keeps the robot still when it is in danger.

It looks at everything, disables all below, and holds body and legs where they are; servos and
impellers stay on.  Nothing but the operator ends it.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from annelid.behaviour import BELOW, Behaviour, Log, Proposal
from annelid.systems.climber.executive.links import BODY, CRITICAL
from annelid.systems.climber.planner.situation import Situation

WALKING_MIN: Final = 4
"""Legs needed to walk (003 §5)."""
SLIP: Final = 0.012
"""How far feet may seem to have moved before that is believed to be so, m."""


class CriticalHandler(Behaviour[Situation]):
    name = CRITICAL
    level = 3
    disables = BELOW

    def __init__(self, log: Log) -> None:
        self._log = log
        self._told = ""

    def condition(self, now: Situation, /) -> bool:
        now.critical = now.critical or self._danger(now)
        if now.critical and now.critical != self._told:
            self._log("critical stop", {"why": now.critical})
        self._told = now.critical
        return bool(now.critical)

    def propose(self, now: Situation, /) -> Iterable[Proposal]:
        yield self.proposal(BODY, now.wish, reason=now.critical)

    def _danger(self, now: Situation) -> str:
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
