"""Balance and stability (000 §6.1.1): who lies on its side or back turns over before it walks.

*Activation*: outside pipes, about to walk with a vertical wave, and the accelerometers say that
the middle of the robot is rolled.  *Stimuli*: orientation (SIM 4), what the rules would walk like.
*Proposals*: to roll over slowly, above all walking, until it lies on its belly.

The paper's robot bends to an arc and falls over (Fig 15).  A body with flat sides stands in such
an arc and does not fall; so the arc is turned round the body, which is the rolling gait, slowed
down until a question and its answer are in time.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.base import (
    ACTION,
    POSTURE,
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Movement, Order, rolling_waves
from annelid.systems.microtub.central.pace import TUMBLING
from annelid.systems.microtub.protocol import LLC2, ModuleInfo

UPRIGHT_WALKS: Final = frozenset({"MO1", "TUR"})
"""Movements in which the first axis has to stand upright."""
LIES_DEG: Final = 50
STANDS_DEG: Final = 20
"""Roll from which it counts as lying, and below which as upright again."""
WALKING_LOOKS: Final = 6
"""A walk shakes the accelerometers: so many looks in a row must agree, 1.2 s."""
PERCENT: Final = 20
"""Of the rolling gait's speed: 46° a second, 9° between two looks."""
ROLL_OVER: Final = "roll over"
"""Name of the movement."""


def roll_over(parts: Iterable[KnownModule]) -> Movement:
    """Of a robot of these modules."""
    joints = sum(bool(part.can("RotX") and part.can("RotY")) for part in parts)
    begin = (Order(LLC2.SPD, (PERCENT,)), Order(LLC2.MRO))
    orders = (*begin, *rolling_waves(joints, PERCENT))
    return Movement(ROLL_OVER, orders, pace=TUMBLING)


class Balance(CentralBehaviour):
    name = "balance"
    level = POSTURE

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._last: tuple[Proposal, ...] = ()
        self._rolling = False
        self._looks = 0

    def condition(self, knowledge: Knowledge, /) -> bool:
        if knowledge.entering or not knowledge.destination.any() or not self._walks_upright():
            return False
        told = knowledge.answers(ModuleInfo.ORIENTATION)
        if not told:
            return False
        rolls = sorted(abs(angles[0]) for angles in told)
        lean = rolls[len(rolls) // 2]
        before = self._rolling
        leans = lean > (STANDS_DEG if before else LIES_DEG)
        self._looks = self._looks + 1 if leans else 0
        wanted = WALKING_LOOKS if knowledge.heading and not before else 1
        self._rolling = self._looks >= wanted
        if self._rolling and not before:
            reason = f"it lies rolled by {lean} deg"
            self._last = (self.proposal(ACTION, roll_over(knowledge.parts), reason=reason),)
        return self._rolling

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._last

    def reset(self) -> None:
        self._rolling = False

    def _walks_upright(self) -> bool:
        ways = self._abilities.ways("forward")
        rule = ways[0].rule if ways else None
        gait = None if rule is None else rule.gait
        return gait is not None and gait.commands[0] in UPRIGHT_WALKS
