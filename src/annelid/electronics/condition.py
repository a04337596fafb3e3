"""A condition of a fault: one comparison such as ``progress > 0.5`` or ``T1.touch > 0.2``.

Deliberately no more than that: it stands in scenario files, which must not be able to run code.
"""

from __future__ import annotations

import math
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Final

from pydantic import AfterValidator

from annelid.errors import SpecError, UnknownName
from annelid.kernel import to_seconds
from annelid.physics.simulation import Simulation

COMPARE: Final[Mapping[str, Callable[[float, float], bool]]] = MappingProxyType(
    {">": operator.gt, "<": operator.lt, ">=": operator.ge, "<=": operator.le}
)

QUANTITIES: Final[Mapping[str, Callable[[Simulation], float]]] = MappingProxyType(
    {
        "progress": lambda sim: sim.progress(),  # m
        "time": lambda sim: to_seconds(sim.now_ns),
    }
)
"""Besides these, every channel of a sensor."""

_FORM = re.compile(r"\s*([A-Za-z][\w.-]*)\s*(>=|<=|>|<)\s*(\S+)\s*")


@dataclass(frozen=True)
class Condition:
    subject: str
    compare: str
    value: float

    @classmethod
    def parse(cls, text: str) -> Condition:
        form = _FORM.fullmatch(text)
        try:
            value = float(form[3]) if form else math.nan
        except ValueError:
            value = math.nan
        if form is None or not math.isfinite(value):
            raise SpecError(
                f"expected a comparison such as 'progress > 0.5' or 'T1.touch >= 0.2', got {text!r}"
            )
        return cls(form[1], form[2], value)

    def check(self, sim: Simulation) -> None:
        """Refuse a subject that this robot does not have."""
        if self.subject not in QUANTITIES and self.subject not in sim.sensors.names:
            raise UnknownName("quantity", self.subject, [*QUANTITIES, *sim.sensors.names])

    def holds(self, sim: Simulation) -> bool:
        quantity = QUANTITIES.get(self.subject)
        seen = quantity(sim) if quantity else sim.sensors.read_one(self.subject)
        return COMPARE[self.compare](seen, self.value)


def _well_formed(text: str) -> str:
    try:
        Condition.parse(text)
    except SpecError as error:
        raise ValueError(str(error)) from None
    return text


ConditionText = Annotated[str, AfterValidator(_well_formed)]
"""A field that holds a condition as it was written."""
