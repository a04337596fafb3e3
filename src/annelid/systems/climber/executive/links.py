"""Links control (003 §4.4.5): turns the feet that behaviours want into joint commands.

**Who is heard** is a table of the project's arbiters: on each channel the higher level overrides
the lower, and of the equals of level 2 only the holder of the token moves legs.  A movement may
therefore be overridden half done.  A behaviour that a plugin adds is heard by its level.

**What becomes of it**: feet in the world become feet in the body (eqs 3-4), these joints, and to
the joints comes what the servos must lead by to bear their load: ``q + τ/k``.  Without that lead
a body on springs sags, feet strain against each other, and a ceiling walk falls (LAB).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.behaviour import ByToken, Fusion, Level, Suppress
from annelid.systems.climber.executive.forces import ForceModel, Loads
from annelid.systems.climber.executive.pose import BodyPose

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

BODY = "body"
TOKEN = "legs"
CRITICAL, RECOVERY = "critical exception handler", "blocking recovery"
SAFETY, ALLOCATION = "leg safety", "leg allocation"
TRAJECTORY = "trajectory tracking"
CYCLIC = "cyclic movement"
LEVELS = (3, 2, 1)
"""Of the planner (003 §4), the highest first."""


def channel(leg: int) -> str:
    """Of a leg, counted from 0; people count from 1."""
    return f"leg {leg + 1}"


@dataclass(frozen=True)
class LegCommand:
    """Where a leg shall be: its foot in the world, or its joints; and whether its cup runs."""

    foot: Floats | None = None
    joints: Floats | None = None
    grip: bool = True


def priorities(legs: int) -> Fusion:
    """The table: the first that speaks is heard."""
    high, middle, low = map(Level, LEVELS)
    leg = Suppress(high, ByToken(TOKEN, middle), low)
    body = Suppress(high, middle, low)
    return Fusion({BODY: body} | {channel(k): leg for k in range(legs)})


class LinksControl:
    """From poses and feet to servo targets."""

    def __init__(self, forces: ForceModel) -> None:
        self._forces = forces
        self._legs = forces.legs

    def joints(
        self, body: BodyPose, anchors: Floats, commands: Mapping[int, LegCommand]
    ) -> tuple[Floats, list[int]]:
        """Joints for all legs, and those whose foot is out of reach (their row is NaN)."""
        feet = anchors
        if commands:
            feet = anchors.copy()
            for leg, command in commands.items():
                if command.foot is not None:
                    feet[leg] = command.foot
        q = self._legs.inverse(body.into(feet))
        for leg, command in commands.items():
            if command.joints is not None:
                q[leg] = command.joints
        beyond = np.flatnonzero(self._legs.margin(q) < 0.0)
        return q, [int(k) for k in beyond]

    def lead(
        self, q: Floats, gravity: Floats, grips: Floats, normal: Floats
    ) -> tuple[Floats, Loads]:
        """How far servos must be told beyond where they shall be, and the loads behind it."""
        loads = self._forces.loads(q, gravity, grips, normal=normal, even=True)
        limit = self._forces.grip.torque
        return np.clip(loads.torques, -limit, limit) / self._forces.stiffness, loads
