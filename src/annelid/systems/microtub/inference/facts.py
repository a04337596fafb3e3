"""The facts about a robot, each with its reason; the reasons make a proof.

A fact is a capability with its grade and its place in the chain: of a module, as it reported; of a
unit, by a rule; or of the whole robot.  Facts only ever cite facts that were known before them, so
a proof is a tree that ends at what modules said.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from annelid.systems.microtub.inference.masks import CHOICES, competences
from annelid.systems.microtub.inference.rules import Rule
from annelid.systems.microtub.protocol import WorkingMode


class ModuleFacts(Protocol):
    """A module as the configuration check found it; ``discovery.FoundModule`` is one."""

    @property
    def address(self) -> int: ...
    @property
    def id(self) -> str: ...
    @property
    def mdl(self) -> str: ...


@dataclass(frozen=True)
class StatedModule:
    """A member for those who have no bus: the command line, studies, tests."""

    address: int
    id: str
    """Wire id: ``r``, ``e``, ``s`` …"""
    mdl: str
    """17 digits."""


@dataclass(frozen=True)
class RobotSituation:
    """Where the robot is, and whether a cable feeds it (which counts as PS, FACTS §6)."""

    mode: WorkingMode = WorkingMode.GENERAL
    tethered: bool = True


@dataclass(frozen=True, slots=True)
class Reported:
    """The module at ``position`` said so."""

    position: int


@dataclass(frozen=True, slots=True)
class ByCable:
    """The tether supplies power."""


@dataclass(frozen=True, slots=True)
class Derived:
    """A rule concluded it."""

    rule: Rule
    pattern: tuple[Fact, ...]
    """What stood in order or side by side."""
    conditions: tuple[Fact, ...]
    """What was somewhere in the robot."""
    cap: int
    """The highest grade of the rule in this environment."""
    lowered: tuple[str, ...] = ()
    """What limits left of it, in words."""


@dataclass(frozen=True, slots=True)
class Fact:
    skill: str
    grade: int
    """1 to 3; what has grade 0 is not a fact."""
    first: int
    last: int
    """Positions in the chain, 0 at the head; the whole robot for its abilities."""
    modules: tuple[int, ...]
    """Positions of the modules that do it, head first."""
    why: Reported | ByCable | Derived

    @property
    def rule(self) -> Rule | None:
        return self.why.rule if isinstance(self.why, Derived) else None

    def leaves(self) -> Iterator[Fact]:
        """What modules said, and the cable, at the ends of the proof."""
        if isinstance(self.why, Derived):
            for fact in (*self.why.pattern, *self.why.conditions):
                yield from fact.leaves()
        else:
            yield self


class FactBase:
    """Facts by capability and place; a fact that is no better than a known one is not taken."""

    def __init__(self, members: Iterable[ModuleFacts], situation: RobotSituation) -> None:
        self.size = 0
        self.best: dict[str, Fact] = {}
        """The best of each capability, wherever it is; the first to be known among equals."""
        self.robot: dict[tuple[str, str], Fact] = {}
        """Abilities of the whole robot, by ability and rule."""
        self.starting: dict[str, list[list[Fact]]] = {}
        """Capabilities of modules and units: for each position, the facts that begin there."""
        self.refused: dict[str, str] = {}
        """Rules whose conditions hold and that a limit leaves nothing of, and its words."""
        self._at: dict[tuple[str, int, int], Fact] = {}
        known = [competences(member.mdl) for member in members]
        self.size = len(known)
        for position, grades in enumerate(known):
            for skill, grade in grades.items():
                self.learn(Fact(skill, grade, position, position, (position,), Reported(position)))
        if situation.tethered:
            self._note_best(Fact("PS", 3, 0, self.size - 1, (), ByCable()))

    def learn(self, fact: Fact) -> bool:
        """Whether that is news."""
        if (rule := fact.rule) is not None and rule.robot is not None:
            key = (fact.skill, rule.name)
            if key in self.robot and self.robot[key].grade >= fact.grade:
                return False
            self.robot[key] = fact
        else:
            place = (fact.skill, fact.first, fact.last)
            known = self._at.get(place)
            if known is not None and known.grade >= fact.grade:
                return False
            self._at[place] = fact
            if fact.skill not in self.starting:
                self.starting[fact.skill] = [[] for _ in range(self.size)]
            row = self.starting[fact.skill][fact.first]
            if known is not None:
                row.remove(known)
            row.append(fact)
        self._note_best(fact)
        return True

    def anywhere(self, skill: str) -> Fact | None:
        """The best that is called so."""
        if skill not in CHOICES:
            return self.best.get(skill)
        found = [fact for name in CHOICES[skill] if (fact := self.best.get(name)) is not None]
        return max(found, key=lambda fact: fact.grade, default=None)

    def local(self) -> Iterator[Fact]:
        """Of modules and units, in the order in which they became known."""
        yield from self._at.values()

    def _note_best(self, fact: Fact) -> None:
        best = self.best.get(fact.skill)
        if best is None or best.grade < fact.grade:
            self.best[fact.skill] = fact
