"""Derives what the robot can do from what its modules report (000 §6), until nothing is new.

All rules look at what was known before the round; what they conclude joins it for the next.  Facts
are only ever added or raised in grade, so this ends, and the order of the rules does not matter.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from annelid.systems.microtub.inference.facts import (
    Derived,
    Fact,
    FactBase,
    ModuleFacts,
    RobotSituation,
)
from annelid.systems.microtub.inference.knowledge import Inferred
from annelid.systems.microtub.inference.limits import Limit
from annelid.systems.microtub.inference.masks import CHOICES
from annelid.systems.microtub.inference.matching import Pattern
from annelid.systems.microtub.inference.rulebook import Rulebook, RuleFile
from annelid.systems.microtub.inference.rules import Rule, TaskNeeds, Term
from annelid.systems.microtub.protocol import WorkingMode


@dataclass(frozen=True)
class _Compiled:
    """A rule with its patterns worked out."""

    rule: Rule
    conditions: tuple[tuple[Term, Pattern], ...]
    patterns: tuple[Pattern, ...]
    inputs: frozenset[str]
    limits: tuple[Limit, ...] = ()

    @classmethod
    def of(cls, rule: Rule, limits: Iterable[Limit] = ()) -> _Compiled:
        conditions = tuple((term, Pattern.of((term,), gaps=True)) for term in rule.anywhere)
        patterns = tuple(
            Pattern.of(terms, gaps=gaps)
            for terms, gaps in ((rule.sequential, True), (rule.adjacent, False))
            if terms
        )
        skills = [
            *(name for term in rule.anywhere for name in CHOICES.get(term.skill, (term.skill,))),
            *(skill for pattern in patterns for skill in pattern.skills),
        ]
        return cls(rule, conditions, patterns, frozenset(skills), tuple(limits))


class Engine:
    """The inference engine of the central control.  Rules may change between any two calls."""

    def __init__(self, rulebook: Rulebook | None = None) -> None:
        self.rulebook = rulebook if rulebook is not None else Rulebook()
        self._compiled: tuple[_Compiled, ...] = ()
        self._version = -1

    def add(self, *rules: Rule) -> None:
        self.rulebook.add(*rules)

    def change(self, rule: Rule) -> None:
        self.rulebook.change(rule)

    def remove(self, name: str) -> Rule:
        return self.rulebook.remove(name)

    def load(self, path: Path | str) -> RuleFile:
        return self.rulebook.load(path)

    def task(self, name: str) -> TaskNeeds:
        return self.rulebook.task(name)

    def infer(
        self,
        members: Sequence[ModuleFacts],
        situation: RobotSituation,
        *,
        names: Sequence[str] = (),
    ) -> Inferred:
        """What the chain of ``members``, head first, can do in this situation, and why; proofs
        call modules by ``names``, or by wire id and address."""
        base = FactBase(members, situation)
        active = self._active(members, situation)
        news: set[str] | None = None
        rounds = 0
        while news is None or news:
            found = [
                fact
                for each, cap in active
                if news is None or each.inputs & news
                for fact in _conclusions(each, cap, base, situation.mode)
            ]
            news = {fact.skill for fact in found if base.learn(fact)}
            rounds += 1
        return Inferred(
            members=tuple(members),
            situation=situation,
            base=base,
            rules=tuple(self.rulebook.rules.values()),
            rounds=rounds,
            names=tuple(names) or _names(members),
        )

    def conclusions(self, known: Inferred) -> Iterator[Fact]:
        """What the rules of now say to what is known; nothing new, unless they have changed."""
        for each, cap in self._active(known.members, known.situation):
            yield from _conclusions(each, cap, known.base, known.situation.mode)

    def _active(
        self, members: Sequence[ModuleFacts], situation: RobotSituation
    ) -> list[tuple[_Compiled, int]]:
        """The rules that hold for such a robot in this situation, and their highest grade."""
        ids = "".join(member.id for member in members)
        strings = [member.mdl for member in members]
        return [
            (each, cap)
            for each in self._rules()
            if (cap := each.rule.environment.cap(situation.mode)) and each.rule.fits(ids, strings)
        ]

    def _rules(self) -> tuple[_Compiled, ...]:
        if self._version != self.rulebook.version:
            rules = self.rulebook.rules
            limits = self.rulebook.limits.values()
            self._compiled = tuple(
                _Compiled.of(rules[name], [each for each in limits if name in each.rules])
                for name in sorted(rules)
            )
            self._version = self.rulebook.version
        return self._compiled


def _conclusions(
    compiled: _Compiled, cap: int, base: FactBase, mode: WorkingMode
) -> Iterator[Fact]:
    rule = compiled.rule
    conditions: list[Fact] = []
    for term, pattern in compiled.conditions:
        if term.count == 1:
            one = base.anywhere(term.skill)
            matched: tuple[Fact, ...] | None = None if one is None else (one,)
        else:
            matched = pattern.best(base, 1)
        if matched is None:
            return
        if term.skill in rule.limited_by:
            cap = min(cap, *(fact.grade for fact in matched))
        conditions += matched
    if rule.unit is not None:
        for grade, match in compiled.patterns[0].every(base, cap):
            modules = _positions(match)
            why = Derived(rule, match, tuple(conditions), cap)
            yield Fact(rule.unit, grade, match[0].first, match[-1].last, modules, why)
        return
    workers = tuple(fact for fact in conditions if _works(fact, rule))
    found: Fact | None = None
    refused: list[str] = []
    for everything in _matches(compiled, base, cap):
        granted = min(cap, *(fact.grade for fact in everything)) if everything else cap
        modules = _positions((*everything, *workers))
        if rule.configuration is not None:
            modules = tuple(range(base.size))
        left, lowered = granted, list[str]()
        for limit in compiled.limits:
            if limit.grade < left and limit.holds(base, modules, mode):
                left = limit.grade
                lowered.append(limit.words())
        if not left:
            refused = refused or lowered
        elif found is None or left > found.grade:
            why = Derived(rule, everything, tuple(conditions), cap, tuple(lowered))
            found = Fact(rule.gives, left, 0, base.size - 1, modules, why)
        if left == granted:
            break
    if found is not None:
        base.refused.pop(rule.name, None)
        yield found
    elif refused:
        base.refused[rule.name] = "; ".join(refused)


def _matches(compiled: _Compiled, base: FactBase, cap: int) -> Iterator[tuple[Fact, ...]]:
    """What fits the patterns of a rule, the best first; after it others only where a limit may
    take it away."""
    if len(compiled.patterns) == 1 and compiled.limits:
        yield from compiled.patterns[0].matches(base, cap)
        return
    everything: tuple[Fact, ...] = ()
    for pattern in compiled.patterns:
        match = pattern.best(base, cap)
        if match is None:
            return
        cap = min(cap, *(fact.grade for fact in match))
        everything += match
    yield everything


def _names(members: Sequence[ModuleFacts]) -> tuple[str, ...]:
    """``r2@5``: the second of its kind, at address 5."""
    counts: Counter[str] = Counter()
    names = []
    for member in members:
        counts[member.id] += 1
        names.append(f"{member.id}{counts[member.id]}@{member.address}")
    return tuple(names)


def _works(fact: Fact, rule: Rule) -> bool:
    return any(fact.skill in CHOICES.get(name, (name,)) for name in rule.limited_by)


def _positions(facts: Sequence[Fact]) -> tuple[int, ...]:
    return tuple(sorted({position for fact in facts for position in fact.modules}))
