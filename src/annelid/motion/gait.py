"""What a scenario says about movement: one entry a gait, discriminated by ``gait``.

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

Degrees and millimetres stand here because a person writes them; ``bind`` takes them to SI.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import Field, PositiveFloat, TypeAdapter, ValidationError, field_validator
from pydantic import model_validator as after

from annelid.errors import SpecError, UnknownName
from annelid.motion.inchworm import PHASE_S, PHASES
from annelid.motion.push import Change
from annelid.motion.selector import Selector
from annelid.motion.snake import SNAKE
from annelid.spec import Spec, describe

Level = Annotated[float, Field(ge=-1, le=1)]
Amplitude = Annotated[float, Field(ge=0, le=90)]
"""Half of a servo's 180° (001 §3.3.1)."""
Angle = Annotated[float, Field(ge=-90, le=90)]


class GaitSpec(Spec):
    """What all gaits have: when.

    A gait fades in over ``ramp_s`` from ``from_s`` on, and out over as long after ``until_s``,
    so that two gaits in sequence pass into each other without a jump.
    """

    from_s: float = Field(default=0.0, ge=0)
    until_s: float | None = None
    """None: for ever."""
    ramp_s: float = Field(default=0.2, ge=0)

    @after(mode="after")
    def _ends_after_it_begins(self) -> Self:
        if self.until_s is not None and self.until_s <= self.from_s:
            raise ValueError(f"until_s {self.until_s} must be later than from_s {self.from_s}")
        return self


class WaveGait(GaitSpec):
    """Eq 7 or 8 of 000 on the yaw or pitch of the selected modules, counted from the head."""

    gait: Literal["wave"] = "wave"
    modules: Selector = "all"
    axis: Literal["yaw", "pitch"]
    amplitude_deg: Amplitude
    omega_rad_s: float
    phase_rad: float
    """φ: positive runs towards the head, where a vertical wave carries the body."""
    offset_deg: Angle = 0.0


class SnakeGait(GaitSpec):
    """A named movement of rotation modules (001 §3.3.1), with the user's own numbers if given."""

    gait: Literal["snake"] = "snake"
    move: str
    modules: Selector = "R"
    amplitude_deg: Amplitude | None = None
    """Of the larger of the two waves; the other keeps its ratio."""
    omega_rad_s: PositiveFloat | None = None
    phase_rad: Annotated[float, Field(ge=0)] | None = None
    """Of the larger of the two; its direction is the row's."""
    offset_deg: Angle | None = None
    """Bend of the horizontal joints: the radius of a turn (000 §4.1.6)."""
    mirror: bool = False
    """To the right instead of to the left."""

    @field_validator("move")
    @classmethod
    def _known(cls, move: str) -> str:
        if move not in SNAKE:
            raise ValueError(str(UnknownName("snake movement", move, SNAKE)))
        return move


class InchwormGait(GaitSpec):
    """The six-phase step of supports and extensions (FACTS §3).

    Without selectors: all extensions of the chain, the supports before the first of them in
    front, those after the last of them at the rear.
    """

    gait: Literal["inchworm"] = "inchworm"
    rear: Selector | None = None
    extend: Selector | None = None
    front: Selector | None = None
    durations_s: tuple[PositiveFloat, ...] = Field(
        default=(PHASE_S,) * len(PHASES), min_length=len(PHASES), max_length=len(PHASES)
    )
    reverse: bool = False
    """Walks tail first."""


class PushGait(GaitSpec):
    """Self-propelled modules drive (000 §4.1.8); each of ``changes`` is ``[time_s, level]``."""

    gait: Literal["push"] = "push"
    modules: Selector = "all"
    level: Level = 1.0
    changes: tuple[tuple[float, Level], ...] = ()

    @field_validator("changes")
    @classmethod
    def _rising(cls, changes: tuple[Change, ...]) -> tuple[Change, ...]:
        times = [time for time, _ in changes]
        if times != sorted(set(times)):
            raise ValueError(f"expected rising times, got {times}")
        return changes


class HoldGait(GaitSpec):
    """Actuators stay where ``pose`` says: degrees for servos, mm for linear ones, drive level."""

    gait: Literal["hold"] = "hold"
    modules: Selector = "all"
    pose: Mapping[str, float] = Field(min_length=1)


class RelaxGait(GaitSpec):
    """Servos are released: their value is NaN, which means no torque.  It has no ramp."""

    gait: Literal["relax"] = "relax"
    modules: Selector = "all"


Gait = Annotated[
    WaveGait | SnakeGait | InchwormGait | PushGait | HoldGait | RelaxGait,
    Field(discriminator="gait"),
]
"""A field that takes any gait."""


def parse_gaits(data: Sequence[Mapping[str, Any]], *, where: str = "gaits") -> tuple[Gait, ...]:
    """Validate the list of a scenario; a failure names every field at fault."""
    try:
        return _adapter().validate_python(data)
    except ValidationError as error:
        raise SpecError(describe(error, where)) from None


@functools.cache
def _adapter() -> TypeAdapter[tuple[Gait, ...]]:
    """Made once: a search parses gaits by the thousand."""
    return TypeAdapter(tuple[Gait, ...])
