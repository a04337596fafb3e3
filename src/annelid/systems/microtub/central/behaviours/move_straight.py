"""Move straight forwards and backwards (000 §6.1.2): the gait follows from the modules.

*Activation*: there is somewhere to go.  *Stimuli*: what the rules say this robot can do here, the
destination, the power.  *Proposals*: the best way forwards or backwards as a movement.

The rules give the ways, the best first (predominant modules, environment).  In a pipe helicoidal
modules push along with a snake or an inchworm, as long as there is power for both (000 §6.1.2: "its
push will be added").  At rest they would hold the chain: T R R H S E S R R inches 2 cm in 12 s with
its wheels stopped, 23 cm with them pushing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.behaviours.kept import KeptProposals, best_way
from annelid.systems.microtub.central.knowledge import Knowledge, KnownModule
from annelid.systems.microtub.central.levels import WALKING
from annelid.systems.microtub.central.movements import Movement, movement
from annelid.systems.microtub.inference import Fact

HELPED = frozenset({"MO1", "MOS", "MWO"})
"""Movements that a push is added to."""


class MoveStraight(CentralBehaviour):
    name = "move straight"
    level = WALKING

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._kept = KeptProposals()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.destination.any())

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        forwards = bool(knowledge.destination[0] >= 0)
        ways = self._abilities.ways("forward" if forwards else "backward")

        def walk(way: Fact) -> tuple[Movement, str]:
            made = straight(way, knowledge, heading=1 if forwards else -1)
            return made, f"{made.name}, the best of {len(ways)} ways"

        on = (ways, knowledge.parts, knowledge.low_power, knowledge.mode)
        return self._kept.depending(*on, make=lambda: best_way(self, ways, walk))


def straight(way: Fact, knowledge: Knowledge, *, heading: int) -> Movement:
    """With helpers where they help."""
    return movement(
        way,
        knowledge.parts,
        heading=heading,
        helpers=_helpers(way, knowledge),
        in_pipe=knowledge.in_pipe is True,
    )


def _helpers(way: Fact, knowledge: Knowledge) -> tuple[KnownModule, ...]:
    gait = None if way.rule is None else way.rule.gait
    helped = gait is not None and set(gait.commands) <= HELPED
    if not helped or not knowledge.in_pipe or knowledge.low_power:
        return ()
    return knowledge.able("Push_pipe")
