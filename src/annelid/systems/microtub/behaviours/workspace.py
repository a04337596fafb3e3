"""The allowed angles of a module's servos: limits, singular points, pairs that exclude each other.

000 §4.1.3: "positions that must be avoided are computed from the kinematic equations of each
module".  Limits come from the module's joints and from what its type calls forbidden.  The two
cranks of the extension module allow an extension only together with a turn: each arm must stay
between its singular points (25° and 147°), and the bar in the centre lets the two slides differ
by 9 mm.  Of such a pair the turn is kept and the extension gives way.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import acos, inf, radians
from typing import Final

from annelid.modules.extension import (
    ARMS_APART,
    CRANK,
    DIFFERENCE_MAX,
    ROD,
    SINGULAR_HIGH,
    SINGULAR_LOW,
    STROKE,
    Extension,
    crank_slide,
)
from annelid.robot.module import ModuleType
from annelid.robot.service import HORIZONTAL, travel

Range = tuple[float, float]

CLEAR: Final = radians(0.5)
"""How near a crank may come to a singular point: the point itself is forbidden."""

SHORTEST, LONGEST = crank_slide(SINGULAR_HIGH - CLEAR), crank_slide(SINGULAR_LOW + CLEAR)


class Workspace:
    """Limits per servo, each alone; a servo that is not named may go anywhere."""

    coupled: tuple[str, ...] = ()
    """Servos whose limits depend on others, which are to be decided first."""

    def __init__(self, limits: Mapping[str, Range]) -> None:
        self.limits = dict(limits)

    def range(self, servo: str, others: Mapping[str, float]) -> Range:
        """Where ``servo`` may go while the others are sent to ``others``."""
        return self.limits.get(servo, (-inf, inf))

    def nearest(self, servo: str, target: float, others: Mapping[str, float]) -> float:
        """``target``, or the nearest place that is allowed."""
        low, high = self.range(servo, others)
        return min(max(target, low), high)


class Cranks(Workspace):
    """Of the extension module.  The slide of its joint lies midway between the singular points."""

    def __init__(
        self, limits: Mapping[str, Range], stroke: float, *, extend: str, turn: str
    ) -> None:
        """``extend`` and ``turn`` are the actuators that serve Ext and RotY."""
        widest = DIFFERENCE_MAX / ARMS_APART
        low, high = limits[turn]
        super().__init__({**limits, turn: (max(low, -widest), min(high, widest))})
        self.coupled = (extend,)
        self._extend, self._turn = extend, turn
        self._zero = crank_slide(SINGULAR_HIGH) + (STROKE - stroke) / 2

    def range(self, servo: str, others: Mapping[str, float]) -> Range:
        low, high = super().range(servo, others)
        if servo == self._extend:
            apart = abs(others.get(self._turn, 0.0)) * ARMS_APART / 2
            low = max(low, SHORTEST + apart - self._zero)
            high = min(high, LONGEST - apart - self._zero)
        return low, high

    def angles(self, extend: float, yaw: float) -> Range:
        """Of the two cranks, rad."""
        mean, apart = self._zero + extend, yaw * ARMS_APART / 2
        return crank_angle(mean + apart), crank_angle(mean - apart)


def crank_angle(slide: float) -> float:
    """The inverse of ``crank_slide``: the law of cosines; a slide out of reach gives the nearest
    dead centre."""
    cosine = (CRANK**2 + slide**2 - ROD**2) / (2 * CRANK * slide)
    return acos(min(max(cosine, -1.0), 1.0))


def workspace(kind: ModuleType) -> Workspace:
    """Of a module of this type."""
    body = kind.body()
    limits: dict[str, Range] = {mount.name: travel(body, mount) for mount in body.mounts}
    for served in kind.services(body).values():
        if served.actuator in limits:
            (low, high), (least, most) = limits[served.actuator], served.range
            limits[served.actuator] = (max(low, least), min(high, most))
    for rule in kind.forbidden():
        if rule.actuator in limits:
            low, high = limits[rule.actuator]
            low = low if rule.below is None else max(low, rule.below)
            high = high if rule.above is None else min(high, rule.above)
            limits[rule.actuator] = (low, high)
    extend, turn = kind.actuator_of("Ext"), kind.actuator_of(HORIZONTAL)
    if isinstance(kind, Extension) and extend is not None and turn is not None:
        return Cranks(limits, kind.stroke_mm / 1000, extend=extend, turn=turn)
    return Workspace(limits)
