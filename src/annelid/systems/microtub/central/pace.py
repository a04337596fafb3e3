"""How fast a gait carries a chain over open ground, and how far off that may be.

The central control measures nothing in the open, so it goes by what such chains did in physics:
30 chains of 3 to 8 rotation modules with up to five others before and behind them, built with their
tolerances (dry ground).  ``n`` modules, ``j`` of them joints, ``load`` the mass of the others over
theirs:

=================  ==========================================  =====================
snake              cm/s                                        off, in 95 of 100
=================  ==========================================  =====================
ahead              4.5 - 28 / n² - 1.8 load                    14 %
back               4.3 - 23 / j² - 0.45 load                   16 %
turn               9.6°/s; 4.7°/s with more behind the joints  40 %, 80 %
                   than before them
=================  ==========================================  =====================

Everything else is known by its order of magnitude alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import copysign, radians
from typing import Final

UNKNOWN: Final = 0.6
"""Share by which a speed may be off that nobody has measured."""
SLOWEST: Final = 0.005
"""m/s; the fit ends there."""
TURN_AHEAD, TURN_ASIDE = 0.013, -0.006
"""In a turn to the left, m/s: the chain slides to the outside of its arc."""
TURN_OFF: Final = 0.4


@dataclass(frozen=True)
class Pace:
    """Of the middle of the chain, as the robot sees it."""

    ahead: float = 0.0
    left: float = 0.0
    """m/s"""
    turn: float = 0.0
    """To the left, rad/s."""
    off: float = UNKNOWN
    """Share by which the way may be off, in 95 of 100."""
    turn_off: float = UNKNOWN
    """The same of the turn."""


STANDING: Final = Pace(off=0.0, turn_off=0.0)
ROLLING: Final = 0.055
"""To the side, m/s."""
GUESSED: Final = {"MHE": 0.030, "MWO": 0.016, "MO1": 0.035, "MOS": 0.02}
"""Ahead, of a healthy robot on the level, m/s (A3, A4, A10)."""


def snake(masses: Sequence[float | None], joints: Sequence[int], *, backwards: bool) -> Pace:
    """A caterpillar of ``joints``, which are places among the modules; the mass of a module of a
    type that this computer has never heard of is None."""
    known = [mass for mass in masses if mass is not None]
    working = sum(masses[place] or 0.0 for place in joints)
    if not working or len(known) < len(masses):
        return Pace(copysign(GUESSED["MO1"], -1.0 if backwards else 1.0))
    load = sum(known) / working - 1
    if backwards:
        speed = max(0.043 - 0.23 / len(joints) ** 2 - 0.0045 * load, SLOWEST)
        return Pace(ahead=-speed, off=0.16)
    speed = max(0.045 - 0.28 / len(masses) ** 2 - 0.018 * load, SLOWEST)
    return Pace(ahead=speed, off=0.14)


def snake_turn(modules: int, joints: Sequence[int], *, left: bool) -> Pace:
    """In an arc."""
    sense = 1.0 if left else -1.0
    before, behind = min(joints, default=0), modules - 1 - max(joints, default=0)
    rate, off = (4.7, 2 * TURN_OFF) if behind > before else (9.6, TURN_OFF)
    return Pace(TURN_AHEAD, sense * TURN_ASIDE, sense * radians(rate), UNKNOWN, off)


def rotation(*, left: bool) -> Pace:
    """On the spot: it turns fast, and slides far."""
    sense = 1.0 if left else -1.0
    return Pace(0.01, -0.06 * sense, radians(27.0) * sense)
