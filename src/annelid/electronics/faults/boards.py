"""Faults of boards, their clocks and their battery."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from annelid.electronics.faults import FaultSpec, Mend
from annelid.electronics.supply import BatterySource
from annelid.errors import InputError
from annelid.kernel.clock import MAX_DRIFT_PPM

if TYPE_CHECKING:
    from annelid.electronics.circuit import Circuit


class _OfBoard(FaultSpec):
    what: ClassVar[str] = "board"

    board: str
    """``R1``"""

    def check(self, circuit: Circuit) -> None:
        circuit.nodes[self.board]


class DeadBoard(_OfBoard):
    """The board stops for good; mended, it starts anew."""

    fault: Literal["dead_board"] = "dead_board"
    servos: Literal["release", "freeze"] = "release"
    """What its servos do then."""

    def strike(self, circuit: Circuit) -> Mend:
        node = circuit.nodes[self.board]
        node.kill("dead_board", servos=self.servos)
        return lambda: None if node.alive else node.start()


class HungProgram(_OfBoard):
    """The program is not scheduled; mended, it goes on where it hung."""

    fault: Literal["hung_program"] = "hung_program"

    def strike(self, circuit: Circuit) -> Mend:
        node = circuit.nodes[self.board]
        node.hang("hung_program")
        return lambda: node.resume("mended")


class ClockDrift(_OfBoard):
    """The board's clock runs at another rate, as a quartz does in the heat."""

    fault: Literal["clock_drift"] = "clock_drift"
    drift_ppm: float = Field(ge=-MAX_DRIFT_PPM, le=MAX_DRIFT_PPM)
    """Positive: fast."""

    def strike(self, circuit: Circuit) -> Mend:
        board = circuit.nodes[self.board].board
        before = board.clock.drift_ppm
        board.set_drift(self.drift_ppm)
        return lambda: board.set_drift(before)


class LowBattery(FaultSpec):
    """The battery suddenly holds less charge; this cannot be mended."""

    fault: Literal["low_battery"] = "low_battery"
    charge: float = Field(default=0.05, ge=0, le=1)
    """What it holds, 1 being full."""
    until_s: None = None

    @property
    def who(self) -> str:
        return "battery"

    def check(self, circuit: Circuit) -> None:
        _battery(circuit)

    def strike(self, circuit: Circuit) -> Mend:
        _battery(circuit).set_charge(self.charge)
        return lambda: None


def _battery(circuit: Circuit) -> BatterySource:
    power = circuit.power
    if power is None or not isinstance(power.source, BatterySource):
        raise InputError("low_battery: this robot has no battery")
    return power.source
