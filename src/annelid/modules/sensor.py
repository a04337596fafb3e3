"""N: the sensor module, which measures temperature and humidity around it (000 §2.5)."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field

from annelid.modules.shells import GREEN, back, front, shell
from annelid.robot.body import Body, Climate, Part
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType


class SensorPack(ModuleType):
    letter: ClassVar[str] = "N"
    wire_id: ClassVar[str] = "n"
    title: ClassVar[str] = "sensor"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Sense_temp=3, Sense_humi=3)

    length_mm: float = Field(default=25.0, gt=0)
    mass_g: float = Field(default=10.0, gt=0)

    def body(self) -> Body:
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -self.length, mass=self.mass, colour=GREEN)),
            ),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            sensors=(
                Climate(name="thermometer", quantity="temperature", noise=0.1),
                Climate(name="hygrometer", quantity="humidity", noise=0.5),
            ),
            friction=self.friction,
        )
