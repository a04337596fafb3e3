"""The orders of the operator: where to go, how fast, with which tolerances."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from annelid.systems.climber.executive.pose import BodyPose


class WalkingStyle(StrEnum):
    """How it walks: each leg when it is needed, or in a fixed cycle."""

    FREE = "free"
    CYCLIC = "cyclic"


@dataclass(frozen=True)
class BodySpeed:
    """How fast the body goes, m/s and rad/s."""

    speed: float
    turn: float


@dataclass(frozen=True)
class StepRule:
    """The tolerances of 003 §4.2.1 and §5."""

    stride: float
    """A leg steps when it can get at least so far ahead, m."""
    least: float
    """What an urgent step must bring, m."""
    reach: float
    """How far ahead of its stance a foot may be put, m."""
    lift: float
    motion_limit: float
    danger_limit: float


@dataclass(frozen=True)
class Orders:
    """All of it; a planner that starts begins with them."""

    way: Sequence[BodyPose]
    """Relative to where the body begins."""
    pace: BodySpeed
    rule: StepRule
    zero: float = 0.0
    """How far the zeros of the joints may be off, rad; 0: they are exact."""
    sway: float = 0.0
    """So far the body turns to both sides before it walks, rad: it shows the zeros."""
    curved: bool = False
    """Whether the surface bends."""
    gait: WalkingStyle = WalkingStyle.FREE
    later: Sequence[tuple[float, Sequence[BodyPose] | WalkingStyle]] = ()
    """(s, more places to go to, or another gait); no places: release a critical stop."""
