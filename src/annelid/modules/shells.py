"""The outer shapes of modules: round against a pipe, flat against the ground.

The real modules are 27 mm across with flat sides.  Contact with a pipe is by capsules, which roll
and slide smoothly in a bore; contact with everything else is by boxes, because a round chain that
bends up and down is balanced on an edge and topples from any disturbance (LAB, snake gaits).

People see neither of them but a drum with two flanges, or a ball between two axles where a joint
is: geoms that touch nothing and weigh nothing.
"""

from __future__ import annotations

from typing import Literal

from annelid.robot.body import FORWARD, LEFT, UP, Face, Geom, Touches
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
UNSEEN: Colour = (0.0, 0.0, 0.0, 0.0)
"""For a geom that is felt and not seen."""

FLANGE = 0.0012
"""Half the thickness of the drawn flanges, m."""


def shell(
    start: float,
    end: float,
    *,
    mass: float,
    colour: Colour,
    radius: float = RADIUS,
    flat: float = FLAT,
    joint: bool = False,
) -> tuple[Geom, ...]:
    """A stretch of shell along x from ``start`` back to ``end`` (both negative or zero, m);
    ``joint``: it is the ball between two axes, which lies in its yokes and touches the ground in
    one point."""
    middle, half = (start + end) / 2, (start - end) / 2
    box = Geom(
        shape="box",
        size=(half, flat, flat),
        at=(middle, 0.0, 0.0),
        mass=mass,
        touches=Touches.NOTHING if joint else Touches.GROUND,
        colour=UNSEEN,
    )
    straight = half - radius
    long = straight > 0.5e-3
    round_ = Geom(
        shape="capsule" if long else "sphere",
        size=(radius, straight) if long else (radius,),
        at=(middle, 0.0, 0.0),
        touches=Touches.PIPE,
        colour=UNSEEN,
    )
    if not joint:
        return (box, round_, *_drum(start, end, radius, colour))
    ball = Geom(
        shape="sphere",
        size=(flat,),
        at=(middle, 0.0, 0.0),
        touches=Touches.GROUND,
        colour=UNSEEN,
    )
    return (box, ball, round_, *_joint(middle, radius, colour))


def look(
    shape: Literal["sphere", "capsule", "cylinder", "box", "ellipsoid"],
    size: tuple[float, ...],
    at: Vec3,
    colour: Colour,
    *,
    axis: Vec3 = FORWARD,
) -> Geom:
    """Something to see: it touches nothing and weighs nothing."""
    return Geom(shape=shape, size=size, at=at, axis=axis, touches=Touches.NOTHING, colour=colour)


def _drum(start: float, end: float, radius: float, colour: Colour) -> tuple[Geom, ...]:
    """A can between two flanges."""
    middle, half = (start + end) / 2, (start - end) / 2
    return (
        look("cylinder", (radius * 0.92, half - FLANGE), (middle, 0.0, 0.0), colour),
        *(
            look("cylinder", (radius * 0.99, FLANGE), (x, 0.0, 0.0), DARK)
            for x in (start - FLANGE - 0.0002, end + FLANGE + 0.0002)
        ),
    )


def _joint(middle: float, radius: float, colour: Colour) -> tuple[Geom, ...]:
    """A ball with the ends of its axles: upright at the front, across at the back."""
    axle = radius * 0.22
    return (
        look("sphere", (radius * 0.86,), (middle, 0.0, 0.0), colour),
        look("cylinder", (axle, radius * 0.95), (middle, 0.0, 0.0), DARK, axis=UP),
        look("cylinder", (axle, radius * 0.95), (middle, 0.0, 0.0), DARK, axis=LEFT),
    )


def front() -> Face:
    return Face(name="front", part="front", at=(0.0, 0.0, 0.0))


def back(part: str, at: Vec3) -> Face:
    return Face(name="back", part=part, at=at, turn=TURNED_BACK)
