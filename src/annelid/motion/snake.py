"""The named movements of chains of rotation modules (001 §3.3.1), as one table.

Each is a choice of parameters in eqs 7 and 8 of 000: a wave in the vertical joints (pitch) and a
wave in the horizontal ones (yaw), the phase between the two, and a constant on the horizontal
ones.  001 names the movements and gives no numbers; the last column says where ours come from.

Left and right: positive yaw turns the front of a module to the left, so a positive ``offset``
bends the chain into an arc to the left.  A row is the left-hand version where it has a side;
``mirrored`` gives the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import pi, radians
from types import MappingProxyType
from typing import Final, Self


@dataclass(frozen=True)
class SnakeRow:
    """One movement.  Angles in rad, ``omega`` in rad/s."""

    vertical: float
    """Av, amplitude of the pitch joints."""
    horizontal: float
    """Ah, amplitude of the yaw joints."""
    omega: float
    """ωv = ωh."""
    phase_vertical: float
    """φv, lead of each module over the one before it; positive runs to the head."""
    phase_horizontal: float
    """φh."""
    between: float
    """Lead of the horizontal wave over the vertical one at the head."""
    offset: float
    """Constant on the yaw joints."""
    source: str

    def mirrored(self) -> Self:
        """The same movement with left and right exchanged: yaw changes its sign, pitch does not."""
        return replace(self, horizontal=-self.horizontal, offset=-self.offset)

    def changed(
        self,
        *,
        amplitude: float | None = None,
        omega: float | None = None,
        phase: float | None = None,
        offset: float | None = None,
    ) -> Self:
        """The row with the user's numbers.

        ``amplitude`` and ``phase`` are the larger of the two waves'; the smaller one keeps its
        ratio, and both keep their sense, so a backward row stays backward.
        """
        row = self
        if amplitude is not None:
            scale = amplitude / max(abs(row.vertical), abs(row.horizontal))
            row = replace(row, vertical=row.vertical * scale, horizontal=row.horizontal * scale)
        if phase is not None:
            largest = max(abs(row.phase_vertical), abs(row.phase_horizontal))
            # A row without phase between its modules gets the same one in both waves.
            v, h = (
                (row.phase_vertical / largest, row.phase_horizontal / largest)
                if largest
                else (1.0, 1.0)
            )
            row = replace(row, phase_vertical=v * phase, phase_horizontal=h * phase)
        if omega is not None:
            row = replace(row, omega=omega)
        if offset is not None:
            row = replace(row, offset=offset)
        return row


_D = radians
_FIFTH, _SIXTH = 2 * pi / 5, 2 * pi / 6

# fmt: off
SNAKE: Final[Mapping[str, SnakeRow]] = MappingProxyType({
    #                      Av      Ah      ω    φv        φh       between  offset
    "forward":    SnakeRow(_D(50), 0.0,    4.0, _FIFTH,   0.0,     0.0,     0.0,
        "002: caterpillar ±50°, delay T/5; ω chosen for its period of 1.4-1.8 s (FACTS §2)"),
    "backward":   SnakeRow(_D(50), 0.0,    4.0, -_FIFTH,  0.0,     0.0,     0.0,
        "forward with the wave reversed"),
    "serpentine": SnakeRow(0.0,    _D(60), 8.0, 0.0,      _FIFTH,  0.0,     0.0,
        "tuned in physics, on ground that grips alike to all sides: there the body goes with the "
        "wave, 1.4 cm/s (six modules); 40° at 4 rad/s get nowhere.  Ground that grips sideways "
        "more than lengthwise would take it against the wave"),
    "turn":       SnakeRow(_D(30), 0.0,    5.0, _FIFTH,   0.0,     0.0,     _D(12),
        "000 §4.1.6: forward with fixed horizontal joints; tuned in physics: at 30° offsets of 8 "
        "to 20° all turn, at 40 and 50° some of them topple"),
    "roll":       SnakeRow(_D(14), _D(14), 4.0, 0.0,      0.0,     pi / 2,  0.0,
        "001 §3.3.1: equal waves 90° apart, no phase between modules; tuned in physics for eight "
        "modules: 8° only shuffles, 40° closes them to a ring; `rolling` has it for any number"),
    "rotate":     SnakeRow(_D(20), _D(40), 4.0, 2 * _SIXTH, _SIXTH, 0.0,    0.0,
        "chosen: two vertical waves to one horizontal wave"),
    "lateral":    SnakeRow(_D(20), _D(50), 4.0, _FIFTH,   _FIFTH,  -pi / 2, 0.0,
        "FACTS §2: sidewinder, pitch 20°·cos, yaw 50°·sin, delay T/5; side and ω chosen"),
})
# fmt: on
"""Movements by name, head first.  Rows may be tuned in physics; the source then says so."""

ROLLING_ARC: Final = 8 * _D(14)
"""Bend of the whole chain while it rolls, rad: less, and a chain with four joints among rigid ones
shuffles to the wrong side (RRSESRR at 14° a joint: 11 cm to the right in 6 s; at 28° 31 cm to the
left)."""
ROLLING_MOST: Final = _D(45)
TURNING_ARC: Final = _D(120)
"""Bend of the whole chain in a turn, rad: 12° a joint, right for eight, leave four where they
are."""
TURNING_MOST: Final = _D(30)


def rolling(joints: int) -> SnakeRow:
    """The row "roll" for a chain with so many joints that bend both ways."""
    amplitude = min(ROLLING_ARC / max(joints, 1), ROLLING_MOST)
    return SNAKE["roll"].changed(amplitude=amplitude)


def rotating(joints: int) -> SnakeRow:
    """Both waves for turning on the spot, to the left: half a wave sideways and a whole one up and
    down along so many joints.  All of eleven chains tried turn that way, by 17 to 56° a second
    without much else to drag; with the phases of the row "rotate", made for six joints, chains of
    four turn the other way."""
    whole = 2 * pi / max(joints, 1)
    row = SNAKE["rotate"].mirrored()
    return replace(row, phase_vertical=whole, phase_horizontal=whole / 2)


def turning_bend(joints: int) -> float:
    """Of each of so many joints in a turn, rad."""
    return min(TURNING_ARC / max(joints, 1), TURNING_MOST)
