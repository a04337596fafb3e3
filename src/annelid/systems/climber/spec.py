"""The climber's options in a scenario.

::

    [control]
    system = "climber"

    [control.options]
    way = [{x_mm = 300}, {x_mm = 300, yaw_deg = 20}]
    speed_mm_s = 5
"""

from __future__ import annotations

from collections.abc import Sequence
from math import radians
from typing import Annotated, Literal, Self

import numpy as np
from pydantic import Field, model_validator

from annelid.electronics.uart_byte import UartSpec
from annelid.spec import Spec
from annelid.systems.climber.executive.pose import BodyPose, turned
from annelid.systems.climber.planner.orders import BodySpeed, StepRule, WalkingStyle

Millimetres = Annotated[float, Field(ge=-100_000, le=100_000)]


class BodyTarget(Spec):
    """Where the body shall be, from where it began: ahead, left, away from the surface."""

    x_mm: Millimetres = 0.0
    """Ahead."""
    y_mm: Millimetres = 0.0
    """To the left."""
    z_mm: Annotated[float, Field(ge=-200, le=200)] = 0.0
    """Away from the surface."""
    yaw_deg: float = 0.0
    """To the left."""
    pitch_deg: float = 0.0
    """About the axis to the left."""
    roll_deg: float = 0.0
    """About the axis ahead."""

    def pose(self) -> BodyPose:
        at = np.array([self.x_mm, self.y_mm, self.z_mm]) / 1000
        yaw, pitch, roll = (radians(v) for v in (self.yaw_deg, self.pitch_deg, self.roll_deg))
        turn = (
            turned(np.array([0.0, 0.0, yaw]))
            @ turned(np.array([0.0, pitch, 0.0]))
            @ turned(np.array([roll, 0.0, 0.0]))
        )
        return BodyPose(at, turn)


class ClimberCommand(Spec):
    """What the operator says in the course of a run: release a critical stop, go on with more
    places (relative to where the body began), or walk with another gait."""

    at_s: float = Field(ge=0)
    """When."""
    do: Literal["release", "go", "free", "cyclic"]
    way: tuple[BodyTarget, ...] = ()
    """Where to go on to, with ``go``."""

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.do == "go") is not bool(self.way):
            raise ValueError("expected a way with go, and none with release")
        return self

    def said(self) -> Sequence[BodyPose] | WalkingStyle:
        if self.do in ("free", "cyclic"):
            return WalkingStyle(self.do)
        return [place.pose() for place in self.way]


class ClimberSpec(Spec):
    """Defaults: ROMHEX's gait as it came out best in LAB."""

    way: tuple[BodyTarget, ...] = (BodyTarget(x_mm=300),)
    """Where the body goes, one place after another."""
    operator: tuple[ClimberCommand, ...] = ()
    """What the operator says in the course of the run."""
    surface: Literal["flat", "curved"] = "flat"
    """What the operator knows of it: a plane, or one that bends (a drum, a dome).  On a plane all
    footholds have one height, by which the planner finds the zeros of its joints.  It has to agree
    with the world's shape."""
    gait: Literal["free", "cyclic"] = "free"
    """Each leg steps when it is needed (free), or all in a fixed cycle (003 §4.4.6)."""
    speed_mm_s: Annotated[float, Field(gt=0, le=200)] = 5.0
    """Of the body."""
    turn_deg_s: Annotated[float, Field(gt=0, le=90)] = 1.5
    """Of the body."""
    stride_mm: Annotated[float, Field(gt=0, le=300)] = 80.0
    """A leg steps when it can get this far ahead."""
    least_step_mm: Annotated[float, Field(gt=0, le=300)] = 15.0
    """What a leg that must move has to gain at least."""
    reach_mm: Annotated[float, Field(gt=0, le=200)] = 60.0
    """How far ahead of its stance a foot may be put."""
    lift_mm: Annotated[float, Field(gt=0, le=100)] = 25.0
    """How high a foot is lifted."""
    motion_limit: Annotated[float, Field(ge=0, le=1)] = 0.5
    """Urgency from which a leg has to step (003 §4.2.1)."""
    danger_limit: Annotated[float, Field(ge=0, le=1)] = 0.85
    """Urgencies (003 §4.2.1)."""
    stance_mm: tuple[tuple[float, float], ...] = ()
    """x and y of the feet in the default stance, from the trunk's centre, in the order of the legs;
    empty: straight outward."""
    zero_deg: Annotated[float, Field(ge=0, le=5)] = 1.0
    """How far servos' zeros are expected to be off (standard deviation): the planner finds them
    from feet that do not move.  0: it takes them for exact."""
    sway_deg: Annotated[float, Field(ge=0, le=15)] = 0.0
    """Before it walks the body turns to both sides by so much, which shows zeros of the coxae that
    a straight way does not; 8 takes 22 s, after which a way of 300 mm is kept within 2 to 3 mm."""
    baud: Annotated[int, Field(ge=9600, le=4_000_000)] = 115_200
    """Of the servo bus, bit/s."""
    tick_ms: Annotated[float, Field(gt=0, le=200)] | None = None
    """Of the planner; None: what the bus needs, at least 20."""

    def rule(self) -> StepRule:
        return StepRule(
            stride=self.stride_mm / 1000,
            least=self.least_step_mm / 1000,
            reach=self.reach_mm / 1000,
            lift=self.lift_mm / 1000,
            motion_limit=self.motion_limit,
            danger_limit=self.danger_limit,
        )

    def pace(self) -> BodySpeed:
        return BodySpeed(self.speed_mm_s / 1000, radians(self.turn_deg_s))

    def uart(self) -> UartSpec:
        return UartSpec(baud=self.baud, topology="bus", duplex="half", software_buffer=4096)
