"""Translates neutral commands to the actuators of one module (000 §5).

Everything is read from the module type: its ``actions()`` say what "extend" is to it, its mounts
what a servo's number and travel are.  A new module type has its own meaning of EX without a line
here.  Which angles may break it is survival's business (``behaviours/survival``).

Servos are numbered from 1 (``ModuleType.servo_order``).  An Angle (-90° to 90°) is the angle of a
servo, and for one that bends the chain the bend, to the left or upwards, however the servo is
built in; of a linear servo it is a part of its travel, -90° at the short end; of a drive it is a
part of full speed (proposed).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import degrees, radians

from annelid.electronics.board import Board
from annelid.robot.body import Body, DriveMount, LinearMount, Mount
from annelid.robot.module import Action, ModuleType, Pose
from annelid.robot.service import HORIZONTAL, VERTICAL, travel


@dataclass(frozen=True)
class Actuator:
    """One servo of the module, as the wire counts it."""

    name: str
    kind: str
    """``servo``, ``linear`` or ``drive``."""
    low: float
    high: float
    factor: float = 1.0
    """Servo's angle for one radian of bend."""

    def value(self, angle_deg: float) -> float:
        """What the servo is told for this Angle."""
        if self.kind == "servo":
            return self.factor * radians(angle_deg)
        if self.kind == "drive":
            return angle_deg / 90
        return self.low + (angle_deg + 90) / 180 * (self.high - self.low)

    def angle(self, value: float) -> int:
        """The Angle of where it stands, within what the wire can carry."""
        if self.kind == "servo":
            shown = degrees(value / self.factor)
        elif self.kind == "drive":
            shown = value * 90
        else:
            shown = (value - self.low) / (self.high - self.low) * 180 - 90
        return round(min(max(shown, -90.0), 90.0))


class Translation:
    """Of one module; knows its type and body, and moves nothing."""

    def __init__(self, module: ModuleType, body: Body) -> None:
        self.module = module
        self._services = module.services(body)
        bends = {
            found.actuator: found.factor
            for axis in (HORIZONTAL, VERTICAL)
            if (found := self._services.get(axis)) is not None
        }
        mounts = {mount.name: mount for mount in body.mounts}
        self.actuators = tuple(
            _actuator(mounts[name], body, bends.get(name, 1.0)) for name in module.servo_order(body)
        )
        self._actions = module.actions()

    @property
    def waves(self) -> bool:
        """Whether a wave of the chain runs through this module."""
        return VERTICAL in self._services or HORIZONTAL in self._services

    def action(self, action: Action, place: int | None = None) -> Pose | None:
        """None: this module cannot help with that.

        With a ``place`` among its kind it takes its share of what a unit does.
        """
        pose = self._actions.get(action)
        if pose is None or place is None or action is not Action.CONTRACT:
            return pose
        return self.module.in_unit(pose, place)

    def servo(self, number: int) -> Actuator | None:
        """None: it has no such servo."""
        return self.actuators[number - 1] if number <= len(self.actuators) else None

    def extension_percent(self, board: Board) -> int | None:
        """From contracted (0) to extended (100); None: the module does neither."""
        far, near = self.action(Action.EXTEND), self.action(Action.CONTRACT)
        if far is None or near is None:
            return None
        shares = [
            (board.servos[name].angle - near[name]) / (far[name] - near[name])
            for name in far
            if name in near and name in board.servos and far[name] != near[name]
        ]
        if not shares:
            return None
        return round(100 * min(max(sum(shares) / len(shares), 0.0), 1.0))


def _actuator(mount: Mount, body: Body, factor: float) -> Actuator:
    low, high = travel(body, mount)
    kind = "servo"
    if isinstance(mount, DriveMount):
        kind = "drive"
    elif isinstance(mount, LinearMount):
        kind = "linear"
    return Actuator(mount.name, kind, low, high, factor)
