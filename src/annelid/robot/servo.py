"""The servo as data: the motor model of 001 §3.2, and how to get one from a datasheet.

The model (001 eqs 1-3; FACTS §1): ``e_a = sat(Kp·(θr-θ), ±V)``, ``L·di/dt = e_a - R·i - K·ω``,
torque ``K·dz(i)`` with no torque below the threshold current, rotor inertia and friction on the
joint.  ``measured current`` is the winding current behind an RC filter, as the boards see it.
"""

from __future__ import annotations

import math

from pydantic import Field, PositiveFloat, model_validator

from annelid.errors import SpecError
from annelid.robot.converter import STEPS
from annelid.spec import Spec


class Servo(Spec):
    """One servo.  All values at the output shaft, SI units."""

    name: str
    """By which files choose it."""
    voltage: PositiveFloat
    """Supply, V; the controller's output is limited to it."""
    gain: PositiveFloat
    """Kp, V/rad."""
    motor_constant: PositiveFloat
    """K = Kτ = Km, N·m/A and V·s/rad."""
    resistance: PositiveFloat
    """R, Ω."""
    inductance: float = Field(gt=0)
    """L, H."""
    friction: float = Field(default=0.0, ge=0)
    """Bm, viscous, N·m·s/rad."""
    inertia: PositiveFloat
    """Jm, kg·m²."""
    threshold: float = Field(default=0.0, ge=0)
    """Current that only overcomes static friction and gives no torque (001 §3.2), A."""
    filter_time: PositiveFloat = 0.010
    """Time constant of the RC filter in front of the current measurement, s."""
    trip: PositiveFloat | None = 0.100
    """Filtered current at which the comparator releases the servo (000 §4.1.2), A; None: never."""
    slew: float = Field(default=0.0, ge=0)
    """Fastest change of the setpoint, rad/s; 0: unlimited."""
    thermal_resistance: PositiveFloat = 120.0
    """Winding to air, K/W."""
    thermal_capacity: PositiveFloat = 1.0
    """Of the winding, J/K."""
    hottest_c: PositiveFloat = 50.0
    """At which its board switches it off (000 §4.1.1), °C."""
    travel: PositiveFloat = math.pi
    """Full mechanical range, rad."""
    sensed: PositiveFloat | None = None
    """What its potentiometer or encoder covers, rad; None: a tenth more than ``travel``, because a
    potentiometer turns further than the stops allow."""
    angle_steps: int = Field(default=STEPS, ge=2, le=2**24)
    """Into which that is divided."""
    draw: PositiveFloat = 1.0
    """Supply current per ampere that makes torque; above 1 for a motor with losses."""

    @model_validator(mode="after")
    def _senses_its_travel(self) -> Servo:
        if self.sensed is not None and self.sensed < self.travel:
            raise ValueError(
                f"servo {self.name}: sensed: expected at least its travel, {self.travel:.4g} rad, "
                f"got {self.sensed:.4g}"
            )
        return self

    @property
    def angle_span(self) -> float:
        """What its potentiometer or encoder covers, rad."""
        return 1.1 * self.travel if self.sensed is None else self.sensed

    @property
    def angle_resolution(self) -> float:
        """Smallest turn that its board can tell, rad."""
        return self.angle_span / self.angle_steps

    @property
    def stall_torque(self) -> float:
        return self.motor_constant * self.stall_current

    @property
    def stall_current(self) -> float:
        """Through the winding; the supply sees ``draw`` times as much."""
        return self.voltage / self.resistance

    @property
    def no_load_speed(self) -> float:
        """Where back-EMF and friction use up the supply: ``V·K/(K² + Bm·R)``, rad/s."""
        k = self.motor_constant
        return self.voltage * k / (k**2 + self.friction * self.resistance)

    @property
    def stiffness(self) -> float:
        """Torque per radian of error before the voltage saturates, N·m/rad."""
        return self.gain * self.motor_constant / self.resistance

    def as_built(self, torque: float, speed: float) -> Servo:
        """One servo of the kind: stall torque and no-load speed times these factors.

        Both hold exactly, friction included; torque at every error scales with ``torque``, the
        electrical time constant stays.
        """
        both = torque * speed
        return self.model_copy(
            update={
                "motor_constant": self.motor_constant / speed,
                "resistance": self.resistance / both,
                "inductance": self.inductance / both,
                "friction": self.friction * torque / speed,
            }
        )

    @classmethod
    def from_datasheet(
        cls,
        name: str,
        *,
        voltage: float,
        stall_torque: float,
        no_load_speed: float,
        stall_current: float | None = None,
        full_drive_error: float = math.radians(5.0),
        travel: float = math.pi,
        inertia: float | None = None,
        friction: float = 0.0,
        angle_steps: int = STEPS,
        **rest: float | None,
    ) -> Servo:
        """A servo from what its seller prints.

        ``no_load_speed`` and ``stall_torque`` fix the motor (``K = V·(1/ω0 - Bm/τ)``, lossless
        without ``friction``); a ``stall_current`` above the lossless value becomes ``draw``.
        ``full_drive_error`` is the position error at which the supply is fully applied.  Without
        ``inertia`` the rotor is such that it reaches its speed in 50 ms, typical for geared hobby
        servos.
        """
        positive: dict[str, object] = {
            "voltage": voltage,
            "stall_torque": stall_torque,
            "no_load_speed": no_load_speed,
            "full_drive_error": full_drive_error,
            "travel": travel,
            "inertia": 1.0 if inertia is None else inertia,
        }
        for field, value in positive.items():
            if not (isinstance(value, int | float) and value > 0):
                raise SpecError(f"servo {name}: {field}: expected a positive number, got {value!r}")
        friction_max = stall_torque / no_load_speed
        if not 0 <= friction < friction_max:
            raise SpecError(
                f"servo {name}: friction: expected 0 to {friction_max:.3g} N·m·s/rad, "
                f"where it would use up the stall torque at no-load speed; got {friction}"
            )
        constant = voltage * (1 / no_load_speed - friction / stall_torque)
        resistance = constant * voltage / stall_torque
        lossless = voltage / resistance
        if stall_current is not None and stall_current < lossless * 0.999:
            raise SpecError(
                f"servo {name}: stall_current {stall_current} A cannot give {stall_torque} N·m at "
                f"{no_load_speed} rad/s from {voltage} V; at least {lossless:.3f} A are needed"
            )
        return cls(
            name=name,
            voltage=voltage,
            gain=voltage / full_drive_error,
            motor_constant=constant,
            resistance=resistance,
            inductance=resistance * 0.625e-3,
            friction=friction,
            inertia=inertia if inertia is not None else 0.05 / 3 * stall_torque / no_load_speed,
            travel=travel,
            angle_steps=angle_steps,
            draw=1.0 if stall_current is None else max(1.0, stall_current / lossless),
            trip=rest.pop("trip", None),
            **{key: value for key, value in rest.items() if value is not None},
        )
