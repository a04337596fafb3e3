"""Level 2, leg allocation (003 §4.2.2): brings legs to given places, the safest first.

A behaviour of a higher level enables it and says which legs go to the stance of which pose of the
body (``ClimberSituation.allocation``).  It shares the legs with leg safety by a token, because
neither is above the other.  Where none of the remaining legs can be lifted it says so, and the
behaviour that asked decides what to do.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

from annelid.behaviour import Log, Proposal
from annelid.systems.climber.executive.links import ALLOCATION, TOKEN, channel
from annelid.systems.climber.planner.lifting import strain_of_lifting
from annelid.systems.climber.planner.planner_behaviour import PlannerBehaviour, PlannerContext
from annelid.systems.climber.planner.situation import Allocation, ClimberSituation
from annelid.systems.climber.planner.steps import LegStep
from annelid.systems.climber.planner.strides import clear_home

NEAR: Final = 0.012
"""A foot this near to its place need not be moved, m."""
PATIENCE_S: Final = 1.0


class LegAllocation(PlannerBehaviour):
    name = ALLOCATION
    level = 2
    token = TOKEN
    on_demand = True

    @classmethod
    def make(cls, planner: PlannerContext, /) -> Self:
        return cls(planner.orders.rule.lift, planner.tick_s, planner.log)

    def __init__(self, lift: float, tick_s: float, log: Log) -> None:
        self._lift = lift
        self._tick = tick_s
        self._log = log
        self._waiting: float | None = None

    def propose(self, now: ClimberSituation, /) -> Iterable[Proposal]:
        if now.step is None and now.allocation is not None:
            self._next(now, now.allocation)
        if now.step is None:
            return ()
        command = now.step.advance(now, self._tick)
        return (self.proposal(channel(now.step.leg), command, reason=now.step.phase),)

    def reset(self) -> None:
        self._waiting = None

    def _next(self, now: ClimberSituation, asked: Allocation) -> None:
        """The leg whose lifting strains the others least, among those with a way."""
        strain = strain_of_lifting(now, moving=False)
        asked.legs &= {k for k in asked.legs if now.standing[k] and now.usable[k]}
        homes = {k: clear_home(now, k, asked.pose, lift=self._lift) for k in asked.legs}
        asked.legs -= {k for k, home in homes.items() if home is not None and home.gain < NEAR}
        able = {
            k: home for k, home in homes.items() if home and k in asked.legs and strain[k] <= 1.0
        }
        if not asked.legs:
            now.allocation = None
        elif able:
            self._waiting = None
            leg = min(able, key=lambda k: float(strain[k]))
            home = able[leg]
            asked.legs.discard(leg)
            now.step = LegStep(leg, home.place, lift=self._lift, start=now.anchors[leg])
            now.standing[leg] = False
            self._log("allocate", {"leg": leg + 1, "strain": round(float(strain[leg]), 2)})
        elif self._waiting is None:
            self._waiting = now.time_s
        elif now.time_s - self._waiting > PATIENCE_S:
            self._waiting = None
            heavy = {k: float(strain[k]) for k in asked.legs if homes[k] is not None}
            self._give_up(now, asked, heavy)

    def _give_up(self, now: ClimberSituation, asked: Allocation, heavy: dict[int, float]) -> None:
        """Reports legs that have a place and cannot be lifted; the behaviour that asked may be able
        to change that.  Legs whose place is not clear stay where they stand."""
        asked.heavy = set(heavy)
        if heavy:
            names = ", ".join(str(k + 1) for k in sorted(heavy))
            asked.stuck = (
                f"legs {names} cannot be brought back: lifting uses {min(heavy.values()):.2f} of "
                "what may be borne"
            )
        else:
            names = ", ".join(str(k + 1) for k in sorted(asked.legs))
            self._log("left where they are", {"legs": names})
            now.allocation = None
