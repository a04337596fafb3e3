"""Pitch and roll from the direction of gravity (001 eqs 6-7).

**Sensor frame** (001): x lateral to the right, y along the chain towards the head, z up.  At rest
the accelerometer reads ``a = Rᵀ·(0, 0, g)`` with ``R = Rz(heading)·Rx(pitch)·Ry(roll)``: pitch
about the lateral axis, positive with the nose up; roll about the chain axis, positive with the
right side down.  The heading cannot be seen.

**Body frame** (``annelid.robot.body``): x along the chain, y left, z up.  ``to_sensor`` and
``to_body`` go between the two.  MDL has a third one, with z along the chain (FACTS §1).
"""

from __future__ import annotations

from math import atan2, cos, hypot, sin

from annelid.spec import Vec3


def pitch_and_roll(ax: float, ay: float, az: float) -> tuple[float, float]:
    """001 eqs 6 and 7: pitch in [-π/2, π/2] and roll in (-π, π], rad, from any unit of a.

    Exact while the module is at rest.  Straight up or down roll has no meaning; in free fall
    neither has (the answer is then 0).
    """
    return atan2(ay, hypot(ax, az)), atan2(-ax, az)


def gravity_at_rest(pitch: float, roll: float, g: float = 9.81) -> Vec3:
    """What the accelerometer reads at rest, m/s²: the inverse of ``pitch_and_roll``."""
    return (-g * cos(pitch) * sin(roll), g * sin(pitch), g * cos(pitch) * cos(roll))


def to_sensor(v: Vec3) -> Vec3:
    """A vector of the body frame (forward, left, up) as the accelerometer names it."""
    forward, left, up = v
    return (-left, forward, up)


def to_body(v: Vec3) -> Vec3:
    """A vector of the sensor frame (right, forward, up) as the body names it."""
    right, forward, up = v
    return (forward, -right, up)
