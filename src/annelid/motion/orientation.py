"""Pitch and roll from the direction of gravity (001 eqs 6-7).

**Sensor frame** (001): x lateral to the right, y along the chain towards the head, z up.  At rest
the accelerometer reads ``a = Rᵀ·(0, 0, g)`` with ``R = Rz(heading)·Rx(pitch)·Ry(roll)``: pitch
about the lateral axis, positive with the nose up; roll about the chain axis, positive with the
right side down.  The heading cannot be seen.

**Body frame** (``annelid.robot.body``): x along the chain, y left, z up; a vector
``(forward, left, up)`` of it is ``(-left, forward, up)`` in the other.
MDL has a third one, with z along the chain (FACTS §1).
"""

from __future__ import annotations

from math import atan2, hypot


def pitch_and_roll(ax: float, ay: float, az: float) -> tuple[float, float]:
    """001 eqs 6 and 7: pitch in [-π/2, π/2] and roll in (-π, π], rad, from any unit of a.

    Exact while the module is at rest.  Straight up or down roll has no meaning; in free fall
    neither has (the answer is then 0).
    """
    return atan2(ay, hypot(ax, az)), atan2(-ax, az)
