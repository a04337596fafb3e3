"""Level 3, blocking recovery (003 §4.3.1): an external observer of leg safety.

When leg safety says that no leg can step, it is disabled (and with it the trajectory), all legs are
brought back to the default stance by leg allocation, and then it is enabled again.  Before that,
beyond the paper, the body goes to where the leg that must move is easiest to lift: one that cannot
be lifted where the body has got to can often be lifted from a few centimetres away.
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
from annelid.systems.climber.planner.urgency import urgency

Floats = NDArray[np.float64]

TRIES: Final = 3
"""Recoveries at one place before it is left to the operator."""
PLACE: Final = 0.01
"""What counts as one place, m."""
NEAR: Final = 0.001
"""The body is where it shall be, m."""
OFFSETS: Final = np.array([-0.045, -0.03, -0.015, 0.0, 0.015, 0.03, 0.045])
"""Where the body might go, ahead and aside, m."""
MARGIN: Final = 0.08
"""That standing legs keep to their limits meanwhile, rad."""
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
        self._aim: Floats | None = None
        """Where the body goes first, in the world."""
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
        """Move the body, then let the legs be allocated."""
        if self._aim is None or self.enables:
            return ()
        way = self._aim - now.wish.at
        distance = float(np.linalg.norm(way))
        if distance < NEAR:
            self.enables = (ALLOCATION,)
            return ()
        share = min(1.0, SPEED * self._tick / distance)
        pose = Pose(now.wish.at + way * share, now.wish.turn)
        return (self.proposal(BODY, pose, reason="to where the leg is easier to lift"),)

    def reset(self) -> None:
        self._running = False
        self.enables = ()
        self._aim = None

    def _begin(self, now: Situation) -> None:
        at = now.wish.at
        again = sum(float(np.linalg.norm(at - before)) < PLACE for before in self._places)
        if again >= TRIES:
            now.critical = f"blocked {again + 1} times at one place: {now.blocked}"
            return
        self._places.append(at.copy())
        self._running = True
        self._aim = easiest_place(now)
        now.allocation = {int(k) for k in np.flatnonzero(now.standing & now.usable)}
        self._log("blocked", {"why": now.blocked})


def easiest_place(now: Situation) -> Floats:
    """Of the body, in the world: where lifting the most urgent leg strains the others least."""
    climber, feet = now.climber, now.standing & now.usable
    urgent = np.where(feet, urgency(climber, now.stance_joints(now.wish)), -1.0)
    leg = int(np.argmax(urgent))
    grips = now.grips.copy()
    grips[leg] = 0.0
    gravity, normal = now.gravity_at(now.wish), now.wish.turn.T[:, 2]
    best, easiest = now.wish.at, np.inf
    for ahead in OFFSETS:
        for aside in OFFSETS:
            at = now.wish.at + now.wish.turn @ np.array([ahead, aside, 0.0])
            q = now.stance_joints(Pose(at, now.wish.turn))
            if climber.legs.margin(q)[now.standing].min() < MARGIN:
                continue
            loads = climber.forces.loads(q, gravity, grips, normal=normal)
            strain = float(loads.strain(climber.forces.grip)) + 0.5 * float(np.hypot(ahead, aside))
            if strain < easiest:
                best, easiest = at, strain
    return best
