"""``gait = "snake"``: a named movement of rotation modules."""

from __future__ import annotations

from math import radians
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, PositiveFloat, field_validator

from annelid.errors import UnknownName
from annelid.motion.gait import Amplitude, Angle, GaitSpec
from annelid.motion.layers import WaveTerm
from annelid.motion.selector import Selector
from annelid.motion.snake import SNAKE
from annelid.robot.service import HORIZONTAL, VERTICAL

if TYPE_CHECKING:
    from annelid.motion.binder import Binder


class SnakeGait(GaitSpec):
    """A named movement of rotation modules, such as forward or roll (001 §3.3.1)."""

    gait: Literal["snake"] = "snake"
    move: str
    """A row of the table in ``annelid.motion.snake``: forward, sideways, roll …"""
    modules: Selector = "R"
    """Which modules it moves: names or letters, ``R``, ``R1, R3``, ``R*``; ``all``."""
    amplitude_deg: Amplitude | None = None
    """Amplitude of the larger of the two waves; the other keeps its ratio."""
    omega_rad_s: PositiveFloat | None = None
    """Angular frequency; None: that of the row of the table."""
    phase_rad: Annotated[float, Field(ge=0)] | None = None
    """Phase between modules, of the larger wave; the movement decides its direction."""
    offset_deg: Angle | None = None
    """Bend of the horizontal joints: the radius of a turn (000 §4.1.6)."""
    mirror: bool = False
    """To the right instead of to the left."""

    @field_validator("move")
    @classmethod
    def _known(cls, move: str) -> str:
        if move not in SNAKE:
            raise ValueError(str(UnknownName("snake movement", move, SNAKE)))
        return move

    @property
    def omega(self) -> float | None:
        return self.omega_rad_s or SNAKE[self.move].omega

    def lay(self, binder: Binder, where: str) -> None:
        row = SNAKE[self.move].changed(
            amplitude=None if self.amplitude_deg is None else radians(self.amplitude_deg),
            omega=self.omega_rad_s,
            phase=self.phase_rad,
            offset=None if self.offset_deg is None else radians(self.offset_deg),
        )
        if self.mirror:
            row = row.mirrored()
        window, waves, actuators = self.window(), [], binder.row
        for index, module in enumerate(binder.able(self.modules, (HORIZONTAL, VERTICAL), where)):
            if (found := actuators.serving(module, VERTICAL)) is not None:
                place, joint = found
                phase = index * row.phase_vertical
                waves.append(
                    WaveTerm(window, place, joint.value(row.vertical), row.omega, phase, 0.0)
                )
            if (found := actuators.serving(module, HORIZONTAL)) is not None:
                place, joint = found
                phase = index * row.phase_horizontal + row.between
                swing, middle = joint.value(row.horizontal), joint.value(row.offset)
                waves.append(WaveTerm(window, place, swing, row.omega, phase, middle))
        binder.lay_waves(waves)
