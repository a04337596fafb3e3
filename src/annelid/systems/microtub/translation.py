"""What neutral commands mean to the actuators of one module (000 §5).

Everything is read from the module type: its ``actions()`` say what "extend" is to it, its mounts
what a servo's number and travel are, its ``forbidden()`` which angles may break it.  A new module
type has its own meaning of EX without a line here.

Servos are numbered from 1 in the order in which the body has them.  An Angle (-90° to 90°) is the
angle of a servo; of a linear servo it is a part of its travel, -90° at the short end; of a drive it
is a part of full speed (proposed).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import degrees, isnan, radians
from typing import Final

from annelid.electronics.board import Board
from annelid.robot.body import Body, DriveMount, LinearMount, Mount
from annelid.robot.module import Action, ModuleType, Pose

TOLERANCE: Final = 1e-6
"""Of the limits: 90° as a float of radians, m or rad."""


@dataclass(frozen=True)
class Actuator:
    """One servo of the module, as the wire counts it."""

    number: int
    name: str
    kind: str
    """``servo``, ``linear`` or ``drive``."""
    low: float
    high: float

    def value(self, angle_deg: float) -> float:
        """What the servo is told for this Angle."""
        if self.kind == "servo":
            return radians(angle_deg)
        if self.kind == "drive":
            return angle_deg / 90
        return self.low + (angle_deg + 90) / 180 * (self.high - self.low)

    def angle(self, value: float) -> int:
        """The Angle of where it stands, within what the wire can carry."""
        if self.kind == "servo":
            shown = degrees(value)
        elif self.kind == "drive":
            shown = value * 90
        else:
            shown = (value - self.low) / (self.high - self.low) * 180 - 90
        return round(min(max(shown, -90.0), 90.0))


class Translation:
    """Of one module; knows its type and body, and moves nothing."""

    def __init__(self, module: ModuleType, body: Body) -> None:
        self.module = module
        self.actuators = tuple(
            _actuator(number, mount, body) for number, mount in enumerate(body.mounts, 1)
        )
        self._actions = module.actions()
        self._forbidden = module.forbidden()
        self._by_name = {actuator.name: actuator for actuator in self.actuators}

    def action(self, action: Action) -> Pose | None:
        """None: this module cannot help with that."""
        return self._actions.get(action)

    def servo(self, number: int) -> Actuator | None:
        """None: it has no such servo."""
        return self.actuators[number - 1] if number <= len(self.actuators) else None

    def rest(self) -> Pose:
        """The pose of least friction."""
        return {**dict.fromkeys(self._by_name, 0.0), **self.module.rest()}

    def refusal(self, pose: Pose) -> tuple[int, str] | None:
        """Number of the servo and reason, if the module would be harmed (000 §4.1.3)."""
        for name, value in pose.items():
            actuator = self._by_name[name]
            if not actuator.low - TOLERANCE <= value <= actuator.high + TOLERANCE:
                return actuator.number, "beyond the end of its travel"
            for rule in self._forbidden:
                below = rule.below is not None and value < rule.below - TOLERANCE
                above = rule.above is not None and value > rule.above + TOLERANCE
                if rule.actuator == name and (below or above):
                    return actuator.number, rule.reason
        return None

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


def apply(pose: Mapping[str, float], board: Board) -> None:
    """Command the servos that the board has; a servo that has the command already is left alone."""
    for name, value in pose.items():
        if name in board.servos:
            servo = board.servos[name]
            if isnan(servo.target) or servo.target != value:
                servo.target = value


def _actuator(number: int, mount: Mount, body: Body) -> Actuator:
    if isinstance(mount, DriveMount):
        return Actuator(number, mount.name, "drive", -1.0, 1.0)
    joint = mount.joint if isinstance(mount, LinearMount) else mount.joints[0]
    gear = 1.0 if isinstance(mount, LinearMount) else mount.gear
    travel = next((p.joint.range for p in body.parts if p.joint and p.joint.name == joint), None)
    low, high = travel or (-float("inf"), float("inf"))
    kind = "linear" if isinstance(mount, LinearMount) else "servo"
    return Actuator(number, mount.name, kind, low * gear, high * gear)
