"""Proofs in words: why the robot can do something, or what is missing so that it cannot."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from annelid.systems.microtub.inference.facts import ByCable, Fact, Reported
from annelid.systems.microtub.inference.knowledge import Inferred
from annelid.systems.microtub.inference.masks import CHOICES
from annelid.systems.microtub.inference.matching import Pattern
from annelid.systems.microtub.inference.rules import Rule, Terms


@dataclass(frozen=True)
class ProofStep:
    """A sentence and what it follows from."""

    text: str
    because: tuple[ProofStep, ...] = ()

    def lines(self, before: str = "", between: str = "") -> Iterator[str]:
        yield before + self.text
        for place, node in enumerate(self.because):
            last = place == len(self.because) - 1
            yield from node.lines(
                between + ("└─ " if last else "├─ "), between + ("   " if last else "│  ")
            )


def proof(known: Inferred, fact: Fact) -> ProofStep:
    """The whole tree below a fact, down to what modules said."""
    why = fact.why
    said = f"{fact.skill} {fact.grade}"
    if isinstance(why, Reported):
        return ProofStep(f"{said}: {known.names[why.position]} reports it")
    if isinstance(why, ByCable):
        return ProofStep(f"{said}: the tether")
    where = "" if why.rule.robot is not None else f" of {_names(known, fact.modules)}"
    mark = " (extension)" if why.rule.extension and not why.rule.learnt else ""
    mark = " (learnt)" if why.rule.learnt else mark
    limit = ", at most " + f"{why.rule.environment.cap(known.situation.mode)} "
    limit += f"{known.situation.mode.meaning}" + "".join(f"; {words}" for words in why.lowered)
    return ProofStep(
        f"{said}{where}: by {why.rule.name!r}{mark}{limit}",
        (
            *(proof(known, below) for below in why.pattern),
            *(proof(known, below) for below in why.conditions),
        ),
    )


def tree(known: Inferred, skill: str) -> str:
    """The proof of the best way to do it as lines; empty where there is none."""
    fact = known.explain(skill)
    return "" if fact is None else "\n".join(proof(known, fact).lines())


def why_not(known: Inferred, skill: str) -> ProofStep:
    """For each rule that would give it: what is missing."""
    node = _missing(known, skill, frozenset())
    return (
        node if node.because else ProofStep(f"{skill}: no module reports it, and no rule gives it")
    )


def _missing(known: Inferred, skill: str, above: frozenset[str]) -> ProofStep:
    """``above``: what is being explained already, so that rules in a circle end."""
    names = CHOICES.get(skill, (skill,))
    rules = [rule for rule in known.rules if rule.gives in names]
    nodes = tuple(
        ProofStep(f"{rule.name!r}: {'; '.join(lacks)}", below)
        for rule in rules
        for lacks, below in [_lacks(known, rule, above | {skill})]
        if lacks
    )
    return ProofStep(f"no {skill}", nodes)


def _lacks(
    known: Inferred, rule: Rule, above: frozenset[str]
) -> tuple[list[str], tuple[ProofStep, ...]]:
    lacks: list[str] = []
    absent: list[str] = []
    if not rule.environment.cap(known.situation.mode):
        lacks.append(f"does not hold {known.situation.mode.meaning}")
    if not rule.fits(
        "".join(member.id for member in known.members), [member.mdl for member in known.members]
    ):
        lacks.append("is about other robots")
    for term in rule.anywhere:
        if Pattern.of((term,), gaps=True).best(known.base, 1) is None and not (
            term.count == 1 and known.can(term.skill)
        ):
            lacks.append(f"needs {term} anywhere")
            absent.append(term.skill)
    for terms, gaps, how in (
        (rule.sequential, True, "in order"),
        (rule.adjacent, False, "adjacent"),
    ):
        if terms and Pattern.of(terms, gaps=gaps).best(known.base, 1) is None:
            lacks.append(f"needs {_row(terms)} {how}")
            absent += [term.skill for term in terms if not known.can(term.skill)]
    if not lacks and rule.name in known.base.refused:
        lacks.append(known.base.refused[rule.name])
    below = tuple(
        node
        for skill in dict.fromkeys(absent)
        if skill not in above
        for node in [_missing(known, skill, above)]
        if node.because
    )
    return lacks, below


def _row(terms: Terms) -> str:
    return ", ".join(str(term) for term in terms)


def _names(known: Inferred, positions: tuple[int, ...]) -> str:
    return " ".join(known.names[position] for position in positions)
