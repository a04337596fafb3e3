"""Keeps the proposals of a behaviour until one of their inputs changes.

A behaviour is asked five times a second and mostly has nothing new to say.  Words and movements are
then not made again, and an arbiter that is handed the very same proposal need not decide anew.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from annelid.behaviour import Behaviour, Proposal
from annelid.robot.capabilities import GRADE_MAX
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import ACTION
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.inference import Fact

Proposals = tuple[Proposal, ...]


class KeptProposals:
    """What one behaviour said last, and what it depended on."""

    def __init__(self) -> None:
        self._on: tuple[object, ...] | None = None
        self._proposals: Proposals = ()

    def depending(self, *on: object, make: Callable[[], Proposals]) -> Proposals:
        """``make()``, or what it made when everything in ``on`` was the same."""
        if on != self._on:
            self._on = on
            self._proposals = make()
        return self._proposals


def best_way(
    behaviour: Behaviour[Knowledge],
    ways: Sequence[Fact],
    walk: Callable[[Fact], tuple[Movement, str]],
) -> Proposals:
    """The first of ``ways`` as a movement, as strong as its grade; ``walk`` gives the movement and
    words for it, to which the grade is added.  No ways: nothing is proposed."""
    if not ways:
        return ()
    movement, words = walk(ways[0])
    grade = ways[0].grade
    return (behaviour.proposal(ACTION, movement, grade / GRADE_MAX, f"{words}, grade {grade}"),)
