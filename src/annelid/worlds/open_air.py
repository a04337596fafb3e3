"""Open air: a floor with obstacles to go round, stripes to follow and landmarks to find.

::

    [world]
    kind = "open-air"
    goal_mm = 1500
    obstacles = [{shape="box", at_mm=[600, 0], size_mm=[80, 200, 40], turn_deg=30}]
    stripes = [{points_mm=[[0, 0], [400, 0], [800, 300]], width_mm=20, grey=0.1}]
    landmarks = [{name="door", shape="panel", at_mm=[1500, 0], grey=0.05}]

Everything stands on the floor; ``at_mm`` is the middle of its foot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import pairwise
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, PositiveFloat, model_validator

from annelid.errors import GeometryError
from annelid.modules.shells import RADIUS
from annelid.spec import Quat, Spec, Vec3
from annelid.worlds.scenery import CHAIN_HEIGHT_MM, GROUND_FRICTION, Block, Pose, Scenery, Surface
from annelid.worlds.world import World

Place = tuple[float, float]
"""x and y on the floor, mm."""

Grey = Annotated[float, Field(ge=0, le=1)]

PAINT = 0.0002
"""Half thickness of a stripe, m: enough for a ray to meet it before the floor."""

PANEL = 0.002
"""Half thickness of a landmark's panel, m."""


class Box(Spec):
    shape: Literal["box"] = "box"
    """Chooses a box."""
    name: str | None = None
    """In messages; None: its shape and a number, ``box1``."""
    at_mm: Place
    """x and y of its middle."""
    size_mm: tuple[PositiveFloat, PositiveFloat, PositiveFloat]
    """Length, width, height."""
    turn_deg: float = 0.0
    """About the vertical, to the left."""
    grey: Grey = 0.4
    """What a grey camera sees: 0 black, 1 white."""

    def block(self, name: str) -> Block:
        length, width, height = (size / 2000 for size in self.size_mm)
        return _upright("box", (length, width, height), self.at_mm, self.turn_deg, self.grey, name)


class Cylinder(Spec):
    """A pillar."""

    shape: Literal["cylinder"] = "cylinder"
    """Chooses a pillar."""
    name: str | None = None
    """In messages; None: its shape and a number, ``box1``."""
    at_mm: Place
    """x and y of its middle."""
    diameter_mm: PositiveFloat
    """Of the pillar."""
    height_mm: PositiveFloat = 200.0
    """Above the floor."""
    grey: Grey = 0.4
    """What a grey camera sees: 0 black, 1 white."""

    def block(self, name: str) -> Block:
        size = (self.diameter_mm / 2000, self.height_mm / 2000)
        return _upright("cylinder", size, self.at_mm, 0.0, self.grey, name)


class Wall(Spec):
    """From one place to another."""

    shape: Literal["wall"] = "wall"
    """Chooses a wall."""
    name: str | None = None
    """In messages; None: its shape and a number, ``box1``."""
    from_mm: Place
    """x and y of one end."""
    to_mm: Place
    """x and y of the other end."""
    height_mm: PositiveFloat = 200.0
    """Above the floor."""
    thickness_mm: PositiveFloat = 10.0
    """Of the wall."""
    grey: Grey = 0.7
    """What a grey camera sees: 0 black, 1 white."""

    @model_validator(mode="after")
    def _has_length(self) -> Self:
        if self.from_mm == self.to_mm:
            raise ValueError(f"a wall goes from one place to another; both are {self.from_mm}")
        return self

    def block(self, name: str) -> Block:
        length, middle, turn_deg = _between(self.from_mm, self.to_mm)
        size = (length / 2000, self.thickness_mm / 2000, self.height_mm / 2000)
        return _upright("box", size, middle, turn_deg, self.grey, name)


Obstacle = Annotated[Box | Cylinder | Wall, Field(discriminator="shape")]


class Stripe(Spec):
    """A line painted on the floor: seen, and touched by nothing."""

    points_mm: tuple[Place, ...] = Field(min_length=2)
    """x and y of its corners, in order."""
    width_mm: PositiveFloat = 20.0
    """Of the line."""
    grey: Grey = 0.1
    """What a grey camera sees: 0 black, 1 white."""

    def blocks(self) -> Iterator[Block]:
        """A bar per stretch and a disc at every corner, so that bends have no notch."""
        half = self.width_mm / 2000
        for start, end in pairwise(self.points_mm):
            length, (x, y), turn_deg = _between(start, end)
            yield Block(
                shape="box",
                size=(max(length / 2000, PAINT), half, PAINT),
                at=(x / 1000, y / 1000, PAINT),
                turn=_about_z(turn_deg),
                solid=False,
                grey=self.grey,
            )
        for x, y in self.points_mm[1:-1]:
            yield Block(
                shape="cylinder",
                size=(half, PAINT),
                at=(x / 1000, y / 1000, PAINT),
                solid=False,
                grey=self.grey,
            )


