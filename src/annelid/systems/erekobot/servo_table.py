"""Angles, pulse widths and tables of gaits (004, Figs 7 and 11).

A servo's position is the width of a pulse, counted in timer ticks of 8 µs: 185 in the middle,
1.4 more for each degree, so ±90° are 59 to 311 and need two bytes (FACTS §5).  A *table of gaits*
has one angle for each time state of a cycle, at most 32; angles are in degrees, as on the wire and
on the paper's screen.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import isfinite, pi, radians, sin
from typing import Final

from annelid.errors import InputError
from annelid.motion.waves import wave
from annelid.systems.erekobot.packets import PERIOD_MAX, refuse

TICK_US: Final = 8
CENTRE: Final = 185
TICKS_PER_DEGREE: Final = 1.4
REACH_DEG: Final = 90.0
PWM_MIN: Final = 59
PWM_MAX: Final = 311


def pwm_of(angle_deg: float) -> int:
    """Ticks for an angle, to the nearest."""
    if not (isfinite(angle_deg) and abs(angle_deg) <= REACH_DEG):
        refuse("servo", "angle_deg", angle_deg, -REACH_DEG, REACH_DEG)
    return round(CENTRE + TICKS_PER_DEGREE * angle_deg)


def degrees_of(pwm: int) -> float:
    """The angle of so many ticks."""
    if not PWM_MIN <= pwm <= PWM_MAX:
        refuse("servo", "pwm", pwm, PWM_MIN, PWM_MAX)
    return (pwm - CENTRE) / TICKS_PER_DEGREE


@dataclass(frozen=True, slots=True)
class GaitTable:
    """One module's angles through a cycle."""

    pwm: tuple[int, ...]

    def __post_init__(self) -> None:
        if not 1 <= len(self.pwm) <= PERIOD_MAX:
            refuse("gait table", "period", len(self.pwm), 1, PERIOD_MAX)
        for pwm in self.pwm:
            degrees_of(pwm)

    @classmethod
    def of_degrees(cls, angles: Iterable[float]) -> GaitTable:
        return cls(tuple(pwm_of(angle) for angle in angles))

    def __len__(self) -> int:
        return len(self.pwm)

    def at(self, state: int, period: int | None = None) -> int:
        """Ticks in a time state; with another ``period`` than its own the table is stretched."""
        if period is None or period == len(self.pwm):
            return self.pwm[state % len(self.pwm)]
        return self.pwm[state % period * len(self.pwm) // period]


@dataclass(frozen=True, slots=True)
class SerpenoidWave:
    """The serpenoid wave of ErekoBot's own programs [R: ErekoBot/ErekoBot, FACTS §5]::

        deg_i = 2α·sin(πk/M)·sin(ψ + (2πk/M)·(i - 1 + d0/d))

    ``i`` counts modules from 1, ψ goes once round in a cycle; the +90 of the original is its
    servo's middle, which is 0 here.  ψ and i have the same sign, so the wave runs to the first
    module, and a chain that crawls on it goes there too.
    """

    alpha_deg: float = 20.0
    waves: float = 2.0
    """k, of which so many lie along the body."""
    segments: int = 5
    """M, the modules that the waves are spread over."""
    lead: float = 42.0 / 81.0
    """d0/d: from the end of a module to its axis, of a module's length."""
    backwards: bool = False

    def __post_init__(self) -> None:
        if self.segments < 1:
            raise InputError(f"gait: segments: expected 1 or more, got {self.segments}")
        if abs(self.amplitude_deg) > REACH_DEG:
            refuse("gait", "2·alpha_deg·sin(pi·k/M)", self.amplitude_deg, -REACH_DEG, REACH_DEG)

    @property
    def amplitude_deg(self) -> float:
        return 2 * self.alpha_deg * sin(pi * self.waves / self.segments)

    @property
    def advance(self) -> float:
        """Phase from one module to the next, rad."""
        return 2 * pi * self.waves / self.segments

    def angle_deg(self, psi: float, index: int) -> float:
        """Of module ``index`` (from 1) at phase ``psi`` of the cycle, rad."""
        turn = -psi if self.backwards else psi
        return wave(1.0, self.amplitude_deg, turn, self.advance, index - 1 + self.lead)

    def table(self, index: int, period: int) -> GaitTable:
        """What one module does in a cycle of ``period`` time states."""
        if not 1 <= period <= PERIOD_MAX:
            refuse("gait", "period", period, 1, PERIOD_MAX)
        return GaitTable.of_degrees(
            self.angle_deg(2 * pi * state / period, index) for state in range(period)
        )

    def phase(self, index: int, period: int) -> int:
        """By how many time states a module is ahead of one at ``advance`` 0, to the nearest.

        For modules that all have the same table (:meth:`shared`), as in the Second and Third
        Profile.
        """
        turns = self.advance * (index - 1 + self.lead) / (2 * pi)
        return round((-turns if self.backwards else turns) * period) % period

    def shared(self, period: int) -> GaitTable:
        """The table that :meth:`phase` is counted in."""
        sign = -1 if self.backwards else 1
        return GaitTable.of_degrees(
            wave(1.0, self.amplitude_deg, sign * 2 * pi * state / period) for state in range(period)
        )


def radians_of(pwm: int) -> float:
    """For the servo of a board."""
    return radians(degrees_of(pwm))
