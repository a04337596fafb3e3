"""Limits: where load or geometry makes a movement useless that the rules grant.

Table 9 asks only what stands where.  Three modules that bend sideways make a "snake" by it, but the
caterpillar that it commands is a wave up and down, and they lie still.  A limit lowers what the
rules that it names give, or takes it away::

    [[limit]]
    name = "a caterpillar lifts its joints"
    rules = ["snake", "snake backwards"]
    lacking = ["RotX 3"]                     # fewer of the modules that work have it, each of it
    carried = 1.5                            # and more are carried along for each that works
    grade = 0                                # what is left then; 0: nothing
    situations = ["open_air"]                # not named: everywhere
    source = "why"

Less capability never lifts a limit, so what follows from the rules still only grows with it.
"""

from __future__ import annotations

from typing import Literal, Self

from pydantic import Field, model_validator

from annelid.spec import Spec
from annelid.systems.microtub.inference.facts import Fact, FactBase
from annelid.systems.microtub.inference.rules import Grade, Terms
from annelid.systems.microtub.protocol import WorkingMode

Situation = Literal["general", "pipe", "open_air"]


class Limit(Spec):
    """Lowers rules where all of its conditions hold."""

    name: str = Field(min_length=1)
    """For explanations: why a grade is lower than its rule says."""
    rules: tuple[str, ...] = Field(min_length=1)
    """Those that it lowers; one that is not in force is no mistake."""
    lacking: Terms = ()
    """Holds if of each fewer modules than that, of those that do the work, have the capability by
    themselves."""
    carried: float | None = Field(default=None, ge=0)
    """Holds if more than so many modules are carried along for each one that works."""
    grade: Grade = 0
    """The highest that is left."""
    situations: tuple[Situation, ...] = ()
    """Empty: in all."""
    source: str = ""
    """Where it comes from: what was measured."""

    @model_validator(mode="after")
    def _conditional(self) -> Self:
        if not self.lacking and self.carried is None:
            raise ValueError("expected `lacking` or `carried`: when it holds")
        return self

    def holds(self, base: FactBase, modules: tuple[int, ...], mode: WorkingMode) -> bool:
        """Whether it lowers what ``modules`` do in this robot."""
        if self.situations and mode.name.lower() not in self.situations:
            return False
        for term in self.lacking:
            row = base.starting.get(term.skill, [])
            able = sum(any(_alone(fact) for fact in row[p]) for p in modules if p < len(row))
            if able >= term.count:
                return False
        return self.carried is None or base.size - len(modules) > self.carried * len(modules)

    def words(self) -> str:
        """For proofs."""
        return f"{self.name!r} leaves {self.grade or 'nothing'}"


def _alone(fact: Fact) -> bool:
    """A module's own, not a unit's."""
    return fact.first == fact.last
