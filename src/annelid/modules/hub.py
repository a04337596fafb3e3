"""Y: the trunk of a climber; legs can be placed anywhere on it (003 §3)."""

from __future__ import annotations

from math import cos, hypot, radians, sin
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.shells import DARK, STEEL, Colour, look
from annelid.robot.body import UP, Accelerometer, Body, Face, Geom, Part, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType
from annelid.spec import Quat, Spec

SHELL: Colour = (0.20, 0.45, 0.78, 1.0)


class LegPlace(Spec):
    """Where a leg is mounted, from the trunk's centre; ``yaw_deg`` is its outward direction, from
    straight ahead to the left."""

    x_mm: float
    """Ahead of the trunk's centre."""
    y_mm: float
    """To the left of it."""
    yaw_deg: float
    """Outward direction of the leg, from straight ahead to the left."""


HEXAPOD: tuple[LegPlace, ...] = (
    LegPlace(x_mm=116.92, y_mm=63.87, yaw_deg=45),
    LegPlace(x_mm=0, y_mm=103, yaw_deg=90),
    LegPlace(x_mm=-116.92, y_mm=63.87, yaw_deg=135),
    LegPlace(x_mm=-116.92, y_mm=-63.87, yaw_deg=-135),
    LegPlace(x_mm=0, y_mm=-103, yaw_deg=-90),
    LegPlace(x_mm=116.92, y_mm=-63.87, yaw_deg=-45),
)
"""Of a hexapod with the same servos (FACTS §4); ROMHEX's own are not printed."""


class Hub(ModuleType):
    """Faces ``leg1``, ``leg2`` … in the order of ``places``; z is away from the surface."""

    letter: ClassVar[str] = "Y"
    wire_id: ClassVar[str] = "y"
    title: ClassVar[str] = "trunk"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(PS=3)

    length_mm: float = Field(default=240.0, gt=0)
    mass_g: float = Field(default=1440.0, gt=0)
    """With six legs of 260 g the robot is 3.0 kg (FACTS §4)."""
    height_mm: PositiveFloat = 40.0
    """Of the trunk's box."""
    places: tuple[LegPlace, ...] = HEXAPOD
    """Where its legs are mounted."""

    def body(self) -> Body:
        high = self.height_mm / 2000
        inner = min((hypot(p.x_mm, p.y_mm) for p in self.places), default=100.0) / 1000
        side = inner * 0.62
        box = Geom(
            shape="box",
            size=(side, side, high),
            mass=self.mass,
            touches=Touches.GROUND,
            colour=SHELL,
        )
        spokes = tuple(
            look(
                "capsule",
                (high * 0.5, hypot(p.x_mm, p.y_mm) / 2000),
                (p.x_mm / 2000, p.y_mm / 2000, 0.0),
                STEEL,
                axis=(p.x_mm, p.y_mm, 0.0),
            )
            for p in self.places
        )
        eye = look("cylinder", (0.012, high * 1.15), (side * 0.7, 0.0, 0.0), DARK, axis=UP)
        return Body(
            parts=(Part(name="trunk", geoms=(box, eye, *spokes)),),
            faces=tuple(
                Face(
                    name=f"leg{number}",
                    part="trunk",
                    at=(p.x_mm / 1000, p.y_mm / 1000, 0.0),
                    turn=_about_z(p.yaw_deg),
                )
                for number, p in enumerate(self.places, 1)
            ),
            sensors=(Accelerometer(name="accelerometer", part="trunk", noise=0.02),),
            friction=self.friction,
            radius=0.1,
        )


def _about_z(angle_deg: float) -> Quat:
    half = radians(angle_deg) / 2
    return cos(half), 0.0, 0.0, sin(half)
