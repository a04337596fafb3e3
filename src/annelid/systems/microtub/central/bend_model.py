"""A bend as a camera in it, or before it, sees it: straight, arc and straight, lit from the lens.

A ray from the lens is followed to the wall; where it meets the wall gives the way along the middle
of the pipe and the side.  The lamp sits at the lens, so the light that comes back tells how far
away the wall is and how it leans: ``bend_fit`` finds the bend that looks like a picture.

The frame is that of the pipe where the bend begins: x ahead, y left, z up, as the robot lies.
Metres and radians.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

LAMP_M: Final = 0.12
"""At this distance the lamp's light has fallen to half."""
GLOW: Final = 0.25
"""Share of the light that a wall gives back however it leans; the rest goes with the cosine."""
FAR_M: Final = 0.5
"""Farther the lamp shows nothing."""
STEPS: Final = 44
"""A ray goes by its clearance each time: after so many steps it is at the wall."""
WHITE: Final = 255.0
AHEAD: Final = np.array([1.0, 0.0, 0.0])
LEFT: Final = np.array([0.0, 1.0, 0.0])
UP: Final = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True, slots=True)
class WallPoints:
    """Where rays meet the wall, one row each."""

    far: Floats
    """From the lens, m."""
    along: Floats
    """Along the middle of the pipe, from where the bend begins, m; before it is less than 0."""
    side: Floats
    """Round the pipe, from the left towards up, rad; carried round the bend without twist."""
    light: Floats
    """Grey level there, if the wall is whole."""


@dataclass(frozen=True, slots=True)
class BendView:
    """A bend, and a lens that looks at it."""

    lens: float
    """Along the pipe from where the bend begins, m; before it is less than 0."""
    radius: float
    angle: float
    towards: float
    """Where it leads, from the left towards up."""
    left: float
    up: float
    """Of the lens from the middle of the pipe, m."""
    yaw: float
    pitch: float
    """Of the lens against the pipe, to the left and up positive."""
    gain: float
    """Grey level of a wall at the lens."""

    def meet(self, looking: Floats, bore: float) -> WallPoints:
        """Follow unit rays, in the lens's frame, to the wall."""
        eye, turn = self._pose()
        rays = looking @ turn.T
        far = np.zeros(len(rays))
        inward, aside = self._axes()
        for _ in range(STEPS):
            along, near, beside = self._from_middle(eye + far[:, None] * rays, inward, aside)
            far = np.minimum(far + np.maximum(bore / 2 - np.hypot(near, beside), 0.0), FAR_M)
        off = np.maximum(np.hypot(near, beside), 1e-9)
        turned = np.clip(along / self.radius, 0.0, self.angle)[:, None]
        towards = np.cos(turned) * inward - np.sin(turned) * AHEAD
        normal = (near / off)[:, None] * towards + (beside / off)[:, None] * aside
        facing = np.abs(np.einsum("ij,ij->i", normal, rays))
        light = self.gain * (GLOW + (1 - GLOW) * facing) / (1 + (far / LAMP_M) ** 2)
        left, up = (near * inward[k] + beside * aside[k] for k in (1, 2))
        return WallPoints(far, along, np.arctan2(up, left), np.minimum(light, WHITE))

    def _axes(self) -> tuple[Floats, Floats]:
        """At the beginning: to the centre of the bend, and out of its plane."""
        inward = cos(self.towards) * LEFT + sin(self.towards) * UP
        return inward, np.cross(AHEAD, inward)

    def _from_middle(
        self, points: Floats, inward: Floats, aside: Floats
    ) -> tuple[Floats, Floats, Floats]:
        """Along the middle of the pipe, and from it: towards the centre of the bend, and aside."""
        ahead, across, beside = points[:, 0], points @ inward, points @ aside
        turned = np.arctan2(ahead, self.radius - across)
        along = self.radius * np.clip(turned, 0.0, self.angle)
        near = self.radius - np.hypot(ahead, self.radius - across)
        before = ahead < 0
        along, near = np.where(before, ahead, along), np.where(before, across, near)
        behind = ~before & (turned > self.angle)
        if behind.any():
            c, s = cos(self.angle), sin(self.angle)
            on, over = ahead - self.radius * s, across - self.radius * (1 - c)
            along = np.where(behind, self.radius * self.angle + on * c + over * s, along)
            near = np.where(behind, over * c - on * s, near)
        return along, near, beside

    def _pose(self) -> tuple[Floats, Floats]:
        """Where the lens is, and its axes ahead, left and up as columns."""
        c, s = cos(self.yaw), sin(self.yaw)
        forward = np.array([c * cos(self.pitch), s * cos(self.pitch), sin(self.pitch)])
        leftward = np.array([-s, c, 0.0])
        turn = np.stack([forward, leftward, np.cross(forward, leftward)], axis=1)
        inward, aside = self._axes()
        turned = min(max(self.lens / self.radius, 0.0), self.angle)
        ahead = cos(turned) * AHEAD + sin(turned) * inward
        towards = cos(turned) * inward - sin(turned) * AHEAD
        left = (LEFT @ inward) * towards + (LEFT @ aside) * aside
        up = (UP @ inward) * towards + (UP @ aside) * aside
        middle = self.radius * (sin(turned) * AHEAD + (1 - cos(turned)) * inward)
        straight = self.lens - self.radius * turned
        """Before the bend less than 0, in it 0, behind it more."""
        eye = middle + straight * ahead + self.left * left + self.up * up
        return eye, np.stack([ahead, left, up], axis=1) @ turn
