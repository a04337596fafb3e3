"""A tilted plane: floor, ramp, wall or ceiling by one angle (003 walks on all of them)."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import ClassVar, Final, Literal, Self

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PositiveFloat, model_validator

from annelid.spec import Quat, Spec, Vec3
from annelid.worlds.scenery import (
    CHAIN_HEIGHT_MM,
    GROUND_FRICTION,
    Block,
    Patch,
    Pose,
    Scenery,
    Surface,
)
from annelid.worlds.world import World

LONG: Final = 20.0
"""Half length of a drum, m."""


class PatchOnPlane(Spec):
    """A round spot on which no suction cup seals."""

    x_mm: float = Field(ge=-100_000, le=100_000)
    """Up the slope from below the start."""
    y_mm: float = Field(ge=-100_000, le=100_000)
    """To the left of that."""
    radius_mm: float = Field(gt=0, le=1000)
    """Of the spot."""


class Plane(World):
    """Endless, through the origin.  The robot starts on the side the plane faces, heading up the
    slope; progress is counted along its heading."""

    title: ClassVar[str] = "tilted plane: floor, ramp, wall, ceiling; or a drum, a dome"

    kind: Literal["plane"] = "plane"
    surface: Surface = Surface(friction=GROUND_FRICTION)
    slope_deg: float = Field(default=0.0, ge=0, le=180)
    """0 is a floor, 90 a wall, 180 a ceiling."""
    heading_deg: float = 0.0
    """On the plane, from straight up the slope, to the left."""
    height_mm: PositiveFloat = CHAIN_HEIGHT_MM
    """Of the robot's axis above the plane at the start."""
    pitch_deg: float = Field(default=0.0, ge=-45, le=45)
    """Of the robot against the plane at the start, nose up."""
    roll_deg: float = Field(default=0.0, ge=-45, le=45)
    """Of the robot against the plane at the start, to its right."""
    shape: Literal["flat", "drum", "dome"] = "flat"
    """A plane; or a cylinder with a level axis, or a sphere, from outside, with the slope at the
    start."""
    radius_mm: float = Field(default=1000.0, ge=500, le=100_000)
    """Of a drum or a dome."""
    patches: tuple[PatchOnPlane, ...] = Field(default=(), max_length=100)
    """Where suction cups do not hold."""
    goal_mm: PositiveFloat | None = None
    """Progress that counts as success; None: there is no goal."""

    def scenery(self, robot_length: float) -> Scenery:
        slope = math.radians(self.slope_deg)
        normal = (-math.sin(slope), 0.0, math.cos(slope))
        up = self.height_mm / 1000
        spots = [
            Patch(
                (p.x_mm / 1000 * math.cos(slope), p.y_mm / 1000, p.x_mm / 1000 * math.sin(slope)),
                p.radius_mm / 1000,
            )
            for p in self.patches
        ]
        return Scenery(
            start=Pose((normal[0] * up, normal[1] * up, normal[2] * up), self._turn()),
            blocks=(
                self._ground(slope),
                *(_shown(spot, _tilt(slope)) for spot in spots),
            ),
            patches=spots,
        )

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if self.patches and self.shape != "flat":
            raise ValueError(f"patches: expected a flat shape, got a {self.shape}")
        return self

    def _ground(self, slope: float) -> Block:
        if self.shape == "flat":
            return Block(shape="plane", size=(0.0, 0.0), turn=_tilt(slope), name="plane")
        radius = self.radius_mm / 1000
        middle = (math.sin(slope) * radius, 0.0, -math.cos(slope) * radius)
        if self.shape == "dome":
            return Block(shape="sphere", size=(radius,), at=middle, name="plane")
        half = math.sqrt(0.5)
        return Block(
            shape="cylinder",
            size=(radius, LONG),
            at=middle,
            turn=(half, half, 0.0, 0.0),
            name="plane",
        )

    def progress(self, point: Vec3) -> float:
        return float(np.dot(_ahead(self.slope_deg, self.heading_deg), point))

    @property
    def goal(self) -> float | None:
        return None if self.goal_mm is None else self.goal_mm / 1000

    def _turn(self) -> Quat:
        """First the slope about the world's y, then the heading about the plane's normal, then
        pitch and roll about the robot's own axes."""
        w, _, y, _ = _tilt(math.radians(self.slope_deg))
        half = math.radians(self.heading_deg) / 2
        cos, sin = math.cos(half), math.sin(half)
        turn = (w * cos, y * sin, y * cos, w * sin)
        if not (self.pitch_deg or self.roll_deg):
            return turn
        pitch = _tilt(math.radians(self.pitch_deg))
        half = math.radians(self.roll_deg) / 2
        return _product(_product(turn, pitch), (math.cos(half), math.sin(half), 0.0, 0.0))


def _shown(spot: Patch, turn: Quat) -> Block:
    """For people: a dark disc, touched by nothing."""
    return Block(
        shape="cylinder", size=(spot.radius, 0.0001), at=spot.at, turn=turn, solid=False, grey=0.2
    )


@lru_cache(maxsize=64)
def _ahead(slope_deg: float, heading_deg: float) -> NDArray[np.float64]:
    """Where the robot is headed; asked for at every tick."""
    slope, heading = math.radians(slope_deg), math.radians(heading_deg)
    climb = math.cos(heading)
    return np.array((climb * math.cos(slope), math.sin(heading), climb * math.sin(slope)))


def _tilt(slope: float) -> Quat:
    """The turn that raises +x by ``slope``."""
    return math.cos(slope / 2), 0.0, -math.sin(slope / 2), 0.0


def _product(a: Quat, b: Quat) -> Quat:
    """First ``a``, then ``b`` about the axes that ``a`` has turned."""
    (aw, ax, ay, az), (bw, bx, by, bz) = a, b
    return (
        aw * bw - ax * bx - ay * by - az * bz,
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
    )
