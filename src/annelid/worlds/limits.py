"""The limits of a chain in pipes: slope, bend and branch by bore.

Computed from its modules alone (``annelid.robot.hauling``) with the geometry and statics of
``annelid.worlds.passing``; nothing is simulated.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, pi, sin
from typing import Any, Final

from annelid.robot.hauling import Hauling
from annelid.worlds.passing import passes
from annelid.worlds.pipe import PipeNetwork

RADII_MM: Final = (25.0, 150.0)
ANGLES_DEG: Final = (30.0, 90.0)
EXACT_MM, EXACT_DEG = 2.5, 2.5
EXACT_RAD: Final = 0.001


@dataclass(frozen=True)
class ChainRange:
    """In one bore; None: not even the easiest that was tried."""

    bore_mm: float
    thrust_n: float
    steepest_deg: float | None
    """Up or down, of a straight as long as the robot."""
    lasting_deg: float | None
    """The same where drives do not become too hot, however long it takes."""
    tightest_mm: float | None
    """Radius of the tightest elbow of 90°."""
    sharpest_deg: float | None
    """Angle of the sharpest branch."""

    @classmethod
    def of(cls, hauling: Hauling, bore_mm: float) -> ChainRange:
        return cls(
            bore_mm=bore_mm,
            thrust_n=hauling.thrust(bore_mm / 1000),
            steepest_deg=_degrees(steepest(hauling, bore_mm / 1000)),
            lasting_deg=_degrees(steepest(hauling, bore_mm / 1000, lasting=True)),
            tightest_mm=_limit(RADII_MM, EXACT_MM, lambda mm: bends(hauling, bore_mm, mm)),
            sharpest_deg=_limit(
                (ANGLES_DEG[1], ANGLES_DEG[0]), EXACT_DEG, lambda deg: turns(hauling, bore_mm, deg)
            ),
        )


def _degrees(slope: float | None) -> float | None:
    return None if slope is None else degrees(slope)


def steepest(
    hauling: Hauling, bore: float, *, lasting: bool = False, reserve: float = 1.0
) -> float | None:
    """Slope that its drives climb, rad: ``W (sin s + mu cos s)`` is the thrust there, which grips
    the less the steeper it is.  With a ``reserve`` they push so many times as hard as needed."""

    def climbs(slope: float) -> bool:
        pull = hauling.weight * (sin(slope) + hauling.friction * cos(slope))
        return reserve * pull <= hauling.thrust(bore, level=cos(slope), lasting=lasting)

    return _limit((pi / 2, 0.0), EXACT_RAD, climbs)


def bends(hauling: Hauling, bore_mm: float, radius_mm: float) -> bool:
    """Whether all of it gets round an elbow of 90°."""
    elbow = {"part": "elbow", "radius_mm": radius_mm}
    return radius_mm > bore_mm / 2 and _through(hauling, bore_mm, elbow, "elbow1")


def turns(hauling: Hauling, bore_mm: float, angle_deg: float) -> bool:
    """Whether all of it gets into a branch."""
    wide = max(1.0, bore_mm / 44)
    long = {"run_mm": 400 * wide, "branch_mm": 250 * wide}
    tee = {"part": "tee", **long, "branch_angle_deg": angle_deg}
    return _through(hauling, bore_mm, tee, "tee1.branch")


def _through(hauling: Hauling, bore_mm: float, fitting: dict[str, Any], part: str) -> bool:
    straight = {"part": "straight", "length_mm": 250}
    fields = {"bore_mm": bore_mm, "parts": [straight, fitting, straight]}
    network = PipeNetwork.model_validate(fields).tubes()
    tube = network.tube(part)
    longest_first = sorted(hauling.pieces, key=lambda piece: -piece.length)
    return all(passes(network, tube, piece) for piece in longest_first)


def _limit(span: tuple[float, float], exact: float, fits: Any) -> float | None:
    """Between the hardest and the easiest, the hardest that fits."""
    hard, easy = span
    if not fits(easy):
        return None
    if fits(hard):
        return hard
    while abs(easy - hard) > exact:
        middle = (hard + easy) / 2
        if fits(middle):
            easy = middle
        else:
            hard = middle
    return easy
