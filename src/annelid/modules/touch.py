"""T: the touch and camera module at the head (000 §2.1)."""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.shells import DARK, FLANGE, RADIUS, RED, STEEL, back, front, look
from annelid.robot.body import Body, Camera, Geom, Part, Ray, Touch, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType

CONE_DEG = 70.0
"""Contacts this far from straight ahead count as touch; the floor under the nose does not (LAB)."""


class TouchCamera(ModuleType):
    """A round nose that feels, four infrared rays 45° forward, and a 320 × 240 grey camera."""

    letter: ClassVar[str] = "T"
    wire_id: ClassVar[str] = "c"
    title: ClassVar[str] = "touch and camera"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Sense_front=3, Sense_side=1)

    length_mm: float = Field(default=28.0, gt=27)
    """A nose shorter than its diameter misfires in elbows (LAB)."""
    mass_g: float = Field(default=12.0, gt=0)
    infrared_range_mm: PositiveFloat = 150.0
    """How far the four infrared rays reach."""
    infrared_noise_mm: float = Field(default=0.5, ge=0)
    """Standard deviation of their readings."""

    def body(self) -> Body:
        straight = self.length - RADIUS
        hull = Geom(
            shape="capsule",
            size=(RADIUS, straight / 2),
            at=(-RADIUS - straight / 2, 0.0, 0.0),
            mass=self.mass,
            touches=Touches.ALL,
            colour=RED,
        )
        face = (
            look("sphere", (0.0042,), (-0.0022, 0.0, 0.0), (0.05, 0.05, 0.08, 1.0)),
            look("cylinder", (0.0062, 0.001), (-0.0022, 0.0, 0.0), STEEL),
            look("cylinder", (RADIUS * 1.005, FLANGE), (-self.length + FLANGE, 0.0, 0.0), DARK),
        )
        depth = RADIUS * (1 - cos(CONE_DEG * pi / 180))
        rays = []
        for name, clock in (("left", 0.0), ("up", pi / 2), ("right", pi), ("down", -pi / 2)):
            sideways = (0.0, cos(clock), sin(clock))
            at = (-RADIUS + RADIUS / sqrt(2), *(RADIUS / sqrt(2) * s for s in sideways[1:]))
            rays.append(
                Ray(
                    name=f"infrared_{name}",
                    part="front",
                    at=(at[0], at[1], at[2]),
                    direction=(sqrt(0.5), sqrt(0.5) * sideways[1], sqrt(0.5) * sideways[2]),
                    range=self.infrared_range_mm / 1000,
                    noise=self.infrared_noise_mm / 1000,
                )
            )
        return Body(
            parts=(Part(name="front", geoms=(hull, *face)),),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            sensors=(
                Touch(
                    name="nose",
                    part="front",
                    at=(-depth / 2 + 0.002, 0.0, 0.0),
                    zone=(depth / 2 + 0.002, 0.02, 0.02),
                ),
                *rays,
                Camera(name="camera", part="front", at=(0.003, 0.0, 0.0), noise=2.0),
            ),
            friction=self.friction,
        )
