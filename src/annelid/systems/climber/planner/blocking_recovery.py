"""Level 3, blocking recovery (003 §4.3.1): an external observer of leg safety.

When leg safety says that no leg can step, it is disabled (and with it the trajectory), all legs are
brought back to the default stance by leg allocation, and then it is enabled again.  Before that,
the body goes back over the middle of its feet, beyond the paper: a leg that cannot be lifted where
the body has got to can often be lifted from there.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import Behaviour, Log, Proposal
from annelid.systems.climber.executive.links import ALLOCATION, BODY, RECOVERY, SAFETY
from annelid.systems.climber.executive.pose import Pose
from annelid.systems.climber.planner.situation import Situation

Floats = NDArray[np.float64]

TRIES: Final = 3
"""Recoveries at one place before it is left to the operator."""
PLACE: Final = 0.01
"""What counts as one place, m."""
CENTRED: Final = 0.002
"""The body is over the middle of its feet, m."""
SPEED: Final = 0.005
"""Of the body on its way there, m/s."""


class BlockingRecovery(Behaviour[Situation]):
    name = RECOVERY
    level = 3
    disables = (SAFETY,)
    enables: tuple[str, ...] = ()

    def __init__(self, tick_s: float, log: Log) -> None:
        self._tick = tick_s
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
        """Centre the body, then let the legs be allocated."""
        way = middle_of_feet(now) - now.wish.at if not self.enables else np.zeros(3)
        distance = float(np.linalg.norm(way))
        pose = Pose(
            now.wish.at + way * min(1.0, SPEED * self._tick / max(distance, 1e-9)), now.wish.turn
        )
        if distance < CENTRED or np.isnan(now.stance_joints(pose)).any():
            self.enables = (ALLOCATION,)
            return ()
        return (self.proposal(BODY, pose, reason="back over the middle of its feet"),)

    def reset(self) -> None:
        self._running = False
        self.enables = ()

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


def middle_of_feet(now: Situation) -> Floats:
    """Where the body would stand amid its standing feet as in the stance, as high as it is."""
    standing = now.standing & now.usable
    home = now.climber.stance[standing] @ now.wish.turn.T
    middle: Floats = (now.anchors[standing] - home).mean(axis=0)
    middle[2] = now.wish.at[2]
    return middle
