"""How large a number may be, by the unit at the end of its field's name.

The limits are far beyond any robot of modules and well inside of what the engine can compute: they
catch a slip of the keyboard, and numbers that somebody chose to do harm.  A field with a narrower
range has it in its spec.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType
from typing import Final, NamedTuple


class Quantity(NamedTuple):
    """A unit, and the largest number of it that is let in."""

    unit: str
    largest: float


QUANTITIES: Final[Mapping[str, Quantity]] = MappingProxyType(
    {
        "_mm": Quantity("mm", 1e6),
        "_cm": Quantity("cm", 1e5),
        "_m": Quantity("m", 1e4),
        "_cm_s": Quantity("cm/s", 1e5),
        "_m_s": Quantity("m/s", 1e3),
        "_n_m": Quantity("N/m", 1e6),
        "_n_s_m": Quantity("N·s/m", 1e6),
        "_j_m": Quantity("J/m", 1e15),
        "_per_m": Quantity("per m", 1e6),
        "_deg": Quantity("°", 3600.0),
        "_rad": Quantity("rad", 1e3),
        "_rad_s": Quantity("rad/s", 1e4),
        "_s": Quantity("s", 1e7),
        "_ms": Quantity("ms", 1e10),
        "_us": Quantity("µs", 1e13),
        "_hz": Quantity("Hz", 1e9),
        "_ppm": Quantity("ppm", 1e6),
        "_g": Quantity("g", 1e6),
        "_kg": Quantity("kg", 1e4),
        "_n": Quantity("N", 1e6),
        "_nm": Quantity("N·m", 1e5),
        "_a": Quantity("A", 1e4),
        "_ma": Quantity("mA", 1e7),
        "_mah": Quantity("mAh", 1e8),
        "_v": Quantity("V", 1e5),
        "_w": Quantity("W", 1e7),
        "_wh": Quantity("Wh", 1e7),
        "_ohm": Quantity("Ω", 1e9),
        "_c": Quantity("°C", 1e4),
        "_percent": Quantity("%", 1e4),
        "gravity": Quantity("m/s²", 1e3),
        "friction": Quantity("1", 1e3),
        "volts": Quantity("V", 1e5),
        "ohms": Quantity("Ω", 1e9),
        "voltage": Quantity("V", 1e5),
    }
)
"""By the end of a field's name; the longest end that fits counts."""

SMALLEST: Final = 1e-12
"""Of a number with a unit that is not 0: what is smaller is 0 to everything that is built here."""


@cache
def quantity_of(field: str) -> Quantity | None:
    """The unit of a field by its name; None: the name tells none."""
    ends = [end for end in QUANTITIES if field.endswith(end)]
    return QUANTITIES[max(ends, key=len)] if ends else None


def fault_of(field: str, value: float) -> str | None:
    """What is wrong with a field's number; None: nothing."""
    quantity = quantity_of(field)
    if quantity is None or not value:
        return None
    if abs(value) > quantity.largest:
        most = f"{quantity.largest:,.0f} {quantity.unit}"
        sign = "-" if value < 0 else ""
        return f"expected {'not below' if sign else 'at most'} {sign}{most}, got {value:g}"
    if abs(value) < SMALLEST:
        return f"expected 0 or at least {SMALLEST:g} {quantity.unit}, got {value:g}"
    return None
