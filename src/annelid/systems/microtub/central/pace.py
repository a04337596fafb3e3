"""How fast a gait carries a chain over open ground, and how far off that may be.

The central control measures nothing in the open, so it goes by what such chains did in physics:
45 chains of 3 to 8 rotation modules with up to five others before and behind them, built with their
tolerances (dry ground).  ``n`` modules, ``j`` of them joints, ``load`` the mass of the others over
theirs:

=======  ==========================================================  =================
snake    pace                                                        off, in 95 of 100
=======  ==========================================================  =================
ahead    4.5 - 28 / n² - 1.8 load, cm/s                              14 %
back     4.3 - 23 / j² - 0.45 load, cm/s                             16 %
turn     8.7°/s, and when it begins 37° with four joints, 11° less   30 %
         for each joint more, 4° at least
         4.5°/s with 20 g more behind the joints than before them    80 %
=======  ==========================================================  =================

Everything else is known by its order of magnitude alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import copysign, radians, sin
from typing import Final

UNKNOWN: Final = 0.6
"""Share by which a speed may be off that nobody has measured."""
SLOWEST: Final = 0.005
"""m/s; the fit ends there."""
TURN_ASIDE: Final = -0.006
"""In a turn to the left, m/s: the chain slides to the outside of its arc."""
TURN, TRAILING = (radians(8.7), 0.3), (radians(4.5), 0.8)
"""Rate, and share by which it may be off."""
TRAILS_KG: Final = 0.02
ONSET_S: Final = 2.0
"""A chain that bends into an arc turns as it does so, in this time."""
REVERSAL_S: Final = 1.2
"""A wave that turns round carries nobody for so long."""


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
    onset: float = 0.0
    """Turn to the left while it begins, rad."""
    tumbles: bool = False
    """Whether it leaves the robot heading anywhere."""

    def mirrored(self) -> Pace:
        """Of a robot that lies on its back."""
        return replace(self, left=-self.left, turn=-self.turn, onset=-self.onset)


STANDING: Final = Pace(off=0.0, turn_off=0.0)
ROLLING: Final = 0.055
"""To the side, m/s."""
LOST: Final = 0.78
"""Of its speed a gait in a pipe loses this on the steepest slope that it climbs, in proportion on
others, and gains it downwards: T R R H R R P in 42 mm went 20 mm/s up 8° and 38 down, 23 and 34 at
5°; T R R R R R B in 44 mm waved 15 up 6° and 35 down."""
WAVE_CLIMBS: Final = radians(12)
"""The slope for that of a wave, which no weight and no drive tells."""
TUMBLING: Final = Pace(tumbles=True)
"""Of a robot that rolls over because it lies on its side."""
GUESSED: Final = {"MHE": 0.030, "MWO": 0.016, "MO1": 0.035, "MOS": 0.02}
"""Ahead, of a healthy robot on the level, m/s (A3, A4, A10)."""


def on_slope(rise: float, steepest: float) -> float:
    """Share of its speed on the level that a gait has where its way rises by ``rise``, rad."""
    return 1 - LOST * min(max(sin(rise) / max(sin(steepest), 1e-3), -1.0), 1.0)


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


def snake_turn(masses: Sequence[float | None], joints: Sequence[int], *, left: bool) -> Pace:
    """In an arc."""
    sense = 1.0 if left else -1.0
    first, last = min(joints, default=0), max(joints, default=0)
    ahead, behind = (sum(mass or 0.0 for mass in some) for some in (masses[:first], masses[last:]))
    own = masses[last] or 0.0 if masses else 0.0
    rate, off = TRAILING if behind - own - ahead > TRAILS_KG else TURN
    onset = radians(max(37.0 - 11.0 * max(len(joints) - 4, 0), 4.0))
    ahead_m_s = 0.004 + 0.0017 * len(joints)
    return Pace(ahead_m_s, sense * TURN_ASIDE, sense * rate, UNKNOWN, off, sense * onset)


def rotation(*, left: bool) -> Pace:
    """On the spot: it turns fast, and slides far."""
    sense = 1.0 if left else -1.0
    return Pace(0.01, -0.06 * sense, radians(27.0) * sense)
