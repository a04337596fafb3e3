"""Turn to left or right (000 §6.1.2): an arc in the open, a bend of the chain round an elbow.

*Activation*: there is somewhere to go.  *Stimuli*: the destination, the rules, a touch in a pipe.
*Proposals*: in the open, caterpillar locomotion with the other axis bent (TUR); in a pipe, while
an elbow is negotiated, turning in pipe (TUP) with what pushes the chain along.
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
from annelid.systems.microtub.central.behaviours.kept import KeptProposals, Proposals, best_way
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import ACTION, WALKING
from annelid.systems.microtub.central.movements import Movement, Order, movement
from annelid.systems.microtub.inference import Fact
from annelid.systems.microtub.protocol import LLC1, LLC2

BEND_DEG = 12
"""Of each joint in an arc: SNAKE["turn"]."""


class Turn(CentralBehaviour):
    name = "turn"
    level = WALKING

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._kept = KeptProposals()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.destination.any()) and (
            knowledge.turning or knowledge.in_pipe is not True
        )

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        ways, parts, left = self._abilities.ways("turn"), knowledge.parts, knowledge.to_the_left

        def walk(way: Fact) -> tuple[Movement, str]:
            made = movement(way, parts, heading=1, bend_deg=BEND_DEG if left else -BEND_DEG)
            return made, f"{made.name} to the {'left' if left else 'right'}"

        def make() -> Proposals:
            if ways and knowledge.turning:
                return (self.proposal(ACTION, in_pipe(knowledge), reason="round the bend"),)
            return best_way(self, ways, walk)

        on = (ways, parts, knowledge.turning, left, knowledge.turn_deg)
        return self._kept.depending(*on, make=make)


def in_pipe(knowledge: Knowledge) -> Movement:
    """Those with joints bend one after the other; what pushes goes on pushing."""
    towards = () if knowledge.turn_deg is None else (knowledge.turn_deg,)
    end = (Order(LLC1.TSF),)
    return Movement("turn in pipe", (Order(LLC2.TUP, towards),), heading=1, ending=end)
