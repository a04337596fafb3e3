"""Level 3, blocking recovery (003 §4.3.1): an external observer of leg safety.

When leg safety says that no leg can step, it is disabled (and with it the trajectory), all legs are
brought back to the default stance by leg allocation, and then it is enabled again.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from annelid.behaviour import Behaviour, Log, Proposal
from annelid.systems.climber.executive.links import ALLOCATION, RECOVERY, SAFETY
from annelid.systems.climber.planner.situation import Situation

TRIES: Final = 3
"""Recoveries at one place before it is left to the operator."""
PLACE: Final = 0.01
"""What counts as one place, m."""


class BlockingRecovery(Behaviour[Situation]):
    name = RECOVERY
    level = 3
    disables = (SAFETY,)
    enables = (ALLOCATION,)

    def __init__(self, log: Log) -> None:
        self._log = log
        self._running = False
        self._places: list[np.ndarray] = []

    def condition(self, now: Situation, /) -> bool:
        if now.critical:
            return False
        if self._running:
            self._running = now.allocation is not None or now.step is not None
            if not self._running:
                now.blocked = ""
                self._log("recovered", {})
        elif now.blocked and now.step is None:
            self._begin(now)
        return self._running

    def propose(self, now: Situation, /) -> Iterable[Proposal]:
        return ()

    def reset(self) -> None:
        self._running = False

    def _begin(self, now: Situation) -> None:
        at = now.wish.at
        again = sum(float(np.linalg.norm(at - before)) < PLACE for before in self._places)
        if again >= TRIES:
            now.critical = f"blocked {again + 1} times at one place: {now.blocked}"
            return
        self._places.append(at.copy())
        self._running = True
        now.allocation = {int(k) for k in np.flatnonzero(now.standing & now.usable)}
        self._log("blocked", {"why": now.blocked})
