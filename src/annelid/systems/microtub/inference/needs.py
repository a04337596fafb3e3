"""Which modules does a task need? (000 §6)

Asked of a robot: the smallest sets of its modules that can still do the task while all others are
carried along and do nothing.  Asked of a stock: the shortest chains that can do it at all.

Less capability never brings a conclusion (rules have no negation), so a set is minimal if none of
its modules can be spared; such sets are found one by one, each with one module of an earlier one
forbidden (Reiter's hitting-set tree).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final

from annelid.systems.microtub.inference.engine import Engine
from annelid.systems.microtub.inference.facts import (
    ModuleFacts,
    Reported,
    RobotSituation,
    StatedModule,
)
from annelid.systems.microtub.inference.knowledge import Inferred
from annelid.systems.microtub.inference.masks import CHOICES, MASKS, competences
from annelid.systems.microtub.inference.rules import Rule, TaskNeeds

IDLE: Final = "0" * 17
CARGO: Final = "-"
"""String and id of a module that is only carried along: no rule that names kinds means it."""

MOST_SETS: Final = 12
MOST_QUESTIONS: Final = 500
"""To the engine, for one answer: half a second."""


@dataclass(frozen=True)
class Needed:
    task: TaskNeeds
    grade: int
    """How well the whole robot does it; 0: not at all, and there are no sets."""
    sets: tuple[tuple[int, ...], ...]
    """Minimal sets of positions, the smallest first."""
    indispensable: tuple[int, ...]
    """Without any one of these it cannot be done."""
    complete: bool
    """There are no other minimal sets."""


def needed(
    engine: Engine,
    members: Sequence[ModuleFacts],
    situation: RobotSituation,
    task: str,
    *,
    grade: int = 1,
) -> Needed:
    """The minimal sets of modules that do the task at least as well as ``grade``."""
    job = engine.task(task)
    search = _NeedsSearch(engine, tuple(members), situation, job, grade)
    whole = search.infer(frozenset(range(len(members)))).does(job)
    if whole < grade:
        return Needed(job, whole, (), (), True)
    sets, complete = search.minimal_sets()
    everyone = frozenset(range(len(members)))
    indispensable = tuple(
        position
        for position in sorted(frozenset.intersection(*sets))
        if not search.enough(everyone - {position})
    )
    ordered = sorted((tuple(sorted(each)) for each in sets), key=lambda each: (len(each), each))
    return Needed(job, whole, tuple(ordered), indispensable, complete)


class _NeedsSearch:
    def __init__(
        self,
        engine: Engine,
        members: tuple[ModuleFacts, ...],
        situation: RobotSituation,
        task: TaskNeeds,
        grade: int,
    ) -> None:
        self.engine = engine
        self.members = members
        self.situation = situation
        self.task = task
        self.grade = grade
        self.questions = 0

    def infer(self, working: frozenset[int]) -> Inferred:
        self.questions += 1
        left = [
            member if position in working else StatedModule(member.address, CARGO, IDLE)
            for position, member in enumerate(self.members)
        ]
        return self.engine.infer(left, self.situation)

    def enough(self, working: frozenset[int]) -> bool:
        return self.infer(working).does(self.task) >= self.grade

    def minimal_sets(self) -> tuple[list[frozenset[int]], bool]:
        """As many as may be asked for, and whether these are all."""
        everyone = frozenset(range(len(self.members)))
        found: list[frozenset[int]] = []
        queue = deque([frozenset[int]()])
        seen = set(queue)
        while queue:
            if len(found) >= MOST_SETS or self.questions >= MOST_QUESTIONS:
                return found, False
            spared = queue.popleft()
            here = next((each for each in found if not each & spared), None)
            if here is None:
                here = self._minimal(everyone - spared)
                if here is None:
                    continue
                found.append(here)
            for position in sorted(here):
                if (more := spared | {position}) not in seen:
                    seen.add(more)
                    queue.append(more)
        return found, True

    def _minimal(self, working: frozenset[int]) -> frozenset[int] | None:
        """One minimal set among ``working``: what a proof rests on, less what can be spared."""
        known = self.infer(working)
        if known.does(self.task) < self.grade:
            return None
        kept = frozenset(_rests_on(known, self.task))
        if not self.enough(kept):  # a learnt rule speaks of the whole robot
            kept = working
        for position in sorted(kept, reverse=True):
            if self.enough(kept - {position}):
                kept -= {position}
        return kept


def _rests_on(known: Inferred, task: TaskNeeds) -> Iterator[int]:
    """Positions of the modules whose word the proofs of a task rest on."""
    for need in task.needs:
        if (fact := known.explain(need)) is not None:
            for leaf in fact.leaves():
                if isinstance(leaf.why, Reported):
                    yield leaf.why.position


def shortest_chains(
    engine: Engine,
    stock: Mapping[str, str],
    situation: RobotSituation,
    task: str,
    *,
    grade: int = 1,
    longest: int = 4,
) -> tuple[str, ...]:
    """Wire ids of the shortest chains, made of kinds in ``stock`` (id to MDL), that do the task,
    the best first.  A kind in whose stead another does as much is left out."""
    job = engine.task(task)
    useful = _useful(engine.rulebook.rules.values(), job.needs)
    kinds = _without_lesser(
        {
            kind: {skill: able for skill, able in competences(digits).items() if skill in useful}
            for kind, digits in stock.items()
        }
    )
    for length in range(1, longest + 1):
        found = []
        for ids in product(sorted(kinds), repeat=length):
            members = [StatedModule(place, kind, stock[kind]) for place, kind in enumerate(ids, 1)]
            if (does := engine.infer(members, situation).does(job)) >= grade:
                found.append((-does, "".join(ids)))
        if found:
            return tuple(ids for _, ids in sorted(found))
    return ()


def _without_lesser(kinds: Mapping[str, Mapping[str, int]]) -> list[str]:
    """Kinds that can do something, without those that another can replace; of equals the first."""
    kept: list[str] = []
    for kind in sorted(kinds, key=lambda each: -sum(kinds[each].values())):
        able = kinds[kind]
        if able and not any(
            all(kinds[other].get(skill, 0) >= grade for skill, grade in able.items())
            for other in kept
        ):
            kept.append(kind)
    return kept


def _useful(rules: Collection[Rule], needs: Sequence[str]) -> set[str]:
    """Capabilities of modules that may play a part: those that rules lead back to."""
    wanted, queue = set[str](), list(needs)
    while queue:
        skill = queue.pop()
        for name in CHOICES.get(skill, (skill,)):
            if name not in wanted:
                wanted.add(name)
                queue += [t.skill for rule in rules if rule.gives == name for t in rule.terms]
    return wanted & MASKS.keys()
