"""G: the tool module, a turret with a drill and a stamp (MDL Drill and Grab).

The paper has repair as an example of what tools will make possible (000 §6.1.6) and describes none,
so this one is proposed.  A turret turns about the chain's axis, half a turn to either side.  A bar
goes through it from side to side: pushed one way, the drill at its one end comes to the wall;
pushed the other way, the stamp at its other end presses a patch on it.  With the turret at 0 the
drill points up and the stamp down.
"""

from __future__ import annotations

from math import pi, radians
from typing import ClassVar

from pydantic import Field

from annelid.modules.servos import MICROTUB, ServoChoice
from annelid.modules.shells import DARK, STEEL, VIOLET, Colour, back, front, shell
from annelid.robot.body import UP, Body, Geom, Joint, Part, ServoMount, Tip, Touches
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import ModuleType
from annelid.robot.service import Serves

REST = 0.010
"""How far from the axis both ends of the bar are at rest, m: inside the shell."""

SPRING = 30.0
"""Of the springs that keep the bar in the middle while its servo is off, N/m."""


class Tool(ModuleType):
    letter: ClassVar[str] = "G"
    wire_id: ClassVar[str] = "g"
    title: ClassVar[str] = "tool"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Grab=3, Drill=3)
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="bar", capability="Grab", sign=-1),
        Serves(actuator="bar", capability="Drill"),
    )

    length_mm: float = Field(default=35.0, gt=15)
    mass_g: float = Field(default=20.0, gt=0)
    stroke_mm: float = Field(default=24.0, gt=5, le=40)
    """Of the bar to either side: with 24 it reaches the top of a bore of 47 mm from its floor."""
    hole_mm: float = Field(default=10.0, gt=1, le=20)
    """Diameter of the holes it makes."""
    patch_mm: float = Field(default=10.0, gt=1, le=30)
    """How far off the middle of a break, along the pipe, its patch still covers it."""
    servo: ServoChoice = MICROTUB
    """Its name (``annelid servos``), or a table with the values of its datasheet."""

    def body(self) -> Body:
        middle = -self.length / 2
        stroke = self.stroke_mm / 1000
        turret = Part(
            name="turret",
            parent="front",
            at=(middle, 0.0, 0.0),
            joint=Joint(
                name="turret", kind="hinge", axis=(1.0, 0.0, 0.0), range=(-pi, pi), damping=1e-5
            ),
            geoms=(_look((0.005, 0.004, 0.004), (0.0, 0.0, 0.0), STEEL),),
        )
        bar = Part(
            name="bar",
            parent="turret",
            joint=Joint(
                name="bar",
                kind="slide",
                axis=UP,
                range=(-stroke, stroke),
                damping=0.05,
                stiffness=SPRING,
            ),
            geoms=(
                _look((0.001, 0.001, REST / 2), (0.0, 0.0, REST / 2), DARK),
                _look((0.004, 0.003, REST / 2), (0.0, 0.0, -REST / 2), STEEL),
            ),
        )
        hull = shell(0.0, -self.length, mass=self.mass - 0.003, colour=VIOLET)
        return Body(
            parts=(Part(name="front", geoms=hull), turret, bar),
            faces=(front(), back("front", (-self.length, 0.0, 0.0))),
            mounts=(
                ServoMount(name="turret", servo=self.servo, joints=("turret",), gear=0.5),
                ServoMount(
                    name="bar", servo=self.servo, joints=("bar",), gear=radians(90) / stroke
                ),
            ),
            tips=(
                Tip(
                    name="drill",
                    part="bar",
                    at=(0.0, 0.0, REST),
                    direction=UP,
                    does="bore",
                    size=self.hole_mm / 1000,
                ),
                Tip(
                    name="stamp",
                    part="bar",
                    at=(0.0, 0.0, -REST),
                    direction=(0.0, 0.0, -1.0),
                    does="mend",
                    size=self.patch_mm / 1000,
                ),
            ),
            friction=self.friction,
        )


def _look(size: tuple[float, float, float], at: tuple[float, float, float], colour: Colour) -> Geom:
    return Geom(shape="box", size=size, at=at, mass=0.001, touches=Touches.NOTHING, colour=colour)
