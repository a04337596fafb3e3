"""Finds a pattern of capabilities in a chain: side by side, or in order with others between.

A fact is an edge from the place where it begins to the place after its end, so a pattern of
neighbours is a path of edges.  The best match has the highest lowest grade; among equals the one
with most modules, for those predominate (000 §6.1.2).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from annelid.systems.microtub.inference.facts import Fact, FactBase
from annelid.systems.microtub.inference.masks import CHOICES
from annelid.systems.microtub.inference.rules import Terms

_Step = tuple[str, bool]
"""A capability, and whether any number of them may follow."""

_Found = tuple[int, Fact | None, int, int]
"""Modules from here on, the fact taken here (None: the end), and the next step and place."""

_END: _Found = (0, None, 0, 0)


@dataclass(frozen=True)
class Pattern:
    """Terms in a row, with every choice of axis worked out beforehand."""

    alternatives: tuple[tuple[_Step, ...], ...]
    gaps: bool
    """Others may stand between."""

    @classmethod
    def of(cls, terms: Terms, *, gaps: bool) -> Pattern:
        steps: list[_Step] = []
        for term in terms:
            steps += [(term.skill, False)] * (term.count - 1)
            steps.append((term.skill, term.more))
        choices = [name for name in CHOICES if any(skill == name for skill, _ in steps)]
        alternatives = [tuple(steps)]
        for name in choices:
            alternatives = [
                tuple((axis if skill == name else skill, more) for skill, more in row)
                for row in alternatives
                for axis in CHOICES[name]
            ]
        return cls(tuple(alternatives), gaps)

    @property
    def skills(self) -> frozenset[str]:
        return frozenset(skill for row in self.alternatives for skill, _ in row)

    def best(self, base: FactBase, cap: int) -> tuple[Fact, ...] | None:
        """The best match, of which grades above ``cap`` count as ``cap``."""
        return next(self.matches(base, cap), None)

    def matches(self, base: FactBase, cap: int) -> Iterator[tuple[Fact, ...]]:
        """The best of each grade and choice of axis, the best of all first."""
        for level in range(cap, 0, -1):
            found = [
                match
                for steps in self.alternatives
                if (match := _best(steps, base, level, gaps=self.gaps)) is not None
            ]
            yield from sorted(found, key=_modules, reverse=True)

    def every(self, base: FactBase, cap: int) -> Iterator[tuple[int, tuple[Fact, ...]]]:
        """A grade and a match for each stretch of the chain that has one: the best of each."""
        done: set[tuple[int, int]] = set()
        for level in range(cap, 0, -1):
            for steps in self.alternatives:
                for match in _stretches(steps, base, level):
                    place = (match[0].first, match[-1].last)
                    if place not in done:
                        done.add(place)
                        yield level, match


def _modules(match: tuple[Fact, ...]) -> int:
    return sum(len(fact.modules) for fact in match)


def _edges(steps: Sequence[_Step], base: FactBase, level: int) -> list[list[list[Fact]]] | None:
    """For each step and place, the facts that begin there; None if a step has none at all."""
    rows: dict[str, list[list[Fact]]] = {}
    for skill, _ in steps:
        if skill in rows:
            continue
        if skill not in base.starting:
            return None
        row = [[f for f in facts if f.grade >= level] for facts in base.starting[skill]]
        if not any(row):
            return None
        rows[skill] = row
    return [rows[skill] for skill, _ in steps]


def _best(
    steps: Sequence[_Step], base: FactBase, level: int, *, gaps: bool
) -> tuple[Fact, ...] | None:
    edges = _edges(steps, base, level)
    if edges is None:
        return None
    size = base.size
    after: list[_Found | None] = [_END] * (size + 1)
    table: list[list[_Found | None]] = []
    for k in range(len(steps) - 1, -1, -1):
        here: list[_Found | None] = [None] * (size + 1)
        for place in range(size - 1, -1, -1):
            taken: _Found | None = None
            for fact in edges[k][place]:
                end = fact.last + 1
                for rest, step in ((after[end], k + 1), (here[end] if steps[k][1] else None, k)):
                    if rest is not None:
                        count = rest[0] + len(fact.modules)
                        if taken is None or count > taken[0]:
                            taken = (count, fact, step, end)
            skipped = here[place + 1] if gaps else None
            # Among equals the nearest to each other: begin late, then take what comes first.
            if skipped is not None and (
                taken is None or skipped[0] > taken[0] or (k == 0 and skipped[0] == taken[0])
            ):
                taken = skipped
            here[place] = taken
        table.insert(0, here)
        after = here
    starts = [found for found in table[0] if found is not None]
    if not starts:
        return None
    match: list[Fact] = []
    found: _Found | None = max(starts, key=lambda start: start[0])
    while found is not None and found[1] is not None:
        match.append(found[1])
        _, _, step, place = found
        found = table[step][place] if step < len(table) else None
    return tuple(match)


def _stretches(steps: Sequence[_Step], base: FactBase, level: int) -> Iterator[tuple[Fact, ...]]:
    edges = _edges(steps, base, level)
    if edges is None:
        return
    for start in range(base.size):
        paths: dict[int, tuple[Fact, ...]] = {start: ()}
        for k, (_, more) in enumerate(steps):
            reached: dict[int, tuple[Fact, ...]] = {}
            frontier = paths
            while frontier:
                onward: dict[int, tuple[Fact, ...]] = {}
                for place, path in frontier.items():
                    for fact in edges[k][place] if place < base.size else ():
                        onward.setdefault(fact.last + 1, (*path, fact))
                frontier = {p: path for p, path in onward.items() if p not in reached}
                reached.update(frontier)
                if not more:
                    break
            paths = reached
        yield from paths.values()
