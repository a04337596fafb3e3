"""The body of a module, as data: parts, joints, faces, actuators, sensors.

The module's frame is x along the chain (towards the front face), y left, z up; metres, radians,
kilograms.  Parts form a tree; every part hangs on its parent by at most one joint, so that a
builder can root the tree at whichever face the module is docked by.

Nothing here knows the engine.  ``annelid.physics`` turns a ``Body`` into a model; firmware,
inference and documentation read the same data.
"""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import Field, PositiveFloat, model_validator

from annelid.errors import SpecError, UnknownName
from annelid.robot.converter import STEPS, Converter
from annelid.robot.servo import Servo
from annelid.spec import IDENTITY, Quat, Spec, Vec3

FORWARD: Vec3 = (1.0, 0.0, 0.0)
LEFT: Vec3 = (0.0, 1.0, 0.0)
UP: Vec3 = (0.0, 0.0, 1.0)


class Touches(StrEnum):
    """With what a geom collides: modules are round to a pipe and flat-sided to the ground."""

    ALL = "all"
    PIPE = "pipe"
    GROUND = "ground"
    MODULES = "modules"
    """Other modules alone: a soft cup that lies flat on what it stands on."""
    NOTHING = "nothing"


class Geom(Spec):
    """A primitive, or the mesh of a file in millimetres.  ``axis`` is the direction of a capsule's
    or cylinder's length."""

    shape: Literal["sphere", "capsule", "cylinder", "box", "ellipsoid", "mesh"]
    size: tuple[PositiveFloat, ...]
    """Radius; radius and half length; or three half sizes."""
    file: Path | None = None
    """Of a mesh (``robot/shell.py``)."""
    at: Vec3 = (0.0, 0.0, 0.0)
    axis: Vec3 = FORWARD
    mass: float = Field(default=0.0, ge=0)
    friction: float | None = Field(default=None, ge=0)
    """Sliding friction; None: the shell's (``Body.friction``)."""
    touches: Touches = Touches.ALL
    firm: bool = False
    """A contact with its full stiffness from the first touch on, and with its own friction whatever
    the surface's: a sealed cup does not chatter, and must not creep."""
    colour: tuple[float, float, float, float] | None = None
    name: str = ""


class Joint(Spec):
    """One degree of freedom between a part and its parent."""

    name: str
    kind: Literal["hinge", "slide"]
    axis: Vec3
    at: Vec3 = (0.0, 0.0, 0.0)
    """A point on the axis, in the part's frame."""
    range: tuple[float, float] | None = None
    damping: float = Field(default=0.0, ge=0)
    armature: float = Field(default=0.0, ge=0)
    stiffness: float = Field(default=0.0, ge=0)
    rest: float = 0.0
    """Where the spring of ``stiffness`` is relaxed."""
    friction: float = Field(default=0.0, ge=0)
    """Dry friction, N·m or N."""


class Part(Spec):
    name: str
    parent: str | None = None
    at: Vec3 = (0.0, 0.0, 0.0)
    turn: Quat = IDENTITY
    joint: Joint | None = None
    geoms: tuple[Geom, ...] = ()


class Face(Spec):
    """Where another module docks.  ``turn`` takes the module's +x to the outward normal."""

    name: str
    part: str
    at: Vec3
    turn: Quat = IDENTITY


class ServoMount(Spec):
    """A servo on one joint, or one servo that moves several joints by shares of its torque.

    A share splits the motor into parallel fractions (001 §3.3.3: the support module's one servo
    sends more torque to one arm): shares add up to one servo's torque and current.
    """

    name: str
    servo: Servo
    joints: tuple[str, ...]
    shares: tuple[PositiveFloat, ...] = (1.0,)
    gear: PositiveFloat = 1.0
    """Servo radians per joint radian, or per metre on a slide."""

    @model_validator(mode="after")
    def _shares_match(self) -> ServoMount:
        if len(self.joints) != len(self.shares):
            raise ValueError(
                f"servo {self.name}: {len(self.joints)} joints, {len(self.shares)} shares"
            )
        if abs(sum(self.shares) - 1) > 1e-6:
            raise ValueError(f"servo {self.name}: shares add up to {sum(self.shares):g}, not to 1")
        return self


