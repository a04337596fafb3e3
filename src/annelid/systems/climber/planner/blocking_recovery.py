"""Level 3, blocking recovery (003 §4.3.1): watches leg safety and acts when the robot is blocked.

When leg safety says that no leg can step, it is disabled (and with it the trajectory), all legs are
brought back to the default stance by leg allocation, and then it is enabled again.

Beyond the paper, the body goes to where a leg is easiest to lift before legs are allocated, and
again whenever none of those left can be: what cannot be lifted where the body has got to can often
be lifted from a few centimetres away, or with the body lower.  In the end it goes back above its
stance.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import Log, Proposal
from annelid.systems.climber.executive.links import ALLOCATION, BODY, RECOVERY, SAFETY
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.footing import MARGIN, OFFSETS
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import Allocation, ClimberSituation
from annelid.systems.climber.planner.urgency import urgency

Floats = NDArray[np.float64]

TRIES: Final = 3
"""Recoveries at one place before it is left to the operator."""
PLACE: Final = 0.01
"""What counts as one place, m."""
MOVES: Final = 8
"""Of the body in one recovery."""
NEAR: Final = 0.001
"""The body is where it shall be, m."""
LOWER: Final = (0.0, 0.015, 0.03)
"""How much lower the body may go, m: what pulls at the upper feet has a shorter lever then."""
SPEED: Final = 0.005
"""Of the body on its way there, m/s."""


class BlockingRecovery(PlannerBehaviour):
    name = RECOVERY
    level = 3
    disables = (SAFETY,)
    enables: tuple[str, ...] = ()

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        return cls(planner.tick_s, planner.log)

    def __init__(self, tick_s: float, log: Log) -> None:
        self._tick = tick_s
        self._log = log
        self._home: BodyPose | None = None
        """Where the body shall be above its stance; None: nothing is to be recovered."""
        self._aim: Floats | None = None
        """Where the body goes now, in the world; None: it stands, and legs are allocated."""
        self._moves = 0
        self._places: list[np.ndarray] = []

    def condition(self, now: ClimberSituation, /) -> bool:
        if now.critical:
            return False
        if self._home is None:
            if not (now.blocked and now.step is None):
                return False
            self._begin(now)
        elif self._aim is None and now.step is None:
            self._go_on(now, self._home)
        return self._home is not None

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        """Move the body, then let the legs be allocated."""
        if self._aim is None:
            return ()
        way = self._aim - now.wish.at
        distance = float(np.linalg.norm(way))
        if distance < NEAR:
            self._aim = None
            self.enables = (ALLOCATION,)
            return ()
        share = min(1.0, SPEED * self._tick / distance)
        pose = BodyPose(now.wish.at + way * share, now.wish.turn)
        return (self.proposal(BODY, pose, reason="to where a leg is easier to lift"),)

    def reset(self) -> None:
        self.enables = ()
        self._home = self._aim = None

    def _begin(self, now: ClimberSituation) -> None:
        at = now.wish.at
        again = sum(float(np.linalg.norm(at - before)) < PLACE for before in self._places)
        if again >= TRIES:
            now.critical = f"blocked {again + 1} times at one place: {now.blocked}"
            return
        self._places.append(at.copy())
        self._home = now.wish
        self._moves = 0
        legs = {int(k) for k in np.flatnonzero(now.standing & now.usable)}
        urgent = np.where(now.standing, urgency(now.climber, now.stance_joints(now.wish)), -1.0)
        now.allocation = Allocation(now.wish, legs, {int(np.argmax(urgent))})
        self._log("blocked", {"why": now.blocked})
        place, strain = easiest_place(now, now.allocation)
        self._aim = place if strain <= 1.0 else at

    def _go_on(self, now: ClimberSituation, home: BodyPose) -> None:
        """Elsewhere with the body where legs are stuck; home, and the end, where all are done."""
        asked = now.allocation
        if asked is None:
            self.enables = ()
            if float(np.linalg.norm(home.at - now.wish.at)) >= NEAR:
                self._aim = home.at
            else:
                self._home = None
                now.blocked = ""
                self._log("recovered", {"moves": self._moves})
        elif asked.stuck:
            self.enables = ()
            place, strain = easiest_place(now, asked)
            if strain > 1.0 or self._moves >= MOVES:
                now.critical = asked.stuck + f", {strain:.2f} where that is easiest"
                now.allocation = None
                return
            self._moves += 1
            self._aim = place
            asked.stuck = ""


def easiest_place(now: ClimberSituation, asked: Allocation) -> tuple[Floats, float]:
    """Of the body, in the world: where lifting some leg of the heavy ones strains the others least,
    within its reach of where it stands and where it shall stand; and that strain."""
    climber = now.climber
    legs = sorted(asked.heavy)
    cases = climber.forces.without(now.grips)[legs]
    homes = asked.pose.out(climber.stance)
    gravity, normal = now.gravity_at(now.wish), now.normal_at(now.wish)
    best, easiest, cost = now.wish.at, np.inf, np.inf
    for ahead, aside, lower in product(OFFSETS, OFFSETS, LOWER):
        at = asked.pose.at + asked.pose.turn @ np.array([ahead, aside, -lower])
        pose = BodyPose(at, now.wish.turn)
        q = now.stance_joints(pose)
        if not climber.legs.margin(q)[now.standing].min() >= MARGIN:
            continue
        there = climber.legs.margin(climber.legs.inverse(pose.into(homes)))[legs] >= 0.0
        if not there.any():
            continue
        loads = climber.forces.loads(
            np.broadcast_to(q, (len(legs), *q.shape)), gravity, cases, normal=normal
        )
        strains = np.where(there, loads.strain(climber.forces.grip), np.inf)
        strain = float(strains.min())
        far = 0.5 * float(np.linalg.norm(at - now.wish.at))
        if strain + far < cost:
            best, easiest, cost = at, strain, strain + far
    return best, easiest
