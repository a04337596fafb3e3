"""Roles: what a module repeats, and how far its children lag behind (002 §3).

A role is a cyclic action A(t), its period T, and a delay d for each child connector.  All are
counted in steps: T is the number of way-points in a cycle (002 §5.1), and how long a step lasts is
the program's business.  A module that keeps a role knows neither how many others there are nor
where it is among them.

================ ==================================================== ====== ====================
role             A(t), x = 2πt/T                                      d      source
================ ==================================================== ====== ====================
caterpillar      pitch 50°·sin x, yaw 0                               T/5    002 §5.1
sidewinder       pitch 20°·cos x, yaw 50°·sin x                       T/5    FACTS §2: remembered
rolling track    pitch (360°/N)·(1 + sin x), yaw 0; N even, from 6    2T/N   FACTS §2: inferred
================ ==================================================== ====== ====================

A track of six bends to 110° at most (``FOLD``).  The track's angles add up to 360° and its links
close the loop at every t; 002's own formula, for N = 8 only, is lost.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from math import pi, radians, tau
from types import MappingProxyType
from typing import Final

from annelid.errors import InputError
from annelid.motion.waves import wave

STEPS: Final = 180
"""T, from memory of the later papers (FACTS §2); 002's formulas are lost."""

LOOP_MIN: Final = 6
"""A track of four would be a square that has to fold flat."""
FOLD: Final = radians(110.0)
"""How far a joint of a track is told to bend at most; it ends at 90°.  Six modules told 120° rock
back now and then (2 of 5 did within 8 cycles, none of 8 within 16 at 110°); told 100° they stand.
"""


@dataclass(frozen=True, slots=True)
class Swing:
    """``mean + amplitude·sin(x + lead)``, rad."""

    amplitude: float = 0.0
    lead: float = 0.0
    mean: float = 0.0

    def at(self, x: float) -> float:
        return self.mean + wave(x, self.amplitude, 1.0, lead=self.lead)


@dataclass(frozen=True)
class Role:
    """Checked when it is made, so that a program need not."""

    name: str
    motion: Mapping[str, Swing]
    """By servo."""
    delays: Mapping[str, int]
    """By child connector, in steps."""
    period: int = STEPS
    parent: str = "front"
    """The connector that signals come in by: the male one opposite the female (002 §5.1)."""
    loop: bool = field(default=False, kw_only=True)
    """Whether the modules form a ring, which has no root and must elect one (002 §5.3)."""

    def __post_init__(self) -> None:
        if self.period < 2:
            raise InputError(
                f"role {self.name}: period: expected 2 steps or more, got {self.period}"
            )
        if self.parent in self.delays:
            raise InputError(
                f"role {self.name}: {self.parent} is the parent connector and has no delay; "
                f"child connectors are {', '.join(self.delays)}"
            )
        for connector, delay in self.delays.items():
            if not 0 <= delay < self.period:
                raise InputError(
                    f"role {self.name}: delay through {connector}: expected 0 to "
                    f"{self.period - 1} steps, got {delay}: it exceeds the period of "
                    f"{self.period}, so the child would never be signalled"
                )

    @property
    def connectors(self) -> tuple[str, ...]:
        """By which neighbours are docked, the parent's first; none where there is no place."""
        return (self.parent, *self.delays) if self.parent else ()

    @cached_property
    def way_points(self) -> tuple[Mapping[str, float], ...]:
        """A(t) for every t, made once."""
        return tuple(
            {servo: swing.at(tau * t / self.period) for servo, swing in self.motion.items()}
            for t in range(self.period)
        )

    def action(self, t: int) -> Mapping[str, float]:
        """A(t): the angle of each servo."""
        return self.way_points[t % self.period]

    def fitted(
        self,
        servos: Collection[str],
        called: Mapping[str, str] | None = None,
        faces: Collection[str] | None = None,
    ) -> Role | None:
        """For a module with these servos; None where one that must move is missing.  What is only
        kept straight may be missing: an ErekoBot, which has no yaw, can be a caterpillar.

        ``faces``: the module's; a child connector that it does not have is left out.

        ``called``: which of them plays what the role names; others are then left out.  An ErekoBot
        that is docked with a quarter turn plays the role's yaw with its pitch.
        """
        own = {servo: servo for servo in self.motion} if called is None else called
        wanted = {own[servo]: swing for servo, swing in self.motion.items() if servo in own}
        motion = {s: swing for s, swing in wanted.items() if s in servos or swing != Swing()}
        if not set(motion) <= set(servos):
            return None
        delays = {c: d for c, d in self.delays.items() if faces is None or c in faces}
        return replace(self, motion=motion, delays=delays)


def caterpillar(modules: int, period: int = STEPS) -> Role:
    motion = {"pitch": Swing(radians(50)), "yaw": Swing()}
    return Role("caterpillar", motion, {"back": round(period / 5)}, period)


def sidewinder(modules: int, period: int = STEPS) -> Role:
    """What moves to one side is lifted, what moves to the other touches the ground (002 §5.2)."""
    motion = {"pitch": Swing(radians(20), lead=pi / 2), "yaw": Swing(radians(50))}
    return Role("sidewinder", motion, {"back": round(period / 5)}, period)


def rolling_track(modules: int, period: int = STEPS) -> Role:
    """The period becomes the nearest that N/2 delays fill exactly."""
    if modules < LOOP_MIN or modules % 2:
        raise InputError(
            f"role rolling-track: expected an even number of modules, {LOOP_MIN} or more, "
            f"got {modules}"
        )
    delay = max(1, round(2 * period / modules))
    bend = tau / modules
    motion = {"pitch": Swing(min(bend, FOLD - bend), mean=bend), "yaw": Swing()}
    return Role("rolling-track", motion, {"back": delay}, delay * modules // 2, loop=True)


ROLES: Final[Mapping[str, Callable[[int, int], Role]]] = MappingProxyType(
    {"caterpillar": caterpillar, "sidewinder": sidewinder, "rolling-track": rolling_track}
)
"""By name: a role for so many modules with about so many steps."""