class LinearMount(Spec):
    """The linear servo of 001 eqs 4-5: ``F = Fmax·clip(e/l0, -1, 1)``, plus damping."""

    name: str
    joint: str
    force_max: PositiveFloat
    proportional_length: PositiveFloat
    """l0: the error at which the force saturates, m."""
    damping: float = Field(default=0.0, ge=0)
    stall_current: PositiveFloat
    """Current drawn at ``force_max``; 001 gives none, so it is the sum of the two servos', A."""
    voltage: PositiveFloat = 5.0
    position_steps: int = Field(default=STEPS, ge=2, le=2**24)
    """Into which its potentiometer divides the travel, and a little more at both ends."""


class DriveMount(Spec):
    """A propelling motor on coupled wheels: ``F = F_stall·(u·v0 - v)/v0`` where they touch.

    The value set on it is u from -1 to 1; at 0 it holds (a helix of 15° does not run backwards).
    """

    name: str
    joints: tuple[str, ...]
    wheel_radius: PositiveFloat
    free_speed: PositiveFloat
    """v0, m/s."""
    stall_force: PositiveFloat
    """N at the wheels' rims, all wheels together."""
    holding: PositiveFloat = 1.5
    """What its gear holds while it stands, in stall forces: a chain in a vertical pipe."""
    inertia: PositiveFloat = 1e-6
    """Rotor and gear as felt at the wheels, kg·m².  A geared motor has more of it than its wheels;
    it starts in 4 ms.  With next to none a step of 1 ms loses 5 % of the speed: the engine's
    integrator then damps what its contact solver has already settled."""
    stall_current: PositiveFloat
    voltage: PositiveFloat = 5.0
    thermal_resistance: PositiveFloat = 120.0
    """Winding to air, K/W."""
    thermal_capacity: PositiveFloat = 1.0
    """Of the winding, J/K."""
    hottest_c: PositiveFloat = 80.0
    """At which its board switches it off: usual for small brushed motors; 000 names none, °C."""
    angle_steps: int = Field(default=STEPS, ge=2, le=2**24)
    """Of the encoder at its wheels, per turn."""

    @property
    def resistance(self) -> float:
        """Of the winding: what draws the stall current while nothing turns, Ω."""
        return self.voltage / self.stall_current


Mount = ServoMount | LinearMount | DriveMount


class CupMount(Spec):
    """A suction cup with its own impeller (003 §3): it pulls its part onto whatever that touches.

    The vacuum grows only while the part is in contact, and is gone soon after contact is lost.
    """

    name: str
    part: str
    touch: str
    """The touch sensor that is in its seal."""
    suction: PositiveFloat
    """Pull of a full vacuum, N."""
    area: PositiveFloat
    """Under the cup, m²: what turns the pull into a pressure."""
    attach_time: PositiveFloat = 0.5
    detach_time: PositiveFloat = 1.5
    """From none to full and back (003 §5), s."""
    leak_time: PositiveFloat = 0.05
    """From full to none when the seal is lost, s."""
    attached: bool = False
    """Whether it begins with a full vacuum."""


class Tip(Spec):
    """The working end of a tool: what it does to the wall of a pipe when it reaches it."""

    name: str
    part: str
    at: Vec3
    """The point that works, in the part's frame."""
    direction: Vec3
    """In which it works, in the same."""
    does: Literal["bore", "mend"]
    """A drill makes a hole; a stamp presses a patch on one."""
    size: PositiveFloat
    """Diameter of the hole, or how far off the middle of one a patch still covers it, m."""


TWO_G: Final = 2 * 9.80665

COUNTS: Final = 2**31
"""An encoder's counter counts so far to either side."""


class Touch(Spec):
    """Contact force on a part inside a box of half sizes ``zone``, N."""

    name: str
    part: str
    at: Vec3
    zone: Vec3
    converter: Converter = Converter(low=0.0, high=10.0, resolution=0.01)
    """A force-sensing resistor at a ten-bit converter, N."""


def _over_its_range(ray: dict[str, Any]) -> Converter:
    return Converter.of_steps(0.0, ray["range"])


class Ray(Spec):
    """Infrared distance along a direction, m; ``range`` when nothing is hit."""

    name: str
    part: str
    at: Vec3
    direction: Vec3
    range: PositiveFloat
    noise: float = Field(default=0.0, ge=0)
    converter: Converter = Field(default_factory=_over_its_range)
    """By default ten bits over ``range``, m."""


class Accelerometer(Spec):
    """Three axes in 001's sensor frame: x lateral (right), y along the chain, z up; m/s²."""

    name: str
    part: str
    at: Vec3 = (0.0, 0.0, 0.0)
    noise: float = Field(default=0.0, ge=0)
    converter: Converter = Converter.of_steps(-TWO_G, TWO_G, 4096)
    """Of each axis, m/s²: twelve bits over 2 g to either side.  A step is then finer than the
    noise, by which firmware can tell a live sensor from a stuck one."""


