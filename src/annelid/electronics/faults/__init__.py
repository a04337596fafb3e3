"""The faults, as data: a scenario, a program or an operator can cause each of them.

::

    [[faults]]
    fault = "stuck_servo"
    servo = "R1.yaw"
    at_s = 3

    [[faults]]
    fault = "cut_link"
    link = "bus"
    between = ["R2", "R3"]
    when = "progress > 0.5"
    until_s = 20

A fault knows what it breaks and how it is mended; ``injector.py`` lets it happen at its time.
``FAULTS`` says how a plugin brings one (``annelid.registry``).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Final, Self

from pydantic import Field, SerializeAsAny, TypeAdapter, ValidationError, model_validator

from annelid.boundary.plain import admit
from annelid.electronics.condition import ConditionText
from annelid.errors import SpecError
from annelid.registry import Kind, chosen, tag_of
from annelid.spec import Spec, faults_named

if TYPE_CHECKING:
    from annelid.electronics.circuit import Circuit

Mend = Callable[[], None]
"""Undoes a fault."""


class FaultSpec(Spec, ABC):
    """When: at a time, or once when a condition first holds; neither: at once."""

    what: ClassVar[str] = ""
    """The field that names what breaks: ``servo``."""

    fault: str
    """Its name; a subclass sets it: ``fault: Literal["stuck_servo"] = "stuck_servo"``."""
    at_s: float | None = Field(default=None, ge=0)
    """When it happens."""
    when: ConditionText | None = None
    """Or what has to hold: ``progress > 0.5``."""
    until_s: float | None = Field(default=None, gt=0)
    """Mended at this time; None: never."""

    @model_validator(mode="after")
    def _one_moment(self) -> Self:
        if self.at_s is not None and self.when is not None:
            raise ValueError("give at_s or when, not both")
        if self.until_s is not None and self.until_s <= (self.at_s or 0.0):
            raise ValueError(f"until_s = {self.until_s:g} is not after at_s = {self.at_s or 0:g}")
        return self

    @property
    def who(self) -> str:
        """What breaks; the source of its events in the trace."""
        return str(getattr(self, self.what)) if self.what else self.fault

    @abstractmethod
    def check(self, circuit: Circuit) -> None:
        """Refuse what does not exist, with the list of what does."""

    @abstractmethod
    def strike(self, circuit: Circuit) -> Mend:
        """Break it; returns how to mend it."""


FAULTS: Final[Kind[type[FaultSpec]]] = Kind(
    name="fault",
    plural="faults",
    base=FaultSpec,
    key=partial(tag_of, tag="fault"),
    built_in={
        "stuck_servo": "annelid.electronics.faults.servos:StuckServo",
        "weak_servo": "annelid.electronics.faults.servos:WeakServo",
        "short_servo": "annelid.electronics.faults.servos:ShortServo",
        "limp_servo": "annelid.electronics.faults.servos:LimpServo",
        "leaky_cup": "annelid.electronics.faults.servos:LeakyCup",
        "dead_sensor": "annelid.electronics.faults.sensors:DeadSensor",
        "noisy_sensor": "annelid.electronics.faults.sensors:NoisySensor",
        "dead_board": "annelid.electronics.faults.boards:DeadBoard",
        "hung_program": "annelid.electronics.faults.boards:HungProgram",
        "clock_drift": "annelid.electronics.faults.boards:ClockDrift",
        "low_battery": "annelid.electronics.faults.boards:LowBattery",
        "cut_link": "annelid.electronics.faults.links:CutLink",
        "noisy_link": "annelid.electronics.faults.links:NoisyLink",
    },
)

Fault = Annotated[SerializeAsAny[FaultSpec], chosen("annelid.electronics.faults:FAULTS", "fault")]
"""A field that takes any fault."""


def parse_fault(
    table: Any, *, where: str = "fault", context: Mapping[str, Any] | None = None
) -> FaultSpec:
    """A fault from a table, with errors that name the field."""
    admit(table, where)
    with faults_named(where):
        return _adapter().validate_python(table, context=dict(context or {}))


@cache
def _adapter() -> TypeAdapter[FaultSpec]:
    return TypeAdapter(Fault)
