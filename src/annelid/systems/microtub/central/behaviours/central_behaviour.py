"""The base class of the central control's behaviours, and what they are made from.

One that needs no arguments is done with ``name``, ``level`` and ``propose``; others take what they
need from a :class:`CentralContext` in ``make``::

    class MoveStraight(CentralBehaviour):
        @classmethod
        def make(cls, central: CentralContext, /) -> Self:
            return cls(central.abilities)
"""

from __future__ import annotations

from dataclasses import dataclass

from annelid.behaviour import Behaviour
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import (
    GOAL,
    LOOKING,
    OBSTACLE,
    PATH,
    POSTURE,
    WALKING,
    WANDERING,
)


class CentralBehaviour(Behaviour[Knowledge]):
    """Decides on ``destination`` or, below ``WANDERING``, on ``action`` (``levels``)."""

    levels = (OBSTACLE, GOAL, PATH, WANDERING, POSTURE, LOOKING, WALKING)


@dataclass(frozen=True)
class CentralContext:
    """What one life of the central control has for its behaviours, beside its knowledge."""

    abilities: Abilities
    """What this robot can do here, by the rules."""
    bifurcations: Bifurcations