class Encoder(Spec):
    """How far a wheel has rolled, m, in steps of ``resolution``, counted in 32 bits."""

    name: str
    joint: str
    wheel_radius: PositiveFloat
    resolution: PositiveFloat

    @property
    def converter(self) -> Converter:
        """m."""
        step = self.resolution
        return Converter(low=-COUNTS * step, high=COUNTS * step, resolution=step)


def _of_its_quantity(climate: dict[str, Any]) -> Converter:
    low, high = (-40.0, 125.0) if climate["quantity"] == "temperature" else (0.0, 100.0)
    return Converter(low=low, high=high, resolution=0.1)


class Climate(Spec):
    """Ambient temperature (°C) or relative humidity (%) of the world."""

    name: str
    quantity: Literal["temperature", "humidity"]
    noise: float = Field(default=0.0, ge=0)
    converter: Converter = Field(default_factory=_of_its_quantity)
    """By default tenths, from -40 to 125 °C or from 0 to 100 %."""


class Camera(Spec):
    """A grey camera looking along ``direction``."""

    name: str
    part: str
    at: Vec3
    direction: Vec3 = FORWARD
    width: int = Field(default=320, ge=8, le=1920)
    height: int = Field(default=240, ge=8, le=1080)
    field_of_view: float = Field(default=1.2217, gt=0.05, lt=2.8)
    """Across the width, rad."""
    noise: float = Field(default=0.0, ge=0)
    """Grey levels."""


class Pressure(Spec):
    """How far the pressure in a cup is below the air's, Pa."""

    name: str
    cup: str
    noise: float = Field(default=0.0, ge=0)
    converter: Converter = Converter(low=0.0, high=100_000.0, resolution=100.0)
    """Ten bits over all the pressure that air has, Pa."""


Sensor = Touch | Ray | Accelerometer | Encoder | Climate | Camera | Pressure


class Body(Spec):
    """A module's body.  ``parts[0]`` is the root; the front face is on it by convention."""

    parts: tuple[Part, ...]
    faces: tuple[Face, ...]
    mounts: tuple[Mount, ...] = ()
    cups: tuple[CupMount, ...] = ()
    tips: tuple[Tip, ...] = ()
    sensors: tuple[Sensor, ...] = ()
    locked: tuple[tuple[str, ...], ...] = ()
    """Groups of joints that turn as one."""
    friction: float = Field(default=0.15, ge=0)
    """Of the shell against a smooth wall."""
    radius: PositiveFloat = 0.0135
    """Largest rigid radius about the chain axis: what must fit a bore."""

    @model_validator(mode="after")
    def _consistent(self) -> Body:
        names = [part.name for part in self.parts]
        joints = {part.joint.name for part in self.parts if part.joint}
        for part in self.parts[1:]:
            if part.parent not in names[: names.index(part.name)]:
                raise ValueError(f"part {part.name}: parent {part.parent!r} must stand before it")
        placed = (s for s in self.sensors if hasattr(s, "part"))
        for place in (*self.faces, *self.tips, *placed):
            if place.part not in names:
                raise ValueError(f"{place.name}: no part {place.part!r} among {names}")
        for cup in self.cups:
            if cup.part not in names or cup.touch not in {s.name for s in self.sensors}:
                raise ValueError(f"cup {cup.name}: needs its part and its touch sensor")
        used = {j for mount in self.mounts for j in mount_joints(mount)}
        used |= {j for group in self.locked for j in group}
        if missing := used - joints:
            raise ValueError(f"no joints {sorted(missing)} among {sorted(joints)}")
        return self

    @property
    def mass(self) -> float:
        return sum(geom.mass for part in self.parts for geom in part.geoms)

    def joint(self, name: str, *, where: str = "") -> Joint:
        joints = {part.joint.name: part.joint for part in self.parts if part.joint}
        if name not in joints:
            raise UnknownName("joint", name, joints, where=where)
        return joints[name]

    def face(self, name: str) -> Face:
        for face in self.faces:
            if face.name == name:
                return face
        raise SpecError(f"no face {name!r}; this module has {[f.name for f in self.faces]}")


def mount_joints(mount: Mount) -> tuple[str, ...]:
    return (mount.joint,) if isinstance(mount, LinearMount) else mount.joints
