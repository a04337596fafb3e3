"""The scenery of a world, as data that the physics turns into geoms.

Robots have two skins (see ``modules/shells.py``): round ones for bores and flat ones for the
ground.  Every piece of scenery says which of them it meets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from pydantic import Field, PositiveFloat

from annelid.modules.shells import RADIUS
from annelid.robot.body import Touches
from annelid.spec import IDENTITY, Quat, Spec, Vec3
from annelid.worlds.tubes import TubeNetwork

CHAIN_HEIGHT_MM = RADIUS * 1000 + 0.5
"""Axis of a chain that is laid on the ground: the largest rigid radius, and a hair."""


@dataclass(frozen=True)
class Pose:
    """A place and an orientation, in the world."""

    at: Vec3
    turn: Quat = IDENTITY


class Block(Spec):
    """A fixed primitive: floor, wall, obstacle, stripe, landmark."""

    shape: Literal["plane", "box", "cylinder", "sphere"]
    size: tuple[float, ...]
    """Half sizes as the engine has them; for a plane half length, half width (0: endless)."""
    at: Vec3 = (0.0, 0.0, 0.0)
    turn: Quat = IDENTITY
    solid: bool = True
    """False: seen by cameras and people, touched by nothing (a stripe)."""
    grey: float = Field(default=0.6, ge=0, le=1)
    """What a grey camera sees under full light."""
    colour: tuple[float, float, float] | None = None
    alpha: float = Field(default=1.0, ge=0, le=1)
    """For people only: below 1 they see the robot behind it."""
    name: str = ""


@dataclass(frozen=True)
class Heights:
    """Ground as a grid of heights: rows along y, columns along x, both centred on the origin."""

    grid: NDArray[np.float64]
    half_x: float
    half_y: float
    depth: float = 0.02
    """Thickness below the lowest point."""


@dataclass(frozen=True)
class Solid:
    """A convex piece by its corners (a user's mesh cut up)."""

    points: NDArray[np.float64]


@dataclass(frozen=True)
class Looks:
    """Triangles for people and cameras only."""

    vertices: NDArray[np.float64]
    faces: NDArray[np.int64]
    colour: tuple[float, float, float, float] = (0.75, 0.78, 0.80, 1.0)


@dataclass(frozen=True)
class Patch:
    """A ball in which no suction cup seals: a joint of tiles, a rough spot."""

    at: Vec3
    radius: float


@dataclass(frozen=True)
class Scenery:
    start: Pose
    """Where the front face of the robot's first module begins, looking along its +x."""
    blocks: Sequence[Block] = ()
    heights: Heights | None = None
    solids: Sequence[Solid] = ()
    looks: Sequence[Looks] = ()
    tubes: TubeNetwork | None = None
    patches: Sequence[Patch] = ()
    """Where suction cups do not hold."""
    meets: Touches = Touches.GROUND
    """The skin that ``solids`` meet; blocks and heights always meet the flat one."""
    self_contact: bool = True
    """Whether modules can collide with each other; in a bore they cannot reach each other."""


PIPE_FRICTION, GROUND_FRICTION = 0.0, 0.6
"""Of a smooth wall, which leaves friction to what touches it, and of a dry floor."""


class Surface(Spec):
    """How the world feels.  A contact takes the larger of the two frictions, times ``grip``."""

    friction: float = Field(default=PIPE_FRICTION, ge=0, le=5)
    """Coefficient of sliding friction."""
    grip: float = Field(default=1.0, gt=0, le=3)
    """Factor on all friction: 1 dry, 0.5 wet."""
    restitution: float = Field(default=0.0, ge=0, le=0.9)
    """How much of its speed a body that bounces keeps."""
    softness_ms: PositiveFloat = 4.0
    """Time in which a contact pushes out; the same at every timestep (LAB: distances change by
    33-69 % with it)."""


class Tether(Spec):
    """The cable for power and video (000 §2.5) that the tail drags behind."""

    drag_n_per_m: float = Field(default=0.02, ge=0)
    """Friction per metre paid out."""
    bend_friction: float = Field(default=0.25, ge=0, le=2)
    """Friction in the bends it lies in: an elbow of θ multiplies the pull behind it by exp(µ·θ),
    one of 90° by 1.5 at the default.  Sheaths of PVC and polyurethane have 0.2 to 0.35 on plastic
    pipe, dry; 0: bends cost nothing."""
    length_m: PositiveFloat = 10.0
    """At its end the cable holds."""
