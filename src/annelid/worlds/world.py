"""The base of every world: a frozen spec that lays out its scenery and measures progress."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from pydantic import Field, field_validator

from annelid.spec import Spec, Vec3
from annelid.worlds.scenery import Scenery, Surface, Tether


class World(Spec, ABC):
    """Base of all worlds; ``kind`` picks the subclass in a scenario."""

    title: ClassVar[str]

    kind: str
    surface: Surface = Surface()
    """Friction and softness of what the robot touches."""
    gravity: float = Field(default=9.81, ge=0, le=1000)
    """Downwards, m/s²."""
    temperature_c: float = Field(default=25.0, ge=-40, le=120)
    """Of the air; motors and thermometers feel it."""
    humidity_percent: float = Field(default=50.0, ge=0, le=100)
    """Of the air; hygrometers read it."""
    tether: Tether | None = None
    """A cable that the robot pulls behind it; None: there is none."""

    @field_validator("surface", mode="before")
    @classmethod
    def _rest_of_surface(cls, given: Any) -> Any:
        """A table that sets the grip alone keeps the friction this world has by default."""
        default = cls.model_fields["surface"].default
        if isinstance(given, Mapping) and isinstance(default, Surface):
            return {**default.model_dump(), **given}
        return given

    @abstractmethod
    def scenery(self, robot_length: float) -> Scenery:
        """Everything around a robot of this length (m), and where it starts."""

    def as_built(self, *, bore: float, friction: float) -> Self:
        """One world of the kind: its bores, where it has any, and the friction of its surface times
        these factors."""
        slippery = {"friction": self.surface.friction * friction}
        return self.model_copy(update={"surface": self.surface.model_copy(update=slippery)})

    def progress(self, point: Vec3) -> float:
        """How far along the world's way a point is, m.  Straight ahead unless it has a way."""
        return point[0]

    @property
    def summary(self) -> str:
        """What this one is, in a few words."""
        return self.title

    @property
    def goal(self) -> float | None:
        """Progress at which the way is done, m; None where there is no way."""
        return None

    @property
    def bore(self) -> float | None:
        """The narrowest bore a robot must fit, m; None in the open."""
        return None

    @property
    def walled(self) -> bool:
        """Whether walls, not a hand, decide how far to a side a robot lies when it is put in."""
        return self.bore is not None
