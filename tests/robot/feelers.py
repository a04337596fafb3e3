"""Modules with fewer sensors than T, as a user may build them."""

from __future__ import annotations

from typing import ClassVar

from annelid.modules.passive import Passive
from annelid.robot import ModuleType
from annelid.robot.body import Body, Ray, Touch
from annelid.robot.capabilities import Capabilities

BUMPER = Touch(name="bumper", part="front", at=(-0.004, 0.0, 0.0), zone=(0.006, 0.02, 0.02))
SIDES = tuple(
    Touch(
        name=name,
        part="front",
        at=(-0.012, y, 0.0),
        zone=(0.016, 0.005, 0.010),
    )
    for name, y in (("whisker_left", 0.0135), ("whisker_right", -0.0135))
)
EYE = Ray(name="eye", part="front", at=(0.001, 0.0, 0.0), direction=(1.0, 0.0, 0.0), range=0.15)


class Bumper(Passive):
    """Feels what its front meets."""

    letter: ClassVar[str] = "Q"
    wire_id: ClassVar[str] = "q"
    title: ClassVar[str] = "bumper"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Sense_front=1)

    def body(self) -> Body:
        return super().body().model_copy(update={"sensors": (BUMPER,)})


class Whiskers(Passive):
    """Feels what is at its sides."""

    letter: ClassVar[str] = "X"
    wire_id: ClassVar[str] = "x"
    title: ClassVar[str] = "whiskers"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Sense_side=1)

    def body(self) -> Body:
        return super().body().model_copy(update={"sensors": SIDES})


class OneEyed(Passive):
    """A single ray, straight ahead."""

    letter: ClassVar[str] = "U"
    wire_id: ClassVar[str] = "u"
    title: ClassVar[str] = "one eye"
    capabilities_as_built: ClassVar[Capabilities] = Capabilities.of(Sense_front=1)

    def body(self) -> Body:
        return super().body().model_copy(update={"sensors": (EYE,)})


FEELERS: tuple[type[ModuleType], ...] = (Bumper, Whiskers, OneEyed)
