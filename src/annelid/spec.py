"""The base of every spec: frozen data, checked on input, with errors that say what to change.

A *spec* is what is written to disk and passed around (a module, a robot, a world, a scenario).
The stateful thing is built from it and never the other way round.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, ValidationError

from annelid.boundary.plain import admit, shortened
from annelid.boundary.wording import worded
from annelid.errors import SpecError

Vec3 = tuple[float, float, float]
"""A point or direction, metres or unit length."""

Quat = tuple[float, float, float, float]
"""A rotation, scalar first, as MuJoCo has it."""

IDENTITY: Quat = (1.0, 0.0, 0.0, 0.0)


FAULTS_MAX = 8
"""Lines about one table."""


class Spec(BaseModel):
    """Frozen; unknown fields are errors, so that a misspelt option never goes unnoticed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    @classmethod
    def parse(
        cls, data: Mapping[str, Any], *, where: str, context: Mapping[str, Any] | None = None
    ) -> Self:
        """Validate ``data``; a failure names every field at fault, as ``where.field``."""
        admit(data, where)
        with faults_named(where):
            return cls.model_validate(data, context=context)


@contextmanager
def faults_named(where: str) -> Iterator[None]:
    """A validation that fails inside names every field at fault, as ``where.field``."""
    try:
        yield
    except ValidationError as error:
        raise SpecError(describe(error, where)) from None


def describe(error: ValidationError, where: str) -> str:
    """One line per fault: place, what was expected, what was found."""
    lines = []
    for fault in error.errors(include_url=False):
        words = worded(fault["type"], fault["msg"], fault.get("ctx", {}))
        got = fault.get("input")
        shown = (
            ""
            if isinstance(got, dict | list) or "got " in words
            else f" (got {shortened(repr(got))})"
        )
        steps = [".".join(shortened(str(step)) for step in fault["loc"])] if fault["loc"] else []
        lines.append(": ".join((where, *steps, f"{words}{shown}")))
    if len(lines) > FAULTS_MAX:
        lines[FAULTS_MAX:] = [f"{where}: and {len(lines) - FAULTS_MAX} faults more"]
    return "\n".join(lines)
