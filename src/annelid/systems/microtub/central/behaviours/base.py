"""The base class of the central control's behaviours, their levels, and what they are made from.

One that needs no arguments is done with ``name``, ``level`` and ``propose``; others take what they
need from a :class:`CentralContext` in ``make``::

    class PipeFollowing(CentralBehaviour):
        @classmethod
        def make(cls, central: CentralContext, /) -> Self:
            return cls(central.bifurcations)

The levels are those of Fig 17 of 000.  Its upper half decides on a *destination*: a direction and
distance as the robot sees it, forward and left, m.  The lower half decides on an *action*: one
movement of the whole robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from annelid.behaviour import Behaviour
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge

OBSTACLE: Final = 40
"""Obstacle negotiation, the highest (000 §6.2)."""
GOAL: Final = 30
PATH: Final = 20
WANDERING: Final = 10
POSTURE: Final = 3
"""Balance; all below :data:`WANDERING` decide on the action."""
LOOKING: Final = 2
WALKING: Final = 1

DESTINATION: Final = "destination"
ACTION: Final = "action"


class CentralBehaviour(Behaviour[Knowledge]):
    """Decides on ``destination`` or, below ``WANDERING``, on ``action``."""

    levels = (OBSTACLE, GOAL, PATH, WANDERING, POSTURE, LOOKING, WALKING)


@dataclass(frozen=True)
class CentralContext:
    """What one life of the central control has for its behaviours, beside its knowledge."""

    abilities: Abilities
    """What this robot can do here, by the rules."""
    bifurcations: Bifurcations
