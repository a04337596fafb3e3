"""Level 2, leg allocation (003 §4.2.2): brings legs to given places, the safest first.

On demand: somebody above says which legs (``Situation.allocation``) and enables it.  It shares the
legs with leg safety by a token, because neither is above the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from annelid.behaviour import Behaviour, Log, Proposal
from annelid.systems.climber.executive.links import ALLOCATION, TOKEN, channel
from annelid.systems.climber.planner.lifting import strain_of_lifting
from annelid.systems.climber.planner.situation import Situation
from annelid.systems.climber.planner.steps import Step
from annelid.systems.climber.planner.strides import clear_home

NEAR: Final = 0.012
"""A foot this near to its place need not be moved, m."""
PATIENCE_S: Final = 3.0


class LegAllocation(Behaviour[Situation]):
    name = ALLOCATION
    level = 2
    token = TOKEN
    on_demand = True

    def __init__(self, lift: float, tick_s: float, log: Log) -> None:
        self._lift = lift
        self._tick = tick_s
        self._log = log
        self._waiting: float | None = None

    def propose(self, now: Situation, /) -> Iterable[Proposal]:
        if now.step is None and now.allocation is not None:
            self._next(now)
        if now.step is None:
            return ()
        command = now.step.advance(now, self._tick)
        return (self.proposal(channel(now.step.leg), command, reason=now.step.phase),)

    def reset(self) -> None:
        self._waiting = None

    def _next(self, now: Situation) -> None:
        """The leg whose lifting strains the others least, among those with a way."""
        left = now.allocation or set()
        strain = strain_of_lifting(now, moving=False)
        homes = {k: clear_home(now, k, lift=self._lift) for k in left if now.standing[k]}
        for k, home in homes.items():
            if home is not None and home.gain < NEAR:
                left.discard(k)
        left &= {k for k in left if now.standing[k] and now.usable[k]}
        able = {k: home for k, home in homes.items() if home and k in left and strain[k] <= 1.0}
        if not left:
            now.allocation = None
        elif able:
            self._waiting = None
            leg = min(able, key=lambda k: float(strain[k]))
            left.discard(leg)
            now.step = Step(leg, able[leg].place, lift=self._lift, start=now.anchors[leg])
            now.standing[leg] = False
            self._log("allocate", {"leg": leg + 1, "strain": round(float(strain[leg]), 2)})
        elif self._waiting is None:
            self._waiting = now.time_s
        elif now.time_s - self._waiting > PATIENCE_S:
            now.allocation = None
            now.critical = (
                f"legs {', '.join(str(k + 1) for k in sorted(left))} cannot be brought back: "
                f"lifting uses {min(float(strain[k]) for k in left):.2f} of what may be borne"
            )
