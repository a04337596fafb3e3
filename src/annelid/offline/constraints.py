"""Constraints of a genome: what breaks them is not simulated and counts as a failure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

from pydantic import Field, model_validator

from annelid.spec import Spec


class Constraint(Spec):
    """One of three kinds.

    ``letters = "H"`` counts those letters of a chain, ``sum = {field = weight}`` adds numbers up;
    both are held between ``at_least`` and ``at_most``.  ``forbid = "HHH"`` bans a run of letters.
    """

    field: str = "robot.chain"
    """Whose letters are counted or forbidden."""
    letters: str | None = Field(default=None, min_length=1)
    """Letters that are counted."""
    forbid: str | None = Field(default=None, min_length=1)
    """A run of letters that must not occur."""
    sum: Mapping[str, float] | None = Field(default=None, min_length=1)
    """Fields with weights, whose sum is bounded."""
    at_least: float | None = None
    """Lower bound of the count or sum."""
    at_most: float | None = None
    """Upper bound of it."""

    @model_validator(mode="after")
    def _one_kind(self) -> Self:
        kinds = [kind for kind in ("letters", "forbid", "sum") if getattr(self, kind) is not None]
        if len(kinds) != 1:
            raise ValueError("expected exactly one of letters, forbid and sum")
        bounded = self.at_least is not None or self.at_most is not None
        if bounded == (self.forbid is not None):
            raise ValueError("letters and sum need at_least or at_most; forbid has neither")
        return self

    @property
    def fields(self) -> tuple[str, ...]:
        """All that it looks at."""
        return (self.field,) if self.sum is None else tuple(self.sum)

    def violation(self, fields: Mapping[str, Any]) -> str | None:
        """What is wrong with these values; None: nothing."""
        if self.forbid is not None:
            text = str(fields[self.field])
            return f"{self.field}: {text} has {self.forbid}" if self.forbid in text else None
        if self.letters is not None:
            text = str(fields[self.field])
            found = float(sum(letter in self.letters for letter in text))
            what = f"{self.letters} in {text}"
        else:
            weights = self.sum or {}
            found = sum(weight * float(fields[name]) for name, weight in weights.items())
            what = " + ".join(f"{weight:g}·{name}" for name, weight in weights.items())
        if self.at_least is not None and found < self.at_least:
            return f"{what}: {found:g}, at least {self.at_least:g}"
        if self.at_most is not None and found > self.at_most:
            return f"{what}: {found:g}, at most {self.at_most:g}"
        return None
