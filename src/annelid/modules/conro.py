"""C: the CONRO module, a box with pitch and yaw that docks at four faces (002 §4)."""

from __future__ import annotations

from collections.abc import Mapping
from math import radians, sqrt
from typing import ClassVar, Final, Literal

from pydantic import Field

from annelid.modules.servos import CONRO, ServoChoice
from annelid.modules.shells import DARK, STEEL, UNSEEN, Colour, back, front, look
from annelid.robot.body import (
    FORWARD,
    LEFT,
    UP,
    Body,
    Face,
    Geom,
    Joint,
    Part,
    Ray,
    ServoMount,
    Touches,
)
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, ModuleType, Pose
from annelid.robot.service import Serves
from annelid.spec import Quat, Vec3

BOARD: Final[Colour] = (0.24, 0.47, 0.42, 1.0)
RIGHT: Final[Vec3] = (0.0, -1.0, 0.0)
TURNED_LEFT: Final[Quat] = (sqrt(0.5), 0.0, 0.0, sqrt(0.5))
TURNED_RIGHT: Final[Quat] = (sqrt(0.5), 0.0, 0.0, -sqrt(0.5))


class Conro(ModuleType):
    """The female connector is ``back``; the male ones are ``front``, ``left`` and ``right``, all
    three at the other end.  Each has infrared, which the system puts on it.

    Positive yaw turns the front to the left of the back; positive pitch raises the front.
    """

    letter: ClassVar[str] = "C"
    wire_id: ClassVar[str] = "o"
    title: ClassVar[str] = "CONRO"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(RotX=3, RotY=3)
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="yaw", capability="RotY"),
        Serves(actuator="pitch", capability="RotX"),
    )

    length_mm: float = Field(default=100.0, gt=0)
    mass_g: float = Field(default=100.0, gt=0)
    width_mm: float = Field(default=45.0, gt=0)
    """Across the module; it is as high."""
    axes_apart_mm: float = Field(default=20.0, gt=0)
    """One servo behind the other; 002 gives none, proposed."""
    bend_deg: float = Field(default=90.0, gt=0, le=90)
    """To both sides: what a hobby servo allows."""
    friction: float = Field(default=0.5, ge=0, le=3)
    """Plastic and circuit board on a floor (proposed)."""
    latch: bool = True
    """CONRO docks and parts by itself, and so knows which of its faces are docked."""
    looks: tuple[Literal["front", "left", "right"], ...] = ()
    """Connectors whose infrared is used to measure distances as well (002 §4: for communication and
    sensing), as the sensors ``infrared_left`` …; by default none, as every ray costs time."""
    infrared_range_mm: float = Field(default=400.0, gt=0)
    """How far its infrared sees."""
    infrared_noise_mm: float = Field(default=3.0, ge=0)
    """Both proposed: 002 has no numbers."""
    servo: ServoChoice = CONRO
    """Of both axes. Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        half, gap = self.width_mm / 2000, self.axes_apart_mm / 1000
        end = (self.length - gap) / 2
        limit = radians(self.bend_deg)
        # As on the rotation module: a joint turns the part behind it, hence the negative axes.
        yaw = Joint(name="yaw", kind="hinge", axis=(0.0, 0.0, -1.0), range=(-limit, limit))
        pitch = Joint(name="pitch", kind="hinge", axis=LEFT, range=(-limit, limit))
        axles = (
            look("cylinder", (half * 0.2, half * 1.02), (0.0, 0.0, 0.0), DARK, axis=UP),
            look("cylinder", (half * 0.2, half * 1.02), (-gap, 0.0, 0.0), DARK, axis=LEFT),
        )
        return Body(
            parts=(
                Part(name="front", geoms=self._box(end, 0.4, BOARD)),
                Part(
                    name="middle",
                    parent="front",
                    at=(-end, 0.0, 0.0),
                    joint=yaw,
                    geoms=(*self._box(gap, 0.2, STEEL), *axles),
                ),
                Part(
                    name="back",
                    parent="middle",
                    at=(-gap, 0.0, 0.0),
                    joint=pitch,
                    geoms=self._box(end, 0.4, BOARD),
                ),
            ),
            faces=(
                front(),
                Face(name="left", part="front", at=(-half, half, 0.0), turn=TURNED_LEFT),
                Face(name="right", part="front", at=(-half, -half, 0.0), turn=TURNED_RIGHT),
                back("back", (-end, 0.0, 0.0)),
            ),
            mounts=(
                ServoMount(name="yaw", servo=self.servo, joints=("yaw",)),
                ServoMount(name="pitch", servo=self.servo, joints=("pitch",)),
            ),
            sensors=tuple(self._ray(name) for name in self.looks),
            friction=self.friction,
            radius=half * sqrt(2),
        )

    def _ray(self, name: str) -> Ray:
        half = self.width_mm / 2000
        at, direction = {
            "front": ((0.0, 0.0, 0.0), FORWARD),
            "left": ((-half, half, 0.0), LEFT),
            "right": ((-half, -half, 0.0), RIGHT),
        }[name]
        return Ray(
            name=f"infrared_{name}",
            part="front",
            at=at,
            direction=direction,
            range=self.infrared_range_mm / 1000,
            noise=self.infrared_noise_mm / 1000,
        )

    def _box(self, length: float, share: float, colour: Colour) -> tuple[Geom, ...]:
        """A stretch from its front back.

        The friction is written on it, which keeps modules from touching each other: the real ones
        are cut away about their axes, and full boxes would jam where they bend.
        """
        half = self.width_mm / 2000
        middle = (-length / 2, 0.0, 0.0)
        return (
            Geom(
                shape="box",
                size=(length / 2, half, half),
                at=middle,
                mass=self.mass * share,
                friction=self.friction,
                touches=Touches.GROUND,
                colour=colour,
            ),
            Geom(
                shape="sphere",
                size=(half * sqrt(2),),
                at=middle,
                touches=Touches.PIPE,
                colour=UNSEEN,
            ),
        )

    @property
    def capabilities(self) -> Capabilities:
        """It senses where it looks."""
        can = super().capabilities
        for indicator, faces in (("Sense_front", {"front"}), ("Sense_side", {"left", "right"})):
            if faces & set(self.looks):
                can = can.with_grade(indicator, 1)
        return can

    def actions(self) -> Mapping[Action, Pose]:
        """As the rotation module's."""
        bend = radians(self.bend_deg)
        return {
            Action.TURN: {"yaw": bend},
            Action.EXTEND: {"yaw": 0.0, "pitch": 0.0},
            Action.CONTRACT: {"yaw": 0.0, "pitch": bend / 2},
        }
