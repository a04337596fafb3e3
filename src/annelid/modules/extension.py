"""E: the extension module, two servos on cranks that lengthen the chain and turn it (000 §2.3).

The joint is driven by the linear servo of 001 eqs 4-5.  The cranks stand behind it as geometry:
``crank_slide`` gives the slide for a servo angle, so that firmware which commands angles, and the
rule that forbids 25° and 147°, refer to the real mechanism.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import cos, radians, sin, sqrt
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.modules.servos import MICROTUB
from annelid.modules.shells import STEEL, VIOLET, back, front, shell
from annelid.robot.body import FORWARD, Body, Joint, LinearMount, Part, ServoMount
from annelid.robot.capabilities import Capabilities
from annelid.robot.module import Action, Forbidden, ModuleType, Pose
from annelid.robot.service import Serves

CRANK = 0.012
ROD = 0.014
ARMS_APART = 0.016
"""FACTS §3, proposed values: crank radius, rod length, distance of the two arms, m."""

DIFFERENCE_MAX = 0.009
"""The bar in the centre allows the two slides to differ by this much, m."""

SINGULAR_LOW, SINGULAR_HIGH = radians(25.0), radians(147.0)
"""Crank angles where the links of an arm are in line (000 §4.1.3)."""


def crank_slide(angle: float) -> float:
    """Where an arm's slide stands for a crank angle, m; shorter for larger angles."""
    return CRANK * cos(angle) + sqrt(ROD**2 - (CRANK * sin(angle)) ** 2)


STROKE = crank_slide(SINGULAR_LOW) - crank_slide(SINGULAR_HIGH)


class Extension(ModuleType):
    letter: ClassVar[str] = "E"
    wire_id: ClassVar[str] = "e"
    title: ClassVar[str] = "extension"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities("30000200000000000")
    serves: ClassVar[tuple[Serves, ...]] = (
        Serves(actuator="extend", capability="Ext"),
        Serves(actuator="yaw", capability="RotY"),
    )

    length_mm: float = Field(default=40.0, gt=0)
    """Contracted."""
    mass_g: float = Field(default=28.0, gt=0)
    stroke_mm: float = Field(default=21.0, gt=0, le=STROKE * 1000)
    """From contracted to extended."""
    yaw_deg: float = Field(default=30.0, ge=0, le=30)
    """How far it bends to either side."""
    force_n: PositiveFloat = 0.9
    """Fmax of eq 5: the thrust left after the losses of the cranks (LAB, inchworm)."""
    proportional_mm: PositiveFloat = 20.0
    """l0 of eq 4.  Fitted with the damping to the real robot's speed at 0° and 90°
    (``papers/a04_inchworm.py``): softness is what a climb costs, 1 mm for every 45 mN."""
    damping_n_s_m: float = Field(default=2.06, ge=0)
    """Fitted likewise: the time a stroke takes."""

    def body(self) -> Body:
        half = self.length / 2
        stroke, yaw = self.stroke_mm / 1000, radians(self.yaw_deg)
        return Body(
            parts=(
                Part(name="front", geoms=shell(0.0, -half, mass=self.mass * 0.45, colour=VIOLET)),
                Part(
                    name="neck",
                    parent="front",
                    at=(-half, 0.0, 0.0),
                    joint=Joint(name="yaw", kind="hinge", axis=(0.0, 0.0, -1.0), range=(-yaw, yaw)),
                    geoms=shell(
                        0.0,
                        -half / 2,
                        mass=self.mass * 0.1,
                        colour=STEEL,
                        radius=0.009,
                        flat=0.008,
                    ),
                ),
                Part(
                    name="back",
                    parent="neck",
                    joint=Joint(
                        name="slide",
                        kind="slide",
                        axis=(-FORWARD[0], 0.0, 0.0),
                        range=(0.0, stroke),
                    ),
                    geoms=shell(0.0, -half, mass=self.mass * 0.45, colour=VIOLET),
                ),
            ),
            faces=(front(), back("back", (-half, 0.0, 0.0))),
            mounts=(
                LinearMount(
                    name="extend",
                    joint="slide",
                    force_max=self.force_n,
                    proportional_length=self.proportional_mm / 1000,
                    damping=self.damping_n_s_m,
                    stall_current=2 * MICROTUB.stall_current,
                ),
                ServoMount(
                    name="yaw",
                    servo=MICROTUB.model_copy(update={"trip": None}),
                    joints=("yaw",),
                ),
            ),
            friction=self.friction,
        )

    def actions(self) -> Mapping[Action, Pose]:
        return {
            Action.EXTEND: {"extend": self.stroke_mm / 1000},
            Action.CONTRACT: {"extend": 0.0},
            Action.TURN: {"yaw": radians(self.yaw_deg)},
        }

    def forbidden(self) -> tuple[Forbidden, ...]:
        reason = "the links of an arm are in line: a singular point (000 §4.1.3)"
        return tuple(
            Forbidden(actuator=crank, below=SINGULAR_LOW, above=SINGULAR_HIGH, reason=reason)
            for crank in ("crank1", "crank2")
        )
