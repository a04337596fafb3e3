"""H: the helicoidal module, a rotating head with wheels at 15° that screws itself forward.

The head is modelled by its effect (as 001 §3.3.2 does): the front ring of wheels, locked
together as one head, is driven along the pipe with the force of a motor,
``F = F_stall·(1 - v/v0)``, and only through wheels that touch.  The rear ring rolls freely and
keeps the body from turning.  ``free_speed_cm_s`` and ``stall_weight`` are fitted on the measured
speeds at 0° and 90° (000 Table 10); 30° and 60° are predicted (claim A3).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.shells import DARK, ORANGE, back, front, shell
from annelid.modules.wheels import WheelRing
from annelid.robot.body import Body, DriveMount, Part
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, ModuleType, Pose
from annelid.robot.service import Serves

GRAVITY = 9.81


class Helicoidal(ModuleType):
    letter: ClassVar[str] = "H"
    wire_id: ClassVar[str] = "h"
    title: ClassVar[str] = "helicoidal"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities("00310000000000000")
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="drive", capability="Push_pipe"),
        Serves(actuator="drive", capability="Push_flat"),
    )

    length_mm: float = Field(default=32.0, gt=0)
    mass_g: float = Field(default=50.0, gt=0)
    rings_apart_mm: PositiveFloat = 14.0
    """Wider rings jam in a 60 mm elbow (LAB)."""
    wheel_radius_mm: PositiveFloat = 4.0
    """Of each wheel."""
    free_radius_mm: PositiveFloat = 22.5
    """From the module's axis to the outside of a wheel, springs relaxed."""
    travel_mm: PositiveFloat = 5.5
    """How far a spring lets a wheel in."""
    spring_n_m: PositiveFloat = 200.0
    """Stiffness of the spring that presses a wheel against the wall."""
    preload_mm: float = Field(default=0.0, ge=0, le=50)
    """How far each spring is pressed already while its wheel is out at its stop."""
    wheel_friction: PositiveFloat = 0.8
    """Of the wheels against the wall."""
    free_speed_cm_s: PositiveFloat = 3.05
    """Along the pipe, without load."""
    stall_weight: PositiveFloat = 1.70
    """Stall force in multiples of the module's own weight as built."""
    stall_current_a: PositiveFloat = 0.417
    """Of the motor when it is held."""

    def body(self) -> Body:
        half = self.rings_apart_mm / 2000
        rings = tuple(
            WheelRing(
                name=name,
                x=-self.length / 2 + offset,
                wheel_radius=self.wheel_radius_mm / 1000,
                free_radius=self.free_radius_mm / 1000,
                travel=self.travel_mm / 1000,
                stiffness=self.spring_n_m,
                friction=self.wheel_friction,
                colour=DARK,
                preload=self.preload_mm / 1000,
            )
            for name, offset in (("head", half), ("tail", -half))
        )
        head, tail = rings
        hull = self.mass - head.mass - tail.mass
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -self.length, mass=hull, colour=ORANGE)),
                *head.parts("front"),
                *tail.parts("front"),
            ),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            mounts=(
                DriveMount(
                    name="drive",
                    joints=head.hinges,
                    wheel_radius=head.wheel_radius,
                    free_speed=self.free_speed_cm_s / 100,
                    stall_force=self.stall_weight * 0.050 * GRAVITY,
                    stall_current=self.stall_current_a,
                ),
            ),
            locked=(head.hinges,),
            friction=self.friction,
        )

    def actions(self) -> Mapping[Action, Pose]:
        return {Action.PUSH: {"drive": 1.0}}
