"""Parses what a sweep varies: ``field=a,b,c``, ``field~low..high`` and the like.

======================================  ==================================================
``world.bore_mm=38,40,42``              these values
``physics.timestep_ms=0.5:1:0.25``      from, to (included), step
``robot.chain=TRRH,TRH``                words do, too
``robot.each.R.mass_g~20..25``          drawn anew for every trial, evenly from 20 to 25
``robot.each.R.mass_g~22+-1``           drawn from a normal distribution of deviation 1
======================================  ==================================================

Listed values make a grid: every one of a field with every one of the others.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import isfinite, prod
from typing import Any, Literal

from annelid.boundary.cost import TRIALS_MAX, require_at_most
from annelid.boundary.plain import shortened
from annelid.errors import InputError
from annelid.kernel import RandomStreams
from annelid.trial.fields import parse_value

VALUES_MAX = 100_000
"""Of one range: more is a slip of the keyboard."""

_NUMBER = r"[-+]?(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][-+]?\d++)?"
"""Digits are never given back (``++``): a number of 5000 digits took many seconds to refuse."""
_RANGE = re.compile(rf"({_NUMBER}):({_NUMBER}):({_NUMBER})")
_EVENLY = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")
_NORMALLY = re.compile(rf"({_NUMBER})\+-({_NUMBER})")


@dataclass(frozen=True)
class Listed:
    """A field and the values it takes in turn."""

    field: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Spread:
    """A field drawn at random: evenly from a to b, or normally about a with deviation b."""

    field: str
    kind: Literal["evenly", "normally"]
    a: float
    b: float

    def draw(self, streams: RandomStreams, cell: int, repeat: int) -> float:
        """The same for the same place in the sweep, whatever else is varied or done first."""
        stream = streams[f"sweep/{self.field}/{cell}/{repeat}"]
        if self.kind == "evenly":
            return float(stream.uniform(self.a, self.b))
        return float(stream.normal(self.a, self.b))


Vary = Listed | Spread


def parse_vary(text: str) -> Vary:
    """One ``--vary``."""
    split = re.match(r"\s*([\w.-]+?)\s*([=~])\s*(.*\S)\s*$", text, re.DOTALL)
    if split is None:
        raise InputError(
            f"--vary: expected field=values or field~spread, such as world.bore_mm=38,40,42 or "
            f"robot.each.R.mass_g~20..25, got {shortened(text)!r}"
        )
    field, sign, values = split.groups()
    return Listed(field, _listed(values, text)) if sign == "=" else _spread(field, values, text)


def _listed(values: str, text: str) -> tuple[Any, ...]:
    if match := _RANGE.fullmatch(values):
        first, last, step = map(float, match.groups())
        if not all(map(isfinite, (first, last, step, (last - first) / (step or 1.0)))):
            raise InputError(f"--vary: expected numbers of a usual size, got {text[:80]!r}")
        if step == 0 or (last - first) * step < 0:
            raise InputError(f"--vary: a step of {step:g} does not lead from {first:g} to {last:g}")
        count = int((last - first) / step + 1e-9) + 1
        if count > VALUES_MAX:
            raise InputError(
                f"--vary: {shortened(text)!r} has {count} values, at most {VALUES_MAX}"
            )
        whole = all("." not in part and "e" not in part.lower() for part in match.groups())
        exact = [round(first + k * step, 12) for k in range(count)]
        return tuple(int(value) for value in exact) if whole else tuple(exact)
    found = tuple(parse_value(part) for part in _split(values) if part.strip())
    if not found:
        raise InputError(f"--vary: {shortened(text)!r} names no values")
    return found


def _split(values: str) -> list[str]:
    """At the commas that are not inside brackets or quotes."""
    parts, depth, quote = [""], 0, ""
    for sign in values:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "\"'":
            quote = sign
        elif sign in "[{":
            depth += 1
        elif sign in "]}":
            depth -= 1
        if sign == "," and not depth and not quote:
            parts.append("")
        else:
            parts[-1] += sign
    return parts


def _spread(field: str, values: str, text: str) -> Spread:
    shown = repr(shortened(text))
    evenly = _EVENLY.fullmatch(values)
    match = evenly or _NORMALLY.fullmatch(values)
    if match is None:
        raise InputError(f"--vary: {shown}: expected a spread such as 20..25 or 22+-1")
    a, b = map(float, match.groups())
    if not all(map(isfinite, (a, b, b - a))):
        raise InputError(f"--vary: expected numbers of a usual size, got {shown}")
    if evenly is None:
        if b < 0:
            raise InputError(f"--vary: {shown}: expected a deviation of at least 0, got {b:g}")
        return Spread(field, "normally", a, b)
    if a > b:
        raise InputError(f"--vary: {shown}: {a:g} is above {b:g}")
    return Spread(field, "evenly", a, b)


def cells(varied: Sequence[Vary]) -> list[dict[str, Any]]:
    """The grid of the listed fields, the last one running fastest."""
    listed = [one for one in varied if isinstance(one, Listed)]
    names = [one.field for one in listed]
    if twice := {one.field for one in varied if [v.field for v in varied].count(one.field) > 1}:
        raise InputError(f"--vary: {', '.join(sorted(twice))} is varied twice")
    require_at_most("settings", prod(len(o.values) for o in listed), TRIALS_MAX, where="--vary")
    return [dict(zip(names, row, strict=True)) for row in product(*(o.values for o in listed))]
