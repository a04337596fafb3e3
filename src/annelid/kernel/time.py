"""Virtual time is a whole number of nanoseconds since the start of the run.

Whole numbers, because a run must repeat bit for bit: adding 0.015 a thousand times as a float
does not give 15, and two nodes would disagree about who was first.  In 64 bits, as the trace
stores it, nanoseconds last 292 years.
"""

from __future__ import annotations

import math
from operator import index

from annelid.errors import InputError

MICROSECOND = 1_000
MILLISECOND = 1_000_000
SECOND = 1_000_000_000


def seconds(value: float) -> int:
    """``value`` seconds in ns, to the nearest; a tie goes to the even one (``round``)."""
    return _nanoseconds(value, SECOND)


def milliseconds(value: float) -> int:
    """``value`` milliseconds in ns, rounded as :func:`seconds` rounds."""
    return _nanoseconds(value, MILLISECOND)


def microseconds(value: float) -> int:
    """``value`` microseconds in ns, rounded as :func:`seconds` rounds."""
    return _nanoseconds(value, MICROSECOND)


def to_seconds(ns: int) -> float:
    """The nearest float, for plots and for people; never fed back into the schedule."""
    return ns / SECOND


def period(hertz: float) -> int:
    """The ns between ticks of a rate such as the 67 Hz of a module's loop."""
    if not (math.isfinite(hertz) and hertz > 0):
        raise InputError(f"rate: expected a positive number of hertz, got {hertz!r}")
    return max(1, _nanoseconds(1.0 / hertz, SECOND))


def whole(what: str, number: int) -> int:
    """``number`` as a plain int; a float is refused, because it would spoil the order of events."""
    try:
        return index(number)
    except TypeError:
        raise InputError(
            f"{what}: expected a whole number (of ns for times, see seconds()), got {number!r}"
        ) from None


def _nanoseconds(value: float, unit: int) -> int:
    if not math.isfinite(value):
        raise InputError(f"time: expected a finite number, got {value!r}")
    return round(value * unit)
