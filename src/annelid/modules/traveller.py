"""V: the traveller module, three sprung wheels with encoders that measure the way (001 §3.3.6)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.shells import DARK, STEEL, back, front, shell
from annelid.modules.wheels import WheelRing
from annelid.robot.body import Body, Encoder, Part
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType


class Traveller(ModuleType):
    letter: ClassVar[str] = "V"
    wire_id: ClassVar[str] = "v"
    title: ClassVar[str] = "traveller"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of()

    length_mm: float = Field(default=30.0, gt=0)
    mass_g: float = Field(default=15.0, gt=0)
    wheel_radius_mm: PositiveFloat = 5.0
    """Of each wheel."""
    free_radius_mm: PositiveFloat = 24.0
    """From the module's axis to the outside of a wheel, springs relaxed: bores of up to 48 mm."""
    travel_mm: PositiveFloat = 7.0
    """How far a spring lets a wheel in."""
    spring_n_m: PositiveFloat = 20.0
    """Stiffness of the spring that presses a wheel against the wall.  Wheels that are pressed
    harder measure better, and stick at the edges of branches: in default runs with 60 N/m three
    robots of three, with 100 N/m two of three, with 20 N/m none of four."""
    wheel_friction: PositiveFloat = 0.7
    """Of the wheels against the wall."""
    wheel_damping: float = Field(default=1e-7, ge=0)
    """Torque per speed that stops a wheel which has lost the wall, N·m·s/rad (001 §3.3.6)."""
    resolution_mm: PositiveFloat = 0.0077
    """A count of a 12-bit encoder.  A coarse one does not do: the largest of three rounded
    advances of 0.5 mm is 6 % too long at 0.1 mm, however well the wheels roll."""

    def body(self) -> Body:
        ring = WheelRing(
            name="wheel",
            x=-self.length / 2,
            wheel_radius=self.wheel_radius_mm / 1000,
            free_radius=self.free_radius_mm / 1000,
            travel=self.travel_mm / 1000,
            stiffness=self.spring_n_m,
            friction=self.wheel_friction,
            colour=DARK,
            spring_damping=0.5,
            turn_damping=self.wheel_damping,
        )
        hull = self.mass - ring.mass
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -self.length, mass=hull, colour=STEEL)),
                *ring.parts("front"),
            ),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            sensors=tuple(
                Encoder(
                    name=f"encoder{k}",
                    joint=hinge,
                    wheel_radius=ring.wheel_radius,
                    resolution=self.resolution_mm / 1000,
                )
                for k, hinge in enumerate(ring.hinges)
            ),
            friction=self.friction,
        )
