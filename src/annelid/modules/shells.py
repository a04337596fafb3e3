"""Shells: round to a pipe, flat-sided to the ground.

The real modules are 27 mm across with flat sides.  Contact with a pipe is by capsules, which roll
and slide smoothly in a bore; contact with everything else is by boxes, because a round chain that
bends up and down is balanced on an edge and topples from any disturbance (LAB, snake gaits).
"""

from __future__ import annotations

from annelid.robot.body import Face, Geom, Touches
from annelid.spec import Quat, Vec3

RADIUS = 0.0135
"""Half of the modules' 27 mm diameter (000 §2), m."""

FLAT = 0.0115
"""Half the distance between opposite flat sides, m."""

TURNED_BACK: Quat = (0.0, 0.0, 0.0, 1.0)
"""Half a turn about z: the outward normal of a back face."""

Colour = tuple[float, float, float, float]

STEEL: Colour = (0.62, 0.65, 0.70, 1.0)
ORANGE: Colour = (0.93, 0.53, 0.18, 1.0)
BLUE: Colour = (0.20, 0.45, 0.78, 1.0)
GREEN: Colour = (0.33, 0.62, 0.36, 1.0)
RED: Colour = (0.80, 0.28, 0.25, 1.0)
VIOLET: Colour = (0.50, 0.36, 0.66, 1.0)
DARK: Colour = (0.22, 0.24, 0.28, 1.0)


def shell(
    start: float,
    end: float,
    *,
    mass: float,
    colour: Colour,
    radius: float = RADIUS,
    flat: float = FLAT,
) -> tuple[Geom, ...]:
    """A stretch of shell along x from ``start`` back to ``end`` (both negative or zero, m)."""
    middle, half = (start + end) / 2, (start - end) / 2
    box = Geom(
        shape="box",
        size=(half, flat, flat),
        at=(middle, 0.0, 0.0),
        mass=mass,
        touches=Touches.GROUND,
        colour=colour,
    )
    straight = half - radius
    if straight > 0.5e-3:
        round_ = Geom(
            shape="capsule",
            size=(radius, straight),
            at=(middle, 0.0, 0.0),
            touches=Touches.PIPE,
            colour=colour,
        )
    else:
        round_ = Geom(
            shape="sphere",
            size=(radius,),
            at=(middle, 0.0, 0.0),
            touches=Touches.PIPE,
            colour=colour,
        )
    return (box, round_)


def front() -> Face:
    return Face(name="front", part="front", at=(0.0, 0.0, 0.0))


def back(part: str, at: Vec3) -> Face:
    return Face(name="back", part=part, at=at, turn=TURNED_BACK)
