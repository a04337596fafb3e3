"""The base of every module type: a frozen spec; its fields are the module's parameters.

One file on the shelf (``annelid.modules``) defines one type: the numbers of the real thing stand
there and nowhere else.  Whoever needs to know the module reads it from here: the builder its
``body()``, the heterogeneous layer its ``actions()``, gaits and behaviours what its actuators
``serve``, the survival behaviours its ``forbidden`` angles, the inference engine its capabilities.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from enum import StrEnum
from pathlib import Path
from typing import ClassVar

from pydantic import Field, PositiveFloat

from annelid.robot.body import Body
from annelid.robot.capabilities import Capabilities
from annelid.robot.service import HORIZONTAL, VERTICAL, Serves, Service, service
from annelid.spec import Spec


class Action(StrEnum):
    """The neutral vocabulary of the central control (000 §5): what every module is asked alike."""

    EXTEND = "extend"
    CONTRACT = "contract"
    PUSH = "push"
    TURN = "turn"


Pose = Mapping[str, float]
"""Value per actuator at full strength: radians, metres, or drive level."""


class Forbidden(Spec):
    """Servo angles that must never be commanded (000 §4.1.3), at the crank, with the reason."""

    actuator: str
    below: float | None = None
    above: float | None = None
    reason: str


class ModuleType(Spec, ABC):
    """Base of the shelf.  Subclasses set the class variables and ``body()``."""

    letter: ClassVar[str]
    """In chain strings: one capital letter."""
    wire_id: ClassVar[str]
    """On the bus: one ASCII character."""
    title: ClassVar[str]
    capabilities_as_built: ClassVar[Capabilities]
    serves: ClassVar[tuple[Serves, ...]] = ()
    """Which actuator serves which of these, with sign and range (``annelid.robot.service``)."""
    unit: ClassVar[tuple[float, ...]] = (1.0,)
    """Where several neighbours act as one, the share of each in *contract*, head first; one that
    is alone does it all."""

    length_mm: PositiveFloat
    """From face to face along the chain."""
    mass_g: PositiveFloat
    """Of the whole module."""
    latch: bool = False
    """An active latch lets the module split and attach by itself (MDL Att 3)."""
    friction: float = Field(default=0.15, ge=0, le=3)
    """Of the shell against a smooth wall."""

    shell: Path | Mapping[str, Path] | None = None
    """An STL or OBJ file in millimetres, which people see and whose convex hull the ground meets:
    of the first part, or ``{front = "a.stl"}`` by part; None: the module's own."""

    start: Mapping[str, float] = Field(default_factory=dict)
    """Joints that do not begin at 0: ``{pitch = 45}``, degrees for hinges, mm for slides.  A loop
    needs it: its modules must begin where they meet."""

    @abstractmethod
    def body(self) -> Body:
        """Parts, joints, faces, actuators and sensors of this module with these parameters."""

    def actions(self) -> Mapping[Action, Pose]:
        """What each neutral action means here; an action that is missing cannot be helped with."""
        return {}

    def in_unit(self, pose: Pose, place: int) -> Pose:
        """The share in ``pose`` of the module at ``place`` among neighbours that act as one."""
        share = self.unit[place % len(self.unit)]
        return pose if share == 1.0 else {name: share * value for name, value in pose.items()}

    def rest(self) -> Pose:
        """The pose of least friction; actuators that are not named rest at 0."""
        return {}

    def forbidden(self) -> tuple[Forbidden, ...]:
        return ()

    @classmethod
    def actuator_of(cls, capability: str) -> str | None:
        """The name of the actuator that serves a capability; None: none does."""
        return next((s.actuator for s in cls.serves if s.capability == capability), None)

    @classmethod
    def bends_both_ways(cls) -> bool:
        """Whether it is a joint of the chain in the full sense: up and down, left and right."""
        return all(cls.actuator_of(axis) is not None for axis in (VERTICAL, HORIZONTAL))

    def services(self, body: Body | None = None) -> Mapping[str, Service]:
        """By capability, what serves it in this module; ``body`` spares making it anew."""
        made = self.body() if body is None else body
        return {each.capability: service(each, made) for each in self.serves}

    def servo_order(self, body: Body | None = None) -> tuple[str, ...]:
        """Actuators as the bus numbers them, from 1: of a joint that bends both ways first the one
        that bends sideways, then the one that bends up and down; else in the order of the body."""
        made = self.body() if body is None else body
        names = [mount.name for mount in made.mounts]
        if not self.bends_both_ways():
            return tuple(names)
        first = [self.actuator_of(HORIZONTAL), self.actuator_of(VERTICAL)]
        return (*(n for n in first if n is not None), *(n for n in names if n not in first))

    @property
    def capabilities(self) -> Capabilities:
        as_built = self.capabilities_as_built
        return as_built.with_grade("Att", 3) if self.latch else as_built

    @property
    def length(self) -> float:
        return self.length_mm / 1000

    @property
    def mass(self) -> float:
        return self.mass_g / 1000
