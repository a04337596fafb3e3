"""Move laterally (000 §6.1.2): rolling about the body's axis, or a lateral shift beside it.

*Activation*: outside pipes, with somewhere to go.  *Stimuli*: the destination, the rules.
*Proposals*: the best of both that the rules allow, towards the side where the destination is.
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
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import WALKING
from annelid.systems.microtub.central.movements import FULL, Movement, movement
from annelid.systems.microtub.inference import Fact


class MoveLaterally(CentralBehaviour):
    name = "move laterally"
    level = WALKING

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._kept = KeptProposals()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.free_to_go

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        ways, parts, left = self._abilities.ways("lateral"), knowledge.parts, knowledge.to_the_left

        def walk(way: Fact) -> tuple[Movement, str]:
            made = movement(way, parts, percent=FULL if left else -FULL)
            return made, f"{made.name} to the {'left' if left else 'right'}"

        return self._kept.depending(ways, parts, left, make=lambda: best_way(self, ways, walk))
