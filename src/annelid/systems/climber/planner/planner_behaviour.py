"""The base class of the planner's behaviours, and what they are made from.

One that needs no arguments is done with ``name``, ``level`` and ``propose``; others take what they
need from a :class:`PlannerContext` in ``make``.  Of level 2 only the holder of the token ``legs``
is heard on a leg, so a behaviour that moves legs there has ``token = TOKEN``.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from annelid.behaviour import Behaviour, Log
from annelid.systems.climber.executive.links import LEVELS
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.orders import Orders
from annelid.systems.climber.planner.situation import ClimberSituation


class PlannerBehaviour(Behaviour[ClimberSituation]):
    """Decides on ``body``, a pose, or on ``leg 1`` …, a ``LegCommand``."""

    levels = LEVELS


@dataclass(frozen=True)
class PlannerContext:
    """What a planner that starts has for its behaviours."""

    orders: Orders
    tick_s: float
    log: Log
    way: list[BodyPose] = field(default_factory=list)
    """Poses that the body is still to go to; the operator adds to them."""
