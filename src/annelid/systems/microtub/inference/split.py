"""Where to cut a robot in two so that both halves stay as capable as possible (000 §6).

Each cut is judged by what both halves can do: the task first, where there is one, in its worse
half; then, ability by ability, the grade that both have; then what the halves can do one by one;
then how equal they are in length.  A tether comes from behind, so the front half is on its own
power.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from annelid.errors import InputError
from annelid.systems.microtub.inference.engine import Engine
from annelid.systems.microtub.inference.facts import ModuleFacts, RobotSituation
from annelid.systems.microtub.inference.knowledge import Inferred
from annelid.systems.microtub.inference.masks import competence
from annelid.systems.microtub.inference.rules import TaskNeeds


@dataclass(frozen=True)
class Split:
    """A cut between positions ``front - 1`` and ``front``."""

    front: int
    """How many modules the front half has."""
    head: Inferred
    tail: Inferred
    both: dict[str, int]
    """Abilities that both halves have, with the lower of their grades."""
    lost: tuple[str, ...]
    """Abilities of the whole robot that neither half has."""
    latched: bool
    """The first module behind the cut can let go by itself (SPT; MDL Att)."""
    task_grade: int | None
    """Of the worse half; None where no task was asked for."""

    @property
    def score(self) -> tuple[int, int, int, int]:
        """Higher is better; see the top of this file."""
        each = sum(self.head.abilities.values()) + sum(self.tail.abilities.values())
        uneven = abs(len(self.head.members) - len(self.tail.members))
        return self.task_grade or 0, sum(self.both.values()), each, -uneven


def splits(
    engine: Engine,
    members: Sequence[ModuleFacts],
    situation: RobotSituation,
    *,
    task: str | None = None,
    only_latched: bool = False,
) -> tuple[Split, ...]:
    """Every cut, the best first; ``only_latched``: only where the robot can do it by itself."""
    if len(members) < 2:
        raise InputError(f"split: expected at least two modules, got {len(members)}")
    job = None if task is None else engine.task(task)
    whole = engine.infer(members, situation)
    cuts = [
        _cut(engine, whole, front, job)
        for front in range(1, len(members))
        if not only_latched or competence(members[front].mdl, "Att")
    ]
    return tuple(sorted(cuts, key=lambda cut: (*(-part for part in cut.score), cut.front)))


def _cut(engine: Engine, whole: Inferred, front: int, task: TaskNeeds | None) -> Split:
    members, situation = whole.members, whole.situation
    head = engine.infer(members[:front], replace(situation, tethered=False))
    tail = engine.infer(members[front:], situation)
    ahead, behind = head.abilities, tail.abilities
    return Split(
        front=front,
        head=head,
        tail=tail,
        both={name: min(ahead[name], behind[name]) for name in ahead if name in behind},
        lost=tuple(name for name in whole.abilities if name not in ahead and name not in behind),
        latched=competence(members[front].mdl, "Att") > 0,
        task_grade=None if task is None else min(head.does(task), tail.does(task)),
    )
