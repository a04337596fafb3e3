"""What can break, as data: from a scenario, from code, from an operator's hand.

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

``injector.py`` makes them happen.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self

from pydantic import Field, TypeAdapter, ValidationError, model_validator

from annelid.electronics.condition import ConditionText
from annelid.errors import SpecError
from annelid.kernel.clock import MAX_DRIFT_PPM
from annelid.spec import Spec, describe


class FaultSpec(Spec):
    """When: at a time, or once when a condition first holds; neither: at once."""

    at_s: float | None = Field(default=None, ge=0)
    when: ConditionText | None = None
    until_s: float | None = Field(default=None, gt=0)
    """Mended at this time; None: never."""

    @model_validator(mode="after")
    def _one_moment(self) -> Self:
        if self.at_s is not None and self.when is not None:
            raise ValueError("give at_s or when, not both")
        if self.until_s is not None and self.until_s <= (self.at_s or 0.0):
            raise ValueError(f"until_s = {self.until_s:g} is not after at_s = {self.at_s or 0:g}")
        return self


class StuckServo(FaultSpec):
    """The gear jams: the joint stays where it is, whatever is commanded."""

    fault: Literal["stuck_servo"] = "stuck_servo"
    servo: str


class WeakServo(FaultSpec):
    """The motor gives a share of its torque."""

    fault: Literal["weak_servo"] = "weak_servo"
    servo: str
    factor: float = Field(default=0.5, gt=0, le=1)


class LeakyCup(FaultSpec):
    """A torn lip or a porous patch: the vacuum falls although the impeller runs."""

    fault: Literal["leaky_cup"] = "leaky_cup"
    cup: str
    """``L1.cup``"""
    holds: float = Field(default=0.0, ge=0, lt=1)
    """Share of a full vacuum that the impeller still keeps up."""
    falls_s: float = Field(default=10.0, gt=0)
    """In which a full vacuum would be gone."""


class DeadSensor(FaultSpec):
    """The sensor measures nothing any more; what its board reads instead is its ``mode``.

    ``stuck``: one and the same number; a camera is black.  ``floating``: an open input wanders
    through the sensor's range; a camera shows noise.  ``flagged``: the far end of the range, and
    the sensor says that it is not valid; a camera is black.
    """

    fault: Literal["dead_sensor"] = "dead_sensor"
    sensor: str
    """``T1.touch``; ``R1.accelerometer`` for all its axes, ``R1.accelerometer.x`` for one."""
    mode: Literal["stuck", "floating", "flagged"] = "stuck"
    reading: float | None = None
    """Where it is stuck, in its unit; None: at its last reading.  The range limits this, too."""

    @model_validator(mode="after")
    def _reads_where_stuck(self) -> Self:
        if self.reading is not None and self.mode != "stuck":
            raise ValueError(f"reading: only with mode = 'stuck', got mode = {self.mode!r}")
        return self


class NoisySensor(FaultSpec):
    """Gaussian noise on top of what is measured, within the sensor's range."""

    fault: Literal["noisy_sensor"] = "noisy_sensor"
    sensor: str
    deviation: float = Field(gt=0)
    """Standard deviation, in the sensor's unit."""


class DeadBoard(FaultSpec):
    fault: Literal["dead_board"] = "dead_board"
    board: str
    servos: Literal["release", "freeze"] = "release"


class HungProgram(FaultSpec):
    """The program is not scheduled; mended, it goes on where it hung."""

    fault: Literal["hung_program"] = "hung_program"
    board: str


class CutLink(FaultSpec):
    fault: Literal["cut_link"] = "cut_link"
    link: str
    between: tuple[str, str] | None = None
    """Two neighbouring ports; None: no byte gets anywhere."""


class NoisyLink(FaultSpec):
    fault: Literal["noisy_link"] = "noisy_link"
    link: str
    loss: float = Field(default=0.0, ge=0, le=1)
    """Probability that a receiver misses a byte, frame or edge."""
    bit_error: float = Field(default=0.0, ge=0, le=1)
    noise_hz: float = Field(default=0.0, ge=0)

    @model_validator(mode="after")
    def _some(self) -> Self:
        if not (self.loss or self.bit_error or self.noise_hz):
            raise ValueError("noisy_link: give loss, bit_error or noise_hz")
        return self


class ClockDrift(FaultSpec):
    """The board's clock runs at another rate, as a quartz does in the heat."""

    fault: Literal["clock_drift"] = "clock_drift"
    board: str
    drift_ppm: float = Field(ge=-MAX_DRIFT_PPM, le=MAX_DRIFT_PPM)


class LowBattery(FaultSpec):
    """The battery turns out to hold less than it seemed; that does not mend."""

    fault: Literal["low_battery"] = "low_battery"
    charge: float = Field(default=0.05, ge=0, le=1)
    until_s: None = None


Fault = Annotated[
    StuckServo
    | WeakServo
    | LeakyCup
    | DeadSensor
    | NoisySensor
    | DeadBoard
    | HungProgram
    | CutLink
    | NoisyLink
    | ClockDrift
    | LowBattery,
    Field(discriminator="fault"),
]

_ADAPTER: TypeAdapter[Fault] = TypeAdapter(Fault)


def parse_fault(table: Any, *, where: str = "fault") -> Fault:
    """A fault from a table, with errors that name the field."""
    try:
        return _ADAPTER.validate_python(table)
    except ValidationError as error:
        raise SpecError(describe(error, where)) from None
