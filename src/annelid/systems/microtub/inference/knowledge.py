"""The inferred knowledge: what a robot can do, how best, why, and why not."""

from __future__ import annotations

from dataclasses import dataclass

from annelid.robot.capabilities import INDICATORS
from annelid.systems.microtub.inference.facts import (
    Derived,
    Fact,
    FactBase,
    ModuleFacts,
    RobotSituation,
)
from annelid.systems.microtub.inference.rules import Gait, Rule, TaskNeeds


@dataclass(frozen=True, eq=False)
class Inferred:
    """Everything that follows from what the modules said.  Positions count from 0 at the head."""

    members: tuple[ModuleFacts, ...]
    situation: RobotSituation
    base: FactBase
    rules: tuple[Rule, ...]
    """Those in force when it was inferred."""
    rounds: int
    """The last of them brought nothing new."""
    names: tuple[str, ...]
    """What to call the modules."""

    def can(self, skill: str) -> int:
        """Grade of an ability (``forward``) or of an indicator (``Sense_front``); 0: it cannot."""
        fact = self.base.anywhere(skill)
        return 0 if fact is None else fact.grade

    def does(self, task: TaskNeeds) -> int:
        """Grade of a task: of the least of what it needs."""
        return min(self.can(need) for need in task.needs)

    @property
    def abilities(self) -> dict[str, int]:
        """What the robot can do, with grades, by name."""
        names = sorted({ability for ability, _ in self.base.robot})
        return {name: self.can(name) for name in names}

    @property
    def digits(self) -> str:
        """The robot's own MDL string: the best of modules and units."""
        return "".join(str(self.can(name)) for name in INDICATORS)

    def ways(self, ability: str) -> tuple[Fact, ...]:
        """All rules by which the robot can do it, the best first.

        First by grade; then a learnt rule before a general one; then by how many modules work
        (000 §6.1.2: the predominant modules); then by name.
        """
        found = [fact for (name, _), fact in self.base.robot.items() if name == ability]
        return tuple(sorted(found, key=_rank))

    def best(self, ability: str) -> Fact | None:
        return next(iter(self.ways(ability)), None)

    def gait(self, ability: str) -> Gait | None:
        """What to walk like; None where it cannot, or where no rule says how."""
        return next((gait for fact in self.ways(ability) if (gait := _gait(fact))), None)

    def units(self) -> tuple[Fact, ...]:
        """Units and super-units, without those that are part of a larger one as good."""
        made = [fact for fact in self.base.local() if fact.rule is not None]
        return tuple(f for f in made if not any(_covers(other, f) for other in made))

    def explain(self, skill: str) -> Fact | None:
        """The root of the proof of the best way; ``proof.tree`` writes it out."""
        return self.best(skill) or self.base.anywhere(skill)


def _rank(fact: Fact) -> tuple[int, bool, int, str]:
    rule = fact.rule
    learnt = rule is not None and rule.learnt
    return -fact.grade, not learnt, -len(fact.modules), rule.name if rule is not None else ""


def _gait(fact: Fact) -> Gait | None:
    return fact.why.rule.gait if isinstance(fact.why, Derived) else None


def _covers(one: Fact, other: Fact) -> bool:
    """Whether ``one`` makes it needless to mention ``other``."""
    return (
        one is not other
        and one.skill == other.skill
        and one.grade >= other.grade
        and one.first <= other.first
        and one.last >= other.last
    )
