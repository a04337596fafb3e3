"""What a chain of modules can haul through a pipe, read from its modules' bodies.

Nothing here knows a module by its name: drives are mounts that push, wheels are parts that ride on
sprung slides, and a chain bends where a hinge lies between its two ends.  Metres and newtons.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise
from math import hypot, pi, sin, sqrt
from typing import Final, Self

import numpy as np
from numpy.typing import NDArray

from annelid.robot.body import Body, DriveMount, Geom, Part, Touches
from annelid.robot.module import ModuleType

Floats = NDArray[np.float64]

GRAVITY: Final = 9.81
AIR_C: Final = 25.0
SAME_M: Final = 0.002
"""Wheels whose places along the chain differ by less are one ring."""
CLOSE_M: Final = 1e-6
WEDGE: Final = 2 * sin(pi / 3) / (pi / 3)
"""Two of three wheels carry a weight between them: their forces on the wall are together 2 cos r
times that, for a ring rolled by r from upright, 60° at most; this is the mean."""
UNIVERSAL_M: Final = 0.012
"""Two hinges no further apart than this bend as one, to any side, in their middle."""


@dataclass(frozen=True)
class Ring:
    """Sprung wheels round the chain."""

    behind: float
    """From the nose."""
    reach: float
    """Of the relaxed wheels from the chain's axis."""
    travel: float
    stiffness: float
    """Of all its springs together, N/m."""
    friction: float
    wheel: float
    """Radius of a wheel."""
    count: int = 1
    preload: float = 0.0
    """How far its springs are pressed while its wheels are all out, m."""
    stall: float = 0.0
    """Force of its drive when it stands; 0: it rolls freely."""
    lasting: float = 0.0
    """Force that its drive can give for ever: more makes its winding too hot in time."""

    @property
    def folded(self) -> float:
        """How far from the chain's axis wheels turn when the springs are at their stops."""
        return self.reach - self.travel - self.wheel

    def pressed(self, bore: float) -> float:
        """By its springs against the wall, N."""
        return float(self.pressed_in(np.array(self.reach - bore / 2)))

    def pressed_in(self, by: Floats) -> Floats:
        """The same where its wheels are pressed in by so much, m; below 0 they hang in the air."""
        pressed = self.stiffness * (self.preload + np.minimum(by, self.travel))
        return np.where(by > 0.0, pressed, 0.0)


@dataclass(frozen=True)
class Piece:
    """A stretch of a chain between two joints: it does not bend."""

    begin: float
    end: float
    """Behind the nose."""
    balls: tuple[tuple[float, float], ...]
    """Shells that touch a pipe, as (place, radius)."""
    rings: tuple[Ring, ...] = ()

    @property
    def length(self) -> float:
        return self.end - self.begin

    @cached_property
    def alone(self) -> Piece:
        """As if nothing were before it: equal for pieces that are made alike."""
        return Piece(
            0.0,
            round(self.length, 7),
            tuple((round(place - self.begin, 7), radius) for place, radius in self.balls),
            tuple(replace(ring, behind=round(ring.behind - self.begin, 7)) for ring in self.rings),
        )


@dataclass(frozen=True)
class Hauling:
    """Of one chain."""

    weights: tuple[tuple[float, float], ...]
    """(place of the middle behind the nose, N) of each module."""
    friction: float
    """Against the wall, the mean by weight: shells rub, modules on wheels roll."""
    rings: tuple[Ring, ...]
    joints: tuple[float, ...]
    length: float
    balls: tuple[tuple[float, float], ...]

    @classmethod
    def of(cls, chain: Sequence[ModuleType]) -> Self:
        behind = 0.0
        weights, rings, hinges, balls, rubs = [], [], [], [], 0.0
        for module in chain:
            body, weight = module.body(), GRAVITY * module.mass
            weights.append((behind + module.length / 2, weight))
            own = [replace(ring, behind=behind + ring.behind) for ring in _rings(body)]
            rings += own
            rubs += 0.0 if own else weight * module.friction
            hinges += [behind + place for place in _hinges(body)]
            balls += [(behind + place, radius) for place, radius in _balls(body)]
            behind += module.length
        total = sum(weight for _, weight in weights)
        return cls(
            tuple(weights), rubs / total, tuple(rings), _merged(hinges), behind, tuple(balls)
        )

    @cached_property
    def weight(self) -> float:
        return sum(weight for _, weight in self.weights)

    @property
    def driven(self) -> bool:
        """Whether a drive pushes."""
        return any(ring.stall for ring in self.rings)

    def thrust(self, bore: float, *, level: float = 1.0, lasting: bool = False) -> float:
        """The most that its drives push in a straight pipe, N, for a moment or for ever: as strong
        as the motor, or as the grip of its wheels, pressed on the wall by springs or by their own
        module's weight.  ``level`` is the cosine of the slope."""
        total = 0.0
        for ring in self.rings:
            if ring.stall:
                motor = ring.lasting if lasting else ring.stall
                pressed = max(ring.pressed(bore), level * self.wedged(ring))
                total += min(motor, ring.friction * pressed)
        return total

    def wedged(self, ring: Ring) -> float:
        """How hard its own module's weight presses a ring's wheels in a level pipe, N.  While the
        springs of all wheels hold, a weight only takes from some what it gives to others; then it
        counts alone.  Joints that are held straight give a ring more, of its neighbours."""
        own = min(self.weights, key=lambda each: abs(each[0] - ring.behind))[1]
        return WEDGE * own

    @cached_property
    def pieces(self) -> tuple[Piece, ...]:
        """From joint to joint, head first."""
        return tuple(
            Piece(
                a,
                b,
                tuple(ball for ball in self.balls if a - CLOSE_M <= ball[0] <= b + CLOSE_M),
                tuple(ring for ring in self.rings if a <= ring.behind <= b),
            )
            for a, b in pairwise((0.0, *self.joints, self.length))
        )


