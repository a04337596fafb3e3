"""A rotation module whose servos have other names, another order, and one turned round."""

from __future__ import annotations

from typing import ClassVar

from annelid.modules.rotation import Rotation
from annelid.robot import Action, Pose, Serves
from annelid.robot.body import Body, Joint, Part, ServoMount


class OddJoint(Rotation):
    """``b7`` raises the front when it is told less; it stands before ``a4`` in the body."""

    letter: ClassVar[str] = "O"
    wire_id: ClassVar[str] = "w"
    title: ClassVar[str] = "odd joint"
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="b7", capability="RotX", sign=-1),
        Serves(actuator="a4", capability="RotY"),
    )

    gear: float = 1.0
    """Of the servo that bends up and down."""

    def body(self) -> Body:
        plain = super().body()
        parts = tuple(_turned(part) if part.name == "back" else part for part in plain.parts)
        up = ServoMount(name="b7", servo=self.servo, joints=("pitch",), gear=self.gear)
        aside = ServoMount(name="a4", servo=self.servo, joints=("yaw",))
        return plain.model_copy(update={"parts": parts, "mounts": (up, aside)})

    def actions(self) -> dict[Action, Pose]:
        return {}


def _turned(part: Part) -> Part:
    joint = part.joint
    assert isinstance(joint, Joint)
    x, y, z = joint.axis
    return part.model_copy(update={"joint": joint.model_copy(update={"axis": (-x, -y, -z)})})
