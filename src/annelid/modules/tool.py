"""G: the tool module, a gripper with a drill between its jaws (MDL Grab and Drill)."""

from __future__ import annotations

from collections.abc import Mapping
from math import radians
from typing import ClassVar

from pydantic import Field

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.modules.shells import DARK, STEEL, VIOLET, back, front, shell
from annelid.robot.body import UP, Body, Geom, Joint, Part, ServoMount, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, ModuleType, Pose

JAW_LENGTH = 0.012
OPEN_DEG = 40.0


class Tool(ModuleType):
    """Jaws open sideways in front of the module; a spindle turns on the chain axis."""

    letter: ClassVar[str] = "G"
    wire_id: ClassVar[str] = "g"
    title: ClassVar[str] = "tool"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Grab=3, Drill=3)

    length_mm: float = Field(default=35.0, gt=15)
    mass_g: float = Field(default=20.0, gt=0)
    servo: ServoChoice = MICROTUB
    """Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        wrist = -JAW_LENGTH
        jaws = tuple(
            Part(
                name=f"jaw_{name}",
                parent="front",
                at=(wrist, side * 0.004, 0.0),
                joint=Joint(
                    name=f"jaw_{name}",
                    kind="hinge",
                    axis=(0.0, 0.0, side * UP[2]),
                    range=(0.0, radians(OPEN_DEG)),
                    damping=1e-5,
                ),
                geoms=(
                    Geom(
                        shape="box",
                        size=(JAW_LENGTH / 2, 0.0015, 0.004),
                        at=(JAW_LENGTH / 2, 0.0, 0.0),
                        mass=0.001,
                        colour=STEEL,
                    ),
                ),
            )
            for name, side in (("left", 1.0), ("right", -1.0))
        )
        spindle = Part(
            name="spindle",
            parent="front",
            at=(wrist, 0.0, 0.0),
            joint=Joint(name="spindle", kind="hinge", axis=(1.0, 0.0, 0.0), damping=1e-6),
            geoms=(
                Geom(
                    shape="capsule",
                    size=(0.0015, 0.004),
                    at=(0.004, 0.0, 0.0),
                    mass=0.001,
                    touches=Touches.NOTHING,
                    colour=DARK,
                ),
            ),
        )
        hull = shell(wrist, -self.length, mass=self.mass - 0.003, colour=VIOLET)
        return Body(
            parts=(Part(name="front", geoms=hull), *jaws, spindle),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            mounts=(
                ServoMount(
                    name="grab",
                    servo=self.servo,
                    joints=("jaw_left", "jaw_right"),
                    shares=(0.5, 0.5),
                ),
                ServoMount(name="drill", servo=self.servo, joints=("spindle",)),
            ),
            friction=self.friction,
        )

    def actions(self) -> Mapping[Action, Pose]:
        return {
            Action.EXTEND: {"grab": radians(OPEN_DEG)},
            Action.CONTRACT: {"grab": 0.0},
        }
