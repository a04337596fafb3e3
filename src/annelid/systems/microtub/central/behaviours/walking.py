"""The walking behaviours (000 §6.1.2): each proposes the best way that the rules have found.

==============  ==============================  ================================================
behaviour       active                          proposes
==============  ==============================  ================================================
move straight   there is somewhere to go        forwards or backwards
turn            there is, in the open or while  an arc (TUR); round an elbow of a pipe, turning
                an elbow is negotiated          in pipe (TUP) with the movement that is at work
move laterally  there is, outside pipes         rolling or a lateral shift, to the side of it
rotate          there is, outside pipes         both waves together, to turn on the spot
==============  ==============================  ================================================

*Stimuli*: the destination, what the rules say this robot can do here, the power, a touch in a pipe.
The rules give the ways, the best first (predominant modules, environment).  Helicoidal
modules push along with a snake or an inchworm, as long as there is power for both (000 §6.1.2: "its
push will be added").  At rest they would hold the chain: T R R H S E S R R inches 2 cm in 12 s with
its wheels stopped, 23 cm with them pushing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from math import degrees
from typing import ClassVar, Final, Self

from annelid.behaviour import Proposal, Proposals
from annelid.motion.snake import turning_bend
from annelid.robot.capabilities import GRADE_MAX
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours.base import (
    ACTION,
    WALKING,
    CentralBehaviour,
    CentralContext,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import FULL, Movement, Order, movement
from annelid.systems.microtub.inference import Fact
from annelid.systems.microtub.protocol import LLC1, LLC2

HELPED: Final = frozenset({"MO1", "MOS", "MWO"})
"""Movements that a push is added to."""


class WalkingBehaviour(CentralBehaviour):
    """Proposes the best way of ``ability`` as a movement, as strong as its grade."""

    level = WALKING
    ability: ClassVar[str]

    @classmethod
    def make(cls, central: CentralContext, /) -> Self:
        return cls(central.abilities)

    def __init__(self, abilities: Abilities) -> None:
        self._abilities = abilities

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.free_to_go

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        ways, left = self._abilities.ways(self.ability), knowledge.to_the_left
        over = self.ability == Turn.ability and knowledge.on_its_back

        def walk(way: Fact) -> tuple[Movement, str]:
            made, words = self.walk(way, knowledge.parts, left=left is not over)
            return (replace(made, pace=made.pace.mirrored()) if over else made), words

        return self.kept(*(ways, knowledge.parts, left, over), make=lambda: self._best(ways, walk))

    def walk(
        self, way: Fact, parts: tuple[KnownModule, ...], *, left: bool
    ) -> tuple[Movement, str]:
        """The movement to that side, and words for it."""
        raise NotImplementedError

    def _best(
        self, ways: tuple[Fact, ...], walk: Callable[[Fact], tuple[Movement, str]]
    ) -> Proposals:
        """No ways: nothing is proposed."""
        if not ways:
            return ()
        made, words = walk(ways[0])
        grade = ways[0].grade
        return (self.proposal(ACTION, made, grade / GRADE_MAX, f"{words}, grade {grade}"),)


class MoveStraight(WalkingBehaviour):
    name = "move straight"

    def condition(self, knowledge: Knowledge, /) -> bool:
        return bool(knowledge.destination.any())

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        forwards = bool(knowledge.destination[0] >= 0)
        ways = self._abilities.ways("forward" if forwards else "backward")

        def walk(way: Fact) -> tuple[Movement, str]:
            made = straight(way, knowledge, heading=1 if forwards else -1)
            return made, f"{made.name}, the best of {len(ways)} ways"

        on = (ways, knowledge.parts, knowledge.low_power, knowledge.mode, knowledge.entering)
        return self.kept(*on, make=lambda: self._best(ways, walk))


def straight(way: Fact, knowledge: Knowledge, *, heading: int) -> Movement:
    """With helpers where they help."""
    gait = None if way.rule is None else way.rule.gait
    helped = gait is not None and set(gait.commands) <= HELPED
    push = helped and not knowledge.low_power
    where = "Push_pipe" if knowledge.in_pipe else "Push_flat"
    return movement(
        way,
        knowledge.parts,
        heading=heading,
        helpers=knowledge.able(where) if push else (),
        in_pipe=knowledge.entering,
    )


class Turn(WalkingBehaviour):
    name = "turn"
    ability = "turn"

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.free_to_go or (knowledge.turning and bool(knowledge.destination.any()))

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        ways = self._abilities.ways("forward")
        if not knowledge.turning or not self._abilities.ways("turn") or not ways:
            return super().propose(knowledge)
        on = (ways, knowledge.parts, knowledge.low_power, knowledge.mode, knowledge.turn_deg)

        def walk(way: Fact) -> tuple[Movement, str]:
            made = in_pipe(straight(way, knowledge, heading=1), knowledge.turn_deg)
            return made, f"round the bend by {way.skill if way.rule is None else way.rule.name}"

        return self.kept(*on, make=lambda: self._best(ways, walk))

    def walk(
        self, way: Fact, parts: tuple[KnownModule, ...], *, left: bool
    ) -> tuple[Movement, str]:
        bend = round(degrees(turning_bend(len(way.modules))))
        made = movement(way, parts, heading=1, bend_deg=bend if left else -bend)
        return made, f"{made.name} to the {'left' if left else 'right'}"


def in_pipe(upon: Movement, towards_deg: int | None) -> Movement:
    """The movement goes on, round an elbow: pushed joints bend one after the other, those of a
    wave or an inchworm give way to the wall."""
    towards = () if towards_deg is None else (towards_deg,)
    return replace(
        upon,
        name="turn in pipe",
        orders=(*upon.orders, Order(LLC2.TUP, towards)),
        gait=LLC2.TUP.name if upon.gait == LLC2.MHE.name else upon.gait,
        ending=(Order(LLC1.TSF),),
        upon=upon,
    )


class MoveLaterally(WalkingBehaviour):
    name = "move laterally"
    ability = "lateral"

    def walk(
        self, way: Fact, parts: tuple[KnownModule, ...], *, left: bool
    ) -> tuple[Movement, str]:
        made = movement(way, parts, percent=FULL if left else -FULL)
        return made, f"{made.name} to the {'left' if left else 'right'}"


class Rotate(WalkingBehaviour):
    name = "rotate"
    ability = "rotate"

    def walk(
        self, way: Fact, parts: tuple[KnownModule, ...], *, left: bool
    ) -> tuple[Movement, str]:
        return movement(way, parts, mirrored=not left), f"{'anti-' if left else ''}clockwise"
