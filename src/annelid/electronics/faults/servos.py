"""Faults of motors and suction cups."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from annelid.electronics.faults import FaultSpec, Mend
from annelid.physics import damage

if TYPE_CHECKING:
    from annelid.electronics.circuit import Circuit


class _OfServo(FaultSpec):
    what: ClassVar[str] = "servo"

    servo: str
    """``R1.yaw``"""

    def check(self, circuit: Circuit) -> None:
        circuit.sim.actuators.place(self.servo)


class StuckServo(_OfServo):
    """The gear jams: the joint stays where it is, whatever is commanded."""

    fault: Literal["stuck_servo"] = "stuck_servo"

    def strike(self, circuit: Circuit) -> Mend:
        damage.stick(circuit.sim, self.servo)
        return lambda: damage.heal(circuit.sim, self.servo, "stuck")


class WeakServo(_OfServo):
    """The motor gives a share of its torque."""

    fault: Literal["weak_servo"] = "weak_servo"
    factor: float = Field(default=0.5, gt=0, le=1)
    """What is left of it."""

    def strike(self, circuit: Circuit) -> Mend:
        damage.weaken(circuit.sim, self.servo, self.factor)
        return lambda: damage.heal(circuit.sim, self.servo, "weak")


class ShortServo(_OfServo):
    """Something in the gear stops the servo before its end: it keeps a part of its range."""

    fault: Literal["short_servo"] = "short_servo"
    share: float = Field(default=0.5, gt=0, le=1)
    """What is left of it, on both sides of where it stands straight."""

    def check(self, circuit: Circuit) -> None:
        super().check(circuit)
        damage.require_range(circuit.sim, self.servo)

    def strike(self, circuit: Circuit) -> Mend:
        damage.shorten(circuit.sim, self.servo, self.share)
        return lambda: damage.heal(circuit.sim, self.servo, "short")


class LimpServo(_OfServo):
    """A wire of the motor is broken: it gives way, whatever is commanded."""

    fault: Literal["limp_servo"] = "limp_servo"

    def strike(self, circuit: Circuit) -> Mend:
        damage.let_go(circuit.sim, self.servo)
        return lambda: damage.heal(circuit.sim, self.servo, "limp")


class LeakyCup(FaultSpec):
    """A torn lip or a porous patch: the vacuum falls although the impeller runs."""

    what: ClassVar[str] = "cup"

    fault: Literal["leaky_cup"] = "leaky_cup"
    cup: str
    """``L1.cup``"""
    holds: float = Field(default=0.0, ge=0, lt=1)
    """Share of a full vacuum that the impeller still keeps up."""
    falls_s: float = Field(default=10.0, gt=0)
    """In which a full vacuum would be gone."""

    def check(self, circuit: Circuit) -> None:
        circuit.sim.cups.place(self.cup)

    def strike(self, circuit: Circuit) -> Mend:
        damage.leak(circuit.sim, self.cup, holds=self.holds, falls_s=self.falls_s)
        return lambda: damage.seal(circuit.sim, self.cup)
