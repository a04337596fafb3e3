"""S: the support module, three arms that spread against the pipe and hold (000 §2.3).

One servo moves all three arms and sends more of its torque to one of them (001 §3.3.3).
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, pi, radians, sin
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.modules.shells import DARK, GREEN, STEEL, back, front, look, shell
from annelid.robot.body import Body, Geom, Joint, Part, ServoMount, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, Forbidden, ModuleType, Pose
from annelid.robot.service import Serves

ARM_MASS = 0.0015
TIP_RADIUS = 0.003


class Support(ModuleType):
    letter: ClassVar[str] = "S"
    wire_id: ClassVar[str] = "s"
    title: ClassVar[str] = "support"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities("03000000000000000")
    serves: ClassVar[tuple[Serves, ...]] = (Serves(actuator="grip", capability="Sup"),)

    length_mm: float = Field(default=35.0, gt=0)
    mass_g: float = Field(default=24.0, gt=0)
    folded_radius_mm: PositiveFloat = 13.5
    """From the axis to the tips, arms folded."""
    spread_radius_mm: PositiveFloat = 21.0
    """From the axis to the tips, arms spread."""
    sweep_deg: float = Field(default=90.0, gt=0, le=170)
    """Servo angle from folded to spread."""
    tip_friction: PositiveFloat = 0.8
    """Of the tips against the wall."""
    lead_share: float = Field(default=0.5, ge=1 / 3, lt=1)
    """Of the servo's torque at the lead arm; the other two share the rest."""
    servo: ServoChoice = MICROTUB.model_copy(update={"trip": None})
    """Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        reach = (self.spread_radius_mm - self.folded_radius_mm) / 1000
        hub = self.folded_radius_mm / 1000 - TIP_RADIUS
        arms = []
        for k in range(3):
            angle = pi / 2 + 2 * pi * k / 3
            outward = (0.0, cos(angle), sin(angle))
            arms.append(
                Part(
                    name=f"arm{k}",
                    parent="front",
                    at=(-self.length / 2, hub * outward[1], hub * outward[2]),
                    joint=Joint(
                        name=f"arm{k}", kind="slide", axis=outward, range=(0.0, reach), damping=2.0
                    ),
                    geoms=(
                        Geom(
                            shape="sphere",
                            size=(TIP_RADIUS,),
                            mass=ARM_MASS,
                            friction=self.tip_friction,
                            touches=Touches.ALL,
                            colour=DARK,
                        ),
                        look(
                            "cylinder",
                            (TIP_RADIUS * 0.5, hub / 2),
                            (0.0, -hub / 2 * outward[1], -hub / 2 * outward[2]),
                            STEEL,
                            axis=outward,
                        ),
                        look("cylinder", (TIP_RADIUS * 0.8, 0.007), (0.0, 0.0, 0.0), DARK),
                    ),
                )
            )
        rest = (1 - self.lead_share) / 2
        hull = shell(0.0, -self.length, mass=self.mass - 3 * ARM_MASS, colour=GREEN, radius=0.0125)
        return Body(
            parts=(Part(name="front", geoms=hull), *arms),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            mounts=(
                ServoMount(
                    name="grip",
                    servo=self.servo,
                    joints=("arm0", "arm1", "arm2"),
                    shares=(self.lead_share, rest, rest),
                    gear=radians(self.sweep_deg) / reach,
                ),
            ),
            friction=self.friction,
        )

    def actions(self) -> Mapping[Action, Pose]:
        """To a support module "extend" means: grip."""
        return {
            Action.EXTEND: {"grip": radians(self.sweep_deg)},
            Action.CONTRACT: {"grip": 0.0},
        }

    def forbidden(self) -> tuple[Forbidden, ...]:
        return (
            Forbidden(
                actuator="grip",
                above=radians(self.sweep_deg),
                reason="the links of the arms would be in line: a singular point (000 §4.1.3)",
            ),
        )
