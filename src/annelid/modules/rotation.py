"""R: the rotation module, two servos that bend the chain left-right and up-down (000 §2.2)."""

from __future__ import annotations

from collections.abc import Mapping
from math import radians
from typing import ClassVar

from pydantic import Field

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.modules.shells import BLUE, STEEL, back, front, shell
from annelid.robot.body import LEFT, Accelerometer, Body, Joint, Part, ServoMount
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, ModuleType, Pose
from annelid.robot.service import Serves


class Rotation(ModuleType):
    """Yaw at the front axis, pitch at the back one.  Positive yaw turns the front to the left
    of the back; positive pitch raises the front."""

    letter: ClassVar[str] = "R"
    wire_id: ClassVar[str] = "r"
    title: ClassVar[str] = "rotation"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities("00003300000003000")
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="yaw", capability="RotY"),
        Serves(actuator="pitch", capability="RotX"),
    )
    unit: ClassVar[tuple[float, ...]] = (1.0, -2.0, 1.0)

    length_mm: float = Field(default=34.0, gt=0)
    mass_g: float = Field(default=22.0, gt=0)
    axes_apart_mm: float = Field(default=10.0, gt=0)
    """Between the yaw axis and the pitch axis."""
    bend_deg: float = Field(default=90.0, gt=0, le=90)
    """Either axis turns this far to both sides; the servos allow 90 (000 §2.2)."""
    servo: ServoChoice = MICROTUB
    """Of both axes. Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        gap = self.axes_apart_mm / 1000
        end = (self.length - gap) / 2
        limit = radians(self.bend_deg)
        # The chain is rooted at its head: a joint turns the part behind it.  Seen from behind,
        # the front then turns the other way, hence the negative axes.
        yaw = Joint(name="yaw", kind="hinge", axis=(0.0, 0.0, -1.0), range=(-limit, limit))
        pitch = Joint(name="pitch", kind="hinge", axis=LEFT, range=(-limit, limit))
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -end, mass=self.mass * 0.3, colour=BLUE)),
                Part(
                    name="middle",
                    parent="front",
                    at=(-end, 0.0, 0.0),
                    joint=yaw,
                    geoms=shell(0.0, -gap, mass=self.mass * 0.4, colour=STEEL, joint=True),
                ),
                Part(
                    name="back",
                    parent="middle",
                    at=(-gap, 0.0, 0.0),
                    joint=pitch,
                    geoms=shell(0.0, -end, mass=self.mass * 0.3, colour=BLUE),
                ),
            ),
            faces=(front(), back("back", (-end, 0.0, 0.0))),
            mounts=(
                ServoMount(name="yaw", servo=self.servo, joints=("yaw",)),
                ServoMount(name="pitch", servo=self.servo, joints=("pitch",)),
            ),
            sensors=(Accelerometer(name="accelerometer", part="middle", noise=0.05),),
            friction=self.friction,
        )

    def actions(self) -> Mapping[Action, Pose]:
        """Alone it turns; three in a row extend and contract by straightening and arching, each
        taking its share (``unit``) of the arch (000 §6: three adjacent R are an extension unit)."""
        return {
            Action.TURN: {"yaw": radians(self.bend_deg)},
            Action.EXTEND: {"yaw": 0.0, "pitch": 0.0},
            Action.CONTRACT: {"yaw": 0.0, "pitch": radians(self.bend_deg) / 2},
        }
