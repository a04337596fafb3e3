"""The gait entries of a scenario; the field ``gait`` chooses the kind.

::

    [[gaits]]
    gait = "snake"            # a row of the table in annelid.motion.snake
    move = "forward"
    modules = "R*"

    [[gaits]]
    gait = "push"
    modules = "H*"
    level = 1.0
    until_s = 20

Degrees and millimetres stand here because a person writes them; a gait takes them to SI when it
lays its layers (``bind``).  Each gait is one file in ``annelid.motion.gaits``; ``GAITS`` says how a
plugin brings one (``annelid.registry``).
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Annotated, Any, Final, Self

from pydantic import Field, SerializeAsAny, TypeAdapter
from pydantic import model_validator as after

from annelid.motion.layers import Window
from annelid.registry import Kind, chosen, tag_of
from annelid.spec import Spec, faults_named

if TYPE_CHECKING:
    from annelid.motion.binder import Binder

Level = Annotated[float, Field(ge=-1, le=1)]
Amplitude = Annotated[float, Field(ge=0, le=90)]
"""Half of a servo's 180° (001 §3.3.1)."""
Angle = Annotated[float, Field(ge=-90, le=90)]


class GaitSpec(Spec, ABC):
    """What all gaits have: when.

    A gait fades in over ``ramp_s`` from ``from_s`` on, and out over as long after ``until_s``,
    so that two gaits in sequence pass into each other without a jump.
    """

    gait: str
    """Its name; a subclass sets it: ``gait: Literal["wave"] = "wave"``."""
    from_s: float = Field(default=0.0, ge=0)
    """When it begins."""
    until_s: float | None = None
    """When it ends; None: never."""
    ramp_s: float = Field(default=0.2, ge=0)
    """How long it fades in and out."""

    @after(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.until_s is not None and self.until_s <= self.from_s:
            raise ValueError(f"until_s {self.until_s} must be later than from_s {self.from_s}")
        return self

    @abstractmethod
    def lay(self, binder: Binder, where: str) -> None:
        """Find the actuators it moves and lay its layer over those of the gaits before it.

        Raises an ``InputError`` that begins with ``where`` when it can move nothing.
        """

    @property
    def omega(self) -> float | None:
        """Angular velocity of its wave, rad/s; None: it has none.  When gaits are exchanged during
        a run, a wave goes on at the phase it had."""
        return None

    def window(self) -> Window:
        return Window(self.from_s, inf if self.until_s is None else self.until_s, self.ramp_s)


GAITS: Final[Kind[type[GaitSpec]]] = Kind(
    name="gait",
    plural="gaits",
    base=GaitSpec,
    key=functools.partial(tag_of, tag="gait"),
    built_in={
        "wave": "annelid.motion.gaits.wave:WaveGait",
        "snake": "annelid.motion.gaits.snake:SnakeGait",
        "inchworm": "annelid.motion.gaits.inchworm:InchwormGait",
        "push": "annelid.motion.gaits.push:PushGait",
        "hold": "annelid.motion.gaits.hold:HoldGait",
        "relax": "annelid.motion.gaits.relax:RelaxGait",
    },
)

Gait = Annotated[SerializeAsAny[GaitSpec], chosen("annelid.motion.gait:GAITS", "gait")]
"""A field that takes any gait."""


def parse_gaits(
    data: Sequence[Mapping[str, Any]],
    *,
    where: str = "gaits",
    context: Mapping[str, Any] | None = None,
) -> tuple[GaitSpec, ...]:
    """Validate the list of a scenario; a failure names every field at fault."""
    with faults_named(where):
        return _adapter().validate_python(data, context=dict(context or {}))


@functools.cache
def _adapter() -> TypeAdapter[tuple[GaitSpec, ...]]:
    """Made once: a search parses gaits by the thousand."""
    return TypeAdapter(tuple[Gait, ...])
