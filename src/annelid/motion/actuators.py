"""All actuators of a robot in one numbered row: ``R1.yaw``, ``R1.pitch``, ``H1.drive`` …

Every mount of every module, in the order of the robot (head first).  Values are in the actuator's
own unit: servo angle in rad, linear servo in m, drive level from -1 to 1.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import degrees, radians

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.robot import Placed, Robot
from annelid.robot.body import LinearMount, Mount, ServoMount, mount_joints

NAMES_SHOWN = 8


class ActuatorRow:
    def __init__(self, robot: Robot) -> None:
        pairs = [(module, mount) for module in robot.modules for mount in module.body.mounts]
        self.names: tuple[str, ...] = tuple(f"{m.name}.{mount.name}" for m, mount in pairs)
        self._places: Mapping[tuple[str, str], int] = {
            (module.name, mount.name): place for place, (module, mount) in enumerate(pairs)
        }
        self._mounts: Sequence[Mount] = [mount for _, mount in pairs]
        self.rest: NDArray[np.float64] = np.array(
            [module.type.rest().get(mount.name, 0.0) for module, mount in pairs], float
        )

    def has(self, module: Placed, mount: str) -> bool:
        return (module.name, mount) in self._places

    def place(self, module: Placed, mount: str) -> int:
        return self._places[module.name, mount]

    def servos(self, module: Placed) -> list[int]:
        """The places of what can be released: servos, rotary and linear."""
        return [
            self._places[module.name, mount.name]
            for mount in module.body.mounts
            if isinstance(mount, ServoMount | LinearMount)
        ]

    def from_human(self, module: Placed, place: int, value: float, *, where: str) -> float:
        """Degrees, mm or level to the actuator's unit; refused where the joint cannot go."""
        mount = self._mounts[place]
        if isinstance(mount, ServoMount):
            si, unit, gear = radians(value), "°", mount.gear
        elif isinstance(mount, LinearMount):
            si, unit, gear = value / 1000, " mm", 1.0
        else:
            si, unit, gear = value, "", 1.0
        low, high = (-1.0, 1.0) if unit == "" else travel(module, mount, gear)
        if not low - 1e-9 <= si <= high + 1e-9:
            ends = [degrees(e) if unit == "°" else e * 1000 if unit else e for e in (low, high)]
            raise InputError(
                f"{where}: {self.names[place]}: expected {ends[0]:.4g} to {ends[1]:.4g}{unit}, "
                f"got {value:g}{unit}"
            )
        return si

    def inventory(self) -> str:
        """What the robot has, for messages: ``yaw (R1, R2), drive (H1)``."""
        owners: dict[str, list[str]] = {}
        for name in self.names:
            module, _, mount = name.partition(".")
            owners.setdefault(mount, []).append(module)
        shown = [
            f"{mount} ({', '.join(who[:NAMES_SHOWN])}{', …' if len(who) > NAMES_SHOWN else ''})"
            for mount, who in owners.items()
        ]
        return ", ".join(shown) or "no actuators at all"


def travel(module: Placed, mount: Mount, gear: float) -> tuple[float, float]:
    """What the narrowest of the mount's joints allows, in the actuator's unit."""
    moved = mount_joints(mount)
    ranges = [
        part.joint.range
        for part in module.body.parts
        if part.joint is not None and part.joint.name in moved and part.joint.range is not None
    ]
    low = max((low for low, _ in ranges), default=-np.inf)
    high = min((high for _, high in ranges), default=np.inf)
    return float(low * gear), float(high * gear)
