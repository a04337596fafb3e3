"""Undulating ground between side walls (001 §6.3, Fig 12).

``z = a·(1 + sin(2πx/λ))``: the ground touches z = 0 in its valleys.  The walls keep a chain that
bends up and down from falling to the side.  001 prints neither amplitude nor wavelength; the
defaults are waves that a chain of eight modules lies across.
"""

from __future__ import annotations

import math
from typing import ClassVar, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from annelid.worlds.scenery import (
    CHAIN_HEIGHT_MM,
    GROUND_FRICTION,
    Block,
    Heights,
    Pose,
    Scenery,
    Surface,
)
from annelid.worlds.world import World

COLUMNS_PER_WAVE = 32
"""The ground is straight between columns: at 32 it is within 0.5 % of the amplitude."""

ROW = 0.10
"""Widest row of the grid, m; across the waves the ground is level, so few rows will do."""

WALL_HALF = 0.005
"""Half thickness of a side wall, m."""

COLUMNS_MAX = 4000
"""More would be slow to build and to draw."""


class Terrain(World):
    """The robot's nose starts at x = 0, above the crests, and drops on to the ground."""

    title: ClassVar[str] = "undulating ground between side walls"

    kind: Literal["terrain"] = "terrain"
    surface: Surface = Surface(friction=GROUND_FRICTION)
    amplitude_mm: float = Field(default=10.0, ge=0, le=500)
    """Crests are twice as high as this above the valleys' floor."""
    wavelength_mm: float = Field(default=200.0, ge=20, le=10_000)
    """From crest to crest."""
    length_mm: float = Field(default=2000.0, gt=0, le=50_000)
    """Of the way ahead; as much lies behind the start."""
    width_mm: float = Field(default=120.0, ge=40, le=5_000)
    """Between the walls."""
    walls_mm: float = Field(default=100.0, ge=0, le=2_000)
    """How far the walls rise above the crests; 0: no walls."""

    @model_validator(mode="after")
    def _grid_is_small(self) -> Self:
        most = COLUMNS_MAX / (2 * COLUMNS_PER_WAVE) - 2
        if self.length_mm / self.wavelength_mm > most:
            raise ValueError(
                f"length_mm: expected at most {most:.0f} wavelengths "
                f"({most * self.wavelength_mm:.0f} mm), got {self.length_mm:g}"
            )
        return self

    def height(self, x: float) -> float:
        """Of the ground at x, m."""
        wave = math.sin(2 * math.pi * x * 1000 / self.wavelength_mm)
        return self.amplitude_mm / 1000 * (1 + wave)

    def scenery(self, robot_length: float) -> Scenery:
        wavelength = self.wavelength_mm / 1000
        half_x = max(self.length_mm / 1000, robot_length) + wavelength
        half_y = self.width_mm / 2000
        columns = math.ceil(2 * half_x / wavelength * COLUMNS_PER_WAVE) + 1
        rows = math.ceil(2 * half_y / ROW) + 1
        along = np.linspace(-half_x, half_x, columns)
        profile = self.amplitude_mm / 1000 * (1 + np.sin(2 * math.pi * along / wavelength))
        crest = 2 * self.amplitude_mm / 1000
        return Scenery(
            start=Pose((0.0, 0.0, crest + CHAIN_HEIGHT_MM / 1000)),
            heights=Heights(np.tile(profile, (rows, 1)), half_x, half_y),
            blocks=self._walls(half_x, half_y, crest),
        )

    def _walls(self, half_x: float, half_y: float, crest: float) -> tuple[Block, ...]:
        if self.walls_mm == 0:
            return ()
        half_z = (crest + self.walls_mm / 1000) / 2
        return tuple(
            Block(
                shape="box",
                size=(half_x, WALL_HALF, half_z),
                at=(0.0, side * (half_y + WALL_HALF), half_z),
                grey=0.8,
                alpha=0.3,
                name=name,
            )
            for name, side in (("left wall", 1.0), ("right wall", -1.0))
        )

    @property
    def goal(self) -> float:
        return self.length_mm / 1000
