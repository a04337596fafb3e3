"""K: the ErekoBot module, a wooden cube with one servo (004 §2.1.1, Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from math import radians, sqrt
from typing import ClassVar, Final

from pydantic import Field

from annelid.modules.servos import TGY90S, ServoChoice
from annelid.modules.shells import DARK, UNSEEN, Colour, back, front, look
from annelid.robot.body import LEFT, Body, Geom, Joint, Part, ServoMount, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, ModuleType, Pose
from annelid.robot.service import Serves

WOOD: Final[Colour] = (0.72, 0.52, 0.33, 1.0)
BARK: Final[Colour] = (0.58, 0.40, 0.25, 1.0)
"""Eucalyptus, in two tones so that the halves can be told apart."""


class Erekobot(ModuleType):
    """Positive pitch raises the front.  Docked with a quarter turn (``angle_deg = 90``) the same
    module bends the chain sideways."""

    letter: ClassVar[str] = "K"
    wire_id: ClassVar[str] = "k"
    title: ClassVar[str] = "ErekoBot"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(RotX=3)
    serves: ClassVar[tuple[Serves, ...]] = (Serves(actuator="pitch", capability="RotX"),)

    length_mm: float = Field(default=50.0, gt=0)
    """Of the cube's edge (004, Table 1)."""
    mass_g: float = Field(default=70.0, gt=0)
    """004 gives none; proposed: six plates of 3 mm eucalyptus 36, servo 13, board and
    connector 11, bolts, cable and Velcro 10."""
    bend_deg: float = Field(default=90.0, gt=0, le=90)
    """To both sides: 180° in all (004, Table 1)."""
    friction: float = Field(default=0.4, ge=0, le=3)
    """Wood on a floor (proposed)."""
    servo: ServoChoice = TGY90S
    """Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        edge = self.length / 2
        limit = radians(self.bend_deg)
        pitch = Joint(name="pitch", kind="hinge", axis=LEFT, range=(-limit, limit))
        half = self._half(WOOD)
        return Body(
            parts=(
                Part(name="front", geoms=half),
                Part(
                    name="back",
                    parent="front",
                    at=(-edge, 0.0, 0.0),
                    joint=pitch,
                    geoms=(*self._half(BARK), *self._axle()),
                ),
            ),
            faces=(front(), back("back", (-edge, 0.0, 0.0))),
            mounts=(ServoMount(name="pitch", servo=self.servo, joints=("pitch",)),),
            friction=self.friction,
            radius=edge * sqrt(2),
        )

    def _half(self, colour: Colour) -> tuple[Geom, ...]:
        """Half a cube from its face back to the axis; to a pipe it is as wide as its edges."""
        edge = self.length / 2
        middle = (-edge / 2, 0.0, 0.0)
        return (
            Geom(
                shape="box",
                size=(edge / 2, edge, edge),
                at=middle,
                mass=self.mass / 2,
                touches=Touches.GROUND,
                colour=colour,
            ),
            Geom(
                shape="sphere",
                size=(edge * sqrt(2),),
                at=middle,
                touches=Touches.PIPE,
                colour=UNSEEN,
            ),
        )

    def _axle(self) -> tuple[Geom, ...]:
        edge = self.length / 2
        return (look("cylinder", (edge * 0.2, edge * 1.02), (0.0, 0.0, 0.0), DARK, axis=LEFT),)

    def actions(self) -> Mapping[Action, Pose]:
        """As the rotation module's vertical axis: a chain of them shortens by arching."""
        return {
            Action.EXTEND: {"pitch": 0.0},
            Action.CONTRACT: {"pitch": radians(self.bend_deg) / 2},
        }
