"""The module description language (MDL): what a module can do, as 17 digits (000 §3.4).

Indicator ``k`` of Table 2 is digit ``k - 1``; a grade goes from 0 (no competence) to 3 (good).
The values are dynamic: a damaged module reports a lower grade in run time.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from annelid.errors import SpecError, UnknownName

INDICATORS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "Ext": "extend or contract",
        "Sup": "hold on to the pipe",
        "Push_pipe": "push forward inside a pipe",
        "Push_flat": "push forward in open air",
        "RotX": "rotate about its x axis",
        "RotY": "rotate about its y axis",
        "RotZ": "rotate about its z axis",
        "Att": "attach to and detach from other modules",
        "Sense_front": "sense proximity in front",
        "Sense_back": "sense proximity behind",
        "Sense_side": "sense proximity at the sides",
        "Sense_temp": "sense temperature",
        "Sense_humi": "sense humidity",
        "Sense_grav": "sense gravity",
        "Grab": "grab objects",
        "Drill": "make a hole",
        "PS": "supply power to others",
    }
)
"""Table 2 of 000, in the order of the digits.

MDL's axes are not the physics axes: the rotation module reports RotX and RotY but not RotZ, so
MDL's chain axis is **z** (our bodies have it along x, 001's accelerometer along y)."""

_ORDER: Final = tuple(INDICATORS)
GRADE_MAX: Final = 3


@dataclass(frozen=True)
class Capabilities:
    """What one module reports.  ``digits`` is the string that travels on the bus."""

    digits: str

    def __post_init__(self) -> None:
        if len(self.digits) != len(_ORDER) or set(self.digits) - set("0123"):
            raise SpecError(f"MDL: expected {len(_ORDER)} digits from 0 to 3, got {self.digits!r}")

    @classmethod
    def of(cls, **grades: int) -> Capabilities:
        """From grades by indicator; what is not named is 0."""
        for name, grade in grades.items():
            if name not in INDICATORS:
                raise UnknownName("MDL indicator", name, INDICATORS)
            if not 0 <= grade <= GRADE_MAX:
                raise SpecError(f"MDL indicator {name}: expected 0 to {GRADE_MAX}, got {grade}")
        return cls("".join(str(grades.get(name, 0)) for name in _ORDER))

    def __getitem__(self, indicator: str) -> int:
        if indicator not in INDICATORS:
            raise UnknownName("MDL indicator", indicator, INDICATORS)
        return int(self.digits[_ORDER.index(indicator)])

    def grades(self) -> dict[str, int]:
        """The indicators that are not 0."""
        return {name: int(d) for name, d in zip(_ORDER, self.digits, strict=True) if d != "0"}

    def with_grade(self, indicator: str, grade: int) -> Capabilities:
        """The same module with one indicator changed: after damage, or with an option fitted."""
        return Capabilities.of(**{**self.grades(), indicator: grade})
