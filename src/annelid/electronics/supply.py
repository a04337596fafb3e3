"""The power supplies: a cable from the bench, or a battery (000 §2.5).

Both answer one question: this current was drawn from the rail for so long; what is its voltage
now?  The rail is one for the whole robot: the resistance between modules is left out.
"""

from __future__ import annotations

from math import sqrt
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, PositiveFloat

from annelid.errors import InputError
from annelid.spec import Spec

REST_VOLTAGE = (
    (0.0, 3.27), (0.05, 3.61), (0.10, 3.69), (0.20, 3.73), (0.30, 3.77), (0.40, 3.79),
    (0.50, 3.82), (0.60, 3.87), (0.70, 3.95), (0.80, 4.02), (0.90, 4.11), (1.0, 4.20),
)  # fmt: skip
"""A lithium-polymer cell at rest: state of charge and V.  Typical; the papers name no cell."""

CELL_NOMINAL = 3.7
"""What a cell of that curve is sold as, V."""


class TetherSupply(Spec):
    """A two-wire cable from a bench supply."""

    kind: Literal["tether"] = "tether"
    volts: PositiveFloat = 5.0
    """Of the bench supply."""
    length_m: float = Field(default=5.0, ge=0)
    """Of the cable."""
    ohm_per_m: float = Field(default=0.14, ge=0)
    """Both wires together; 0.25 mm² of copper."""

    def source(self) -> TetherSource:
        return TetherSource(self)


class TetherSource:
    charge = 1.0

    def __init__(self, spec: TetherSupply) -> None:
        self.nominal = self.cell = spec.volts
        self.drawn = 0.0
        self._resistance = spec.length_m * spec.ohm_per_m

    def load(self, amperes: float, seconds: float) -> float:
        self.drawn += self.nominal * amperes * seconds
        self.cell = max(0.0, self.nominal - amperes * self._resistance)
        return self.cell

    def life(self, elapsed: float) -> float:
        return float("inf")


class BatterySupply(Spec):
    """Lithium cells, behind a converter or without one."""

    kind: Literal["battery"] = "battery"
    capacity_mah: PositiveFloat = 180.0
    """Of the full battery."""
    cell_volts: PositiveFloat = CELL_NOMINAL
    """As printed on the cell; scales the curve of its voltage."""
    cells: int = Field(default=1, ge=1, le=12)
    """In series."""
    ohms: float = Field(default=0.15, ge=0)
    """Inside, all cells together."""
    charge: float = Field(default=1.0, ge=0, le=1)
    """At the start."""
    converter_volts: PositiveFloat | None = 5.0
    """Of the rail behind the converter; None: the rail is the battery itself."""
    efficiency: float = Field(default=0.88, gt=0, le=1)
    """Of the converter."""
    dropout_volts: PositiveFloat = 3.0
    """Per cell: below it the converter is at its largest ratio; the rail sinks with the cell."""

    def source(self) -> BatterySource:
        return BatterySource(self)


class BatterySource:
    """The cell's current follows from the power it must give: ``(E - R·i)·i = P``."""

    def __init__(self, spec: BatterySupply) -> None:
        self.spec = spec
        self.drawn = 0.0
        self._coulombs = spec.capacity_mah * 3.6
        self._charge = spec.charge
        self._used = 0.0
        levels, volts = np.array(REST_VOLTAGE).T
        self._levels = levels
        self._curve = volts * spec.cells * spec.cell_volts / CELL_NOMINAL
        self.volts = self._rest
        """At the terminals, at the last load."""

    @property
    def nominal(self) -> float:
        return self.spec.converter_volts or self.spec.cells * self.spec.cell_volts

    @property
    def charge(self) -> float:
        return self._charge

    @property
    def cell(self) -> float:
        return self.volts / self.spec.cells

    @property
    def _rest(self) -> float:
        """At the terminals without load, V."""
        return float(np.interp(self._charge, self._levels, self._curve)) if self._charge else 0.0

    def set_charge(self, charge: float) -> None:
        """A battery that turns out to be as good as empty."""
        if not 0 <= charge <= 1:
            raise InputError(f"charge: expected 0 to 1, got {charge!r}")
        self._charge = charge

    def load(self, amperes: float, seconds: float) -> float:
        spec = self.spec
        rest = self._rest
        if spec.converter_volts is None:
            current = min(amperes, rest / spec.ohms) if spec.ohms else amperes
        else:
            watts = spec.converter_volts * amperes / spec.efficiency
            current = _current(rest, spec.ohms, watts)
        self.volts = rest - current * spec.ohms
        used = min(current * seconds, self._charge * self._coulombs)
        self._used += used
        self._charge -= used / self._coulombs
        self.drawn += rest * used
        if spec.converter_volts is None:
            return self.volts
        return spec.converter_volts * min(1.0, self.volts / (spec.dropout_volts * spec.cells))

    def life(self, elapsed: float) -> float:
        if not self._used or elapsed <= 0:
            return float("inf")
        return self._charge * self._coulombs / (self._used / elapsed)


def _current(rest: float, ohms: float, watts: float) -> float:
    """Through a source of ``rest`` volts that must give ``watts``; at most half its short circuit,
    where it gives all it can and its voltage has fallen to half."""
    if rest <= 0 or watts <= 0:
        return 0.0
    if not ohms:
        return watts / rest
    inside = rest * rest - 4 * ohms * watts
    return (rest - sqrt(inside)) / (2 * ohms) if inside > 0 else rest / (2 * ohms)


Supply = Annotated[TetherSupply | BatterySupply, Field(discriminator="kind")]
