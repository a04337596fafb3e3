"""P: the passive module, which only passes on the bus and the sync lines."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from annelid.modules.shells import DARK, back, front, shell
from annelid.robot.body import Body, Part
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType


class Passive(ModuleType):
    letter: ClassVar[str] = "P"
    wire_id: ClassVar[str] = "p"
    title: ClassVar[str] = "passive"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of()

    length_mm: float = Field(default=30.0, gt=0)
    mass_g: float = Field(default=12.0, gt=0)

    def body(self) -> Body:
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -self.length, mass=self.mass, colour=DARK)),
            ),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            friction=self.friction,
        )
