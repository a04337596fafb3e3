"""B: the battery module, power for the others (000 §2.5)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from annelid.modules.shells import RED, back, front, shell
from annelid.robot.body import Body, Part
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType


class Battery(ModuleType):
    letter: ClassVar[str] = "B"
    wire_id: ClassVar[str] = "b"
    title: ClassVar[str] = "battery"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(PS=3)

    length_mm: float = Field(default=40.0, gt=0)
    mass_g: float = Field(default=30.0, gt=0)
    capacity_mah: float = Field(default=180.0, gt=0)
    """Of the full cell."""
    cell_voltage: float = Field(default=3.7, gt=0)
    """One lithium cell of 30 g with its 5 V converter."""

    @property
    def energy(self) -> float:
        """What a full one holds, J."""
        return self.capacity_mah * 3.6 * self.cell_voltage

    def body(self) -> Body:
        return Body(
            parts=(Part(name="front", geoms=shell(0.0, -self.length, mass=self.mass, colour=RED)),),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            friction=self.friction,
        )
