"""Which actuator serves which capability of a module, with sign and range, as data on its type.

Control asks for a capability (``RotY``), never for an actuator by its name.  A positive value means

==================== =============================================================================
RotX                 the front is raised: the chain bends up and down
RotY                 the front turns to the left: the chain bends sideways
RotZ                 the front turns about the chain's axis, its left side up
Ext                  longer
Sup                  holds on
Push_pipe, Push_flat forwards
Grab, Drill          closed; into the wall
==================== =============================================================================

and an actuator that turns the other way says ``sign=-1``.  ``require_served`` refuses a type that
claims what nothing in it does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, Literal

from annelid.errors import InputError, SpecError, UnknownName
from annelid.robot.body import (
    FORWARD,
    LEFT,
    Accelerometer,
    Body,
    Camera,
    Climate,
    Joint,
    LinearMount,
    Mount,
    Ray,
    Sensor,
    ServoMount,
    Touch,
    mount_joints,
)
from annelid.robot.capabilities import INDICATORS
from annelid.spec import IDENTITY, Spec, Vec3

if TYPE_CHECKING:
    from annelid.robot.module import ModuleType

VERTICAL: Final = "RotX"
HORIZONTAL: Final = "RotY"
"""The capabilities that bend a chain up and down, and left and right."""

SUPPORT: Final = "Sup"

MOVING: Final = (
    *("Ext", "Sup", "Push_pipe", "Push_flat", VERTICAL, HORIZONTAL, "RotZ", "Grab", "Drill"),
)
"""Capabilities that an actuator has to serve."""

ABOUT: Final[Mapping[str, Vec3]] = MappingProxyType(
    {VERTICAL: LEFT, HORIZONTAL: (0.0, 0.0, -1.0), "RotZ": (-FORWARD[0], 0.0, 0.0)}
)
"""The axis of a joint that serves it with sign 1: a joint turns the part behind it, so seen from
behind the front turns the other way."""

NEAR: Final = 0.7
"""Cosine of the angle from which an axis counts as another one."""


class Serves(Spec):
    """An actuator's part in a capability."""

    actuator: str
    """A servo, linear servo, drive or cup of the body."""
    capability: str
    """An indicator of MDL: ``RotY``."""
    sign: Literal[1, -1] = 1
    """-1: a positive value of the actuator does the opposite."""
    range: tuple[float, float] | None = None
    """Where it may be sent, in the actuator's unit; None: as far as its joint goes."""


@dataclass(frozen=True, slots=True)
class Service:
    """:class:`Serves` in a body: what an actuator is told for an amount of its capability."""

    actuator: str
    factor: float
    """Actuator's value for one radian (metre, level) of the capability: sign and gear."""
    range: tuple[float, float]
    """Where the actuator may be sent, in its own unit."""

    def value(self, amount: float) -> float:
        """For the actuator."""
        return self.factor * amount

    def amount(self, value: float) -> float:
        """Of the capability: the inverse of :meth:`value`."""
        return value / self.factor


def service(serves: Serves, body: Body) -> Service:
    """What ``serves`` comes to in this body."""
    mount = next((each for each in body.mounts if each.name == serves.actuator), None)
    if mount is None:
        names = [each.name for each in (*body.mounts, *body.cups)]
        if serves.actuator not in names:
            raise UnknownName("actuator", serves.actuator, names, where=serves.capability)
        return Service(serves.actuator, float(serves.sign), serves.range or (0.0, 1.0))
    gear = mount.gear if isinstance(mount, ServoMount) else 1.0
    return Service(serves.actuator, serves.sign * gear, serves.range or travel(body, mount))


def travel(body: Body, mount: Mount) -> tuple[float, float]:
    """How far an actuator goes: what the narrowest of its joints allows, in its own unit."""
    if not isinstance(mount, ServoMount | LinearMount):
        return -1.0, 1.0
    gear = mount.gear if isinstance(mount, ServoMount) else 1.0
    ranges = [body.joint(name).range or (-inf, inf) for name in mount_joints(mount)]
    return max(low for low, _ in ranges) * gear, min(high for _, high in ranges) * gear


def require_served(kind: type[ModuleType]) -> None:
    """Refuse a type with a capability that nothing serves, in one line."""
    graded = kind.capabilities_as_built.grades()
    seen: set[str] = set()
    for each in kind.serves:
        if each.capability not in MOVING:
            raise _refused(kind, f"{each.actuator} serves {each.capability}", ", ".join(MOVING))
        if each.capability in seen:
            raise _refused(kind, f"two actuators serve {each.capability}", "one")
        seen.add(each.capability)
    for capability in graded:
        if capability in MOVING and capability not in seen:
            example = f'serves = (Serves(actuator="…", capability="{capability}"),)'
            raise _refused(kind, f"no actuator serves {capability}", example)
    try:
        body = kind.parse({}, where=kind.__name__).body()
    except InputError:
        return  # it needs parameters, and has no body before they are given
    for each in kind.serves:
        _require_actuator(kind, each, body)
    for capability in graded:
        if capability in SENSED and not any(SENSED[capability](s) for s in body.sensors):
            raise _refused(kind, f"no sensor serves {capability}", INDICATORS[capability])


def _require_actuator(kind: type[ModuleType], serves: Serves, body: Body) -> None:
    names = [each.name for each in (*body.mounts, *body.cups)]
    if serves.actuator not in names:
        wrong = f"{serves.capability} is served by {serves.actuator!r}"
        raise _refused(kind, wrong, f"an actuator of its body: {', '.join(names) or 'it has none'}")
    if serves.capability not in ABOUT:
        return
    mount = next(each for each in body.mounts if each.name == serves.actuator)
    joint = body.joint(mount_joints(mount)[0])
    if not isinstance(mount, ServoMount) or joint.kind != "hinge":
        wrong = f"{serves.capability} is served by {serves.actuator}"
        raise _refused(kind, wrong, "a servo on a hinge")
    if any(part.turn != IDENTITY for part in body.parts):
        return  # its axes are not the body's, and whoever turned them knows
    along = _along(joint, ABOUT[serves.capability]) * serves.sign
    if along < -NEAR:
        wrong = f"{serves.actuator} serves {serves.capability} with sign {serves.sign}"
        raise _refused(kind, wrong, f"sign {-serves.sign} for a joint about {joint.axis}")
    if along < NEAR:
        wrong = f"{serves.actuator} serves {serves.capability} about {joint.axis}"
        raise _refused(kind, wrong, f"a joint about {ABOUT[serves.capability]}")


def _along(joint: Joint, axis: Vec3) -> float:
    length = sum(each * each for each in joint.axis) ** 0.5
    return sum(a * b for a, b in zip(joint.axis, axis, strict=True)) / (length or 1.0)


def _refused(kind: type[ModuleType], wrong: str, expected: str) -> SpecError:
    return SpecError(f"{kind.__name__}: {wrong}; expected {expected}")


def _proximity(sensor: Sensor) -> bool:
    return isinstance(sensor, Ray | Touch | Camera)


SENSED: Final[Mapping[str, Callable[[Sensor], bool]]] = MappingProxyType(
    {
        "Sense_front": _proximity,
        "Sense_back": _proximity,
        "Sense_side": _proximity,
        "Sense_temp": lambda s: isinstance(s, Climate) and s.quantity == "temperature",
        "Sense_humi": lambda s: isinstance(s, Climate) and s.quantity == "humidity",
        "Sense_grav": lambda s: isinstance(s, Accelerometer),
    }
)
"""Capabilities that a sensor has to serve."""