def _rings(body: Body) -> list[Ring]:
    """Wheels ride on carriages that slide along a radius against a spring."""
    carriages = {p.name: p for p in body.parts if p.joint is not None and p.joint.stiffness > 0}
    drives = {j: m for m in body.mounts if isinstance(m, DriveMount) for j in m.joints}
    found: list[Ring] = []
    for wheel in body.parts:
        carriage = carriages.get(wheel.parent or "")
        tyre = next((geom for geom in wheel.geoms if geom.touches is not Touches.NOTHING), None)
        if carriage is None or carriage.joint is None or tyre is None:
            continue
        slide = carriage.joint
        low, high = slide.range or (0.0, 0.0)
        drive = None if wheel.joint is None else drives.get(wheel.joint.name)
        rubs = body.friction if tyre.friction is None else tyre.friction
        reach = hypot(carriage.at[1], carriage.at[2]) + tyre.size[0]
        stall = 0.0 if drive is None else drive.stall_force / len(drive.joints)
        found.append(
            Ring(
                behind=-carriage.at[0],
                reach=reach,
                travel=high - low,
                stiffness=slide.stiffness,
                preload=slide.rest,
                friction=rubs,
                wheel=tyre.size[0],
                stall=stall,
                lasting=0.0 if drive is None else stall * _lasting(drive),
            )
        )
    places = sorted({round(ring.behind / SAME_M) for ring in found})
    return [_joined([r for r in found if round(r.behind / SAME_M) == place]) for place in places]


def _joined(wheels: Sequence[Ring]) -> Ring:
    """Wheels at one place, as one ring."""
    stiffness, stall = sum(each.stiffness for each in wheels), sum(each.stall for each in wheels)
    lasting = sum(each.lasting for each in wheels)
    found = replace(wheels[0], stiffness=stiffness, stall=stall, lasting=lasting)
    return replace(found, count=len(wheels))


def _lasting(drive: DriveMount) -> float:
    """Share of its stall force at which a drive's winding just does not become too hot."""
    stalled = drive.voltage * drive.stall_current * drive.thermal_resistance
    return min(sqrt((drive.hottest_c - AIR_C) / stalled), 1.0)


def _spine(body: Body) -> list[tuple[Part, float]]:
    """Parts from the front face to the back face, and how far behind the front they begin."""
    parts = {part.name: part for part in body.parts}
    back = next((face.part for face in body.faces if face.name == "back"), None)
    line: list[Part] = []
    while back is not None:
        line.append(parts[back])
        back = parts[back].parent
    behind, spine = 0.0, []
    for part in reversed(line):
        behind -= part.at[0]
        spine.append((part, behind))
    return spine


def _hinges(body: Body) -> list[float]:
    return [behind for part, behind in _spine(body) if part.joint and part.joint.kind == "hinge"]


def _balls(body: Body) -> list[tuple[float, float]]:
    """Centres of balls that fill the shells that touch a pipe."""
    return [
        ball
        for part, behind in _spine(body)
        for geom in part.geoms
        if geom.touches in (Touches.PIPE, Touches.ALL)
        for ball in _filled(geom, behind)
    ]


def _filled(geom: Geom, behind: float) -> list[tuple[float, float]]:
    middle, radius = behind - geom.at[0], geom.size[0]
    if geom.shape == "sphere":
        return [(middle, radius)]
    if geom.shape != "capsule":
        return []
    half = geom.size[1]
    return [(middle + share * half, radius) for share in (-1.0, 0.0, 1.0)]


def _merged(hinges: Sequence[float]) -> tuple[float, ...]:
    """Hinges next to each other are one joint."""
    groups: list[list[float]] = []
    for place in sorted(hinges):
        if groups and place - groups[-1][-1] <= UNIVERSAL_M:
            groups[-1].append(place)
        else:
            groups.append([place])
    return tuple(sum(group) / len(group) for group in groups)
