"""The analog input: turns a physical quantity into what a program reads."""

from __future__ import annotations

from annelid.robot.converter import Converter


class AnalogInput:
    """One input of a board: its zero error, then its converter.

    Plain numbers and one division, because every servo passes here at every tick.
    """

    __slots__ = ("bottom", "name", "offset", "resolution", "top")

    def __init__(self, name: str, converter: Converter, offset: float = 0.0) -> None:
        self.name = name
        """``T1.nose``, ``R1.accelerometer.x``, ``R1.yaw``."""
        """``offset``: added to the quantity before it is converted, in its unit."""
        self.bottom, self.top = converter.lowest, converter.highest
        self.resolution = converter.resolution
        self.offset = offset

    def read(self, value: float) -> float:
        """The reading of ``value``; one that is no number reads as the bottom of the range."""
        value += self.offset
        if value >= self.top:
            return self.top
        if value > self.bottom:
            return round(value / self.resolution) * self.resolution
        return self.bottom