class Landmark(Spec):
    """An upright post, or a panel that faces ``turn_deg``, which a camera finds by its name."""

    name: str = Field(min_length=1)
    """By which a robot is sent to it."""
    shape: Literal["post", "panel"] = "post"
    """A post is round; a panel is flat."""
    at_mm: Place
    """x and y."""
    width_mm: PositiveFloat = 60.0
    """Of the panel, or the post's diameter."""
    height_mm: PositiveFloat = 300.0
    """Above the floor."""
    turn_deg: float = 180.0
    """180 faces a robot that comes along +x."""
    grey: Grey = 0.0
    """What a grey camera sees: 0 black, 1 white."""

    def block(self) -> Block:
        half, high = self.width_mm / 2000, self.height_mm / 2000
        if self.shape == "post":
            return _upright("cylinder", (half, high), self.at_mm, 0.0, self.grey, self.name)
        return _upright("box", (PANEL, half, high), self.at_mm, self.turn_deg, self.grey, self.name)


class OpenAir(World):
    """Progress is counted from the start along the robot's first heading."""

    title: ClassVar[str] = "open air: floor, obstacles, stripes, landmarks"

    kind: Literal["open-air"] = "open-air"
    surface: Surface = Surface(friction=GROUND_FRICTION)
    floor_grey: Grey = 0.75
    """What a grey camera sees: 0 black, 1 white."""
    obstacles: tuple[Obstacle, ...] = ()
    """Boxes, cylinders and walls; ``shape`` chooses."""
    stripes: tuple[Stripe, ...] = ()
    """Lines painted on the floor."""
    landmarks: tuple[Landmark, ...] = ()
    """Posts and panels that a camera finds."""
    start_mm: Place = (0.0, 0.0)
    """Where the robot's nose begins."""
    heading_deg: float = 0.0
    """Where the robot looks at the start, from x to the left."""
    goal_mm: PositiveFloat | None = None
    """Progress that counts as success; None: there is no goal."""

    @model_validator(mode="after")
    def _names_differ(self) -> Self:
        names = [block.name for block in self._standing()]
        if twice := {name for name in names if names.count(name) > 1}:
            raise ValueError(f"names of obstacles and landmarks must differ: {sorted(twice)}")
        return self

    def scenery(self, robot_length: float) -> Scenery:
        floor = Block(shape="plane", size=(0.0, 0.0), grey=self.floor_grey, name="floor")
        standing = tuple(self._standing())
        for block in standing:
            self._refuse_on_robot(block, robot_length)
        painted = (block for stripe in self.stripes for block in stripe.blocks())
        x, y = self.start_mm
        return Scenery(
            start=Pose((x / 1000, y / 1000, CHAIN_HEIGHT_MM / 1000), _about_z(self.heading_deg)),
            blocks=(floor, *painted, *standing),
        )

    def progress(self, point: Vec3) -> float:
        heading = math.radians(self.heading_deg)
        ahead = (point[0] - self.start_mm[0] / 1000) * math.cos(heading)
        return ahead + (point[1] - self.start_mm[1] / 1000) * math.sin(heading)

    @property
    def goal(self) -> float | None:
        return None if self.goal_mm is None else self.goal_mm / 1000

    def _standing(self) -> Iterator[Block]:
        counts: dict[str, int] = {}
        for obstacle in self.obstacles:
            counts[obstacle.shape] = counts.get(obstacle.shape, 0) + 1
            yield obstacle.block(obstacle.name or f"{obstacle.shape}{counts[obstacle.shape]}")
        for landmark in self.landmarks:
            yield landmark.block()

    def _refuse_on_robot(self, block: Block, robot_length: float) -> None:
        """The robot lies straight behind its nose; nothing may stand in it."""
        heading = math.radians(self.heading_deg)
        turn = 2 * math.atan2(block.turn[3], block.turn[0])
        half_x, half_y = block.size[0], block.size[1 if block.shape == "box" else 0]
        for step in range(max(2, math.ceil(robot_length / 0.005) + 1)):
            back = min(step * 0.005, robot_length)
            dx = self.start_mm[0] / 1000 - back * math.cos(heading) - block.at[0]
            dy = self.start_mm[1] / 1000 - back * math.sin(heading) - block.at[1]
            along = abs(dx * math.cos(turn) + dy * math.sin(turn))
            aside = abs(dy * math.cos(turn) - dx * math.sin(turn))
            reach = math.hypot(max(along - half_x, 0), max(aside - half_y, 0))
            if block.shape == "cylinder":
                reach = math.hypot(along, aside) - half_x
            if reach < RADIUS:
                raise GeometryError(
                    f"world: {block.name!r} stands where the robot starts ({back * 1000:.0f} mm "
                    "behind its nose): move it, or set start_mm and heading_deg"
                )


def _about_z(angle_deg: float) -> Quat:
    half = math.radians(angle_deg) / 2
    return math.cos(half), 0.0, 0.0, math.sin(half)


def _between(start: Place, end: Place) -> tuple[float, Place, float]:
    """(length, middle, direction in degrees) of a stretch."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
    return math.hypot(dx, dy), middle, math.degrees(math.atan2(dy, dx))


def _upright(
    shape: Literal["box", "cylinder"],
    size: tuple[float, ...],
    at_mm: Place,
    turn_deg: float,
    grey: float,
    name: str,
) -> Block:
    """A block whose foot is on the floor; the last size is half its height."""
    at = (at_mm[0] / 1000, at_mm[1] / 1000, size[-1])
    return Block(shape=shape, size=size, at=at, turn=_about_z(turn_deg), grey=grey, name=name)
