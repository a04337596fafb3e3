"""Rotate (000 §6.1.2): change the heading on the spot, clockwise or anti-clockwise.

*Activation*: outside pipes, with somewhere to go.  *Stimuli*: the destination, the rules.
*Proposals*: vertical and horizontal waves together, towards the side where the destination is.
"""

from __future__ import annotations

from collections.abc import Iterable

from annelid.behaviour import Behaviour, Proposal
from annelid.robot.capabilities import GRADE_MAX
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import ACTION, WALKING
from annelid.systems.microtub.central.movements import movement


class Rotate(Behaviour[Knowledge]):
    name = "rotate"
    level = WALKING

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._made: tuple[object, ...] = ()
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.destination.any()) and knowledge.in_pipe is not True

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        left = bool(knowledge.destination[1] >= 0)
        ways = self._abilities.ways("rotate")
        made = (ways, knowledge.parts, left)
        if made == self._made:
            return self._last
        self._made = made
        self._last = ()
        if ways:
            way = ways[0]
            walk = movement(way, knowledge.parts, mirrored=not left)
            words = f"{'anti-' if left else ''}clockwise, grade {way.grade}"
            self._last = (self.proposal(ACTION, walk, way.grade / GRADE_MAX, words),)
        return self._last
