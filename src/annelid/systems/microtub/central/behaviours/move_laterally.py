"""Move laterally (000 §6.1.2): rolling about the body's axis, or a lateral shift beside it.

*Activation*: outside pipes, with somewhere to go.  *Stimuli*: the destination, the rules.
*Proposals*: the best of both that the rules allow, towards the side where the destination is.
"""

from __future__ import annotations

from collections.abc import Iterable

from annelid.behaviour import Behaviour, Proposal
from annelid.robot.capabilities import GRADE_MAX
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import ACTION, WALKING
from annelid.systems.microtub.central.movements import FULL, movement


class MoveLaterally(Behaviour[Knowledge]):
    name = "move laterally"
    level = WALKING

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities
        self._made: tuple[object, ...] = ()
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.destination.any()) and knowledge.in_pipe is not True

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        left = bool(knowledge.destination[1] >= 0)
        ways = self._abilities.ways("lateral")
        made = (ways, knowledge.parts, left)
        if made == self._made:
            return self._last
        self._made = made
        self._last = ()
        if ways:
            way = ways[0]
            percent = FULL if left else -FULL
            walk = movement(way, knowledge.parts, percent=percent)
            words = f"{walk.name} to the {'left' if left else 'right'}, grade {way.grade}"
            self._last = (self.proposal(ACTION, walk, way.grade / GRADE_MAX, words),)
        return self._last
