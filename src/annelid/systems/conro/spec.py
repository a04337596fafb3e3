"""CONRO's options in a scenario.

::

    [control]
    system = "conro"

    [control.options]
    role = "sidewinder"
    step_ms = 22
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from math import radians
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from annelid.electronics.infrared import InfraredSpec
from annelid.electronics.node import BoardSpec, Duration
from annelid.motion.casts import CONNECTORS, Cast, alone, walker
from annelid.motion.roles import ROLES, STEPS, Role, Swing
from annelid.motion.selector import select
from annelid.motion.steering import Steering
from annelid.robot import Robot
from annelid.spec import Spec

Connector = Literal["front", "right", "back", "left"]
Method = Literal["roles", "gait-table", "gait-table-open-loop", "hormone", "hormone-both-ways"]


class WallSpec(Spec):
    """A wall to go along (002 §8); the modules look at it with ``looks = ["left"]``."""

    side: Literal["left", "right"] = "left"
    """On which side the wall is."""
    keep_mm: Annotated[float, Field(gt=0.0)] = 180.0
    """Between the modules' sides and the wall."""
    gain_deg_per_m: Annotated[float, Field(gt=0.0)] = 30.0
    """How far each joint bends for what it is off."""
    damping_deg_per_m: Annotated[float, Field(ge=0.0)] = 120.0
    """And for what that changed in a cycle."""
    most_deg: Annotated[float, Field(gt=0.0, le=90.0)] = 6.0
    """How far a joint bends at most."""

    def steering(self) -> Steering:
        return Steering(
            sensor=f"infrared_{self.side}",
            keep=self.keep_mm / 1000,
            side=1.0 if self.side == "left" else -1.0,
            gain=radians(self.gain_deg_per_m),
            damping=radians(self.damping_deg_per_m),
            most=radians(self.most_deg),
        )


class SwingSpec(Spec):
    """What a servo does in a cycle: ``mean + amplitude·sin(x + lead)``."""

    amplitude_deg: Annotated[float, Field(ge=-90.0, le=90.0)] = 0.0
    """To either side of the mean."""
    lead_deg: Annotated[float, Field(ge=-360.0, le=360.0)] = 0.0
    """How far it is ahead of the module's cycle."""
    mean_deg: Annotated[float, Field(ge=-90.0, le=90.0)] = 0.0
    """About which it swings."""

    def swing(self) -> Swing:
        return Swing(
            radians(self.amplitude_deg), lead=radians(self.lead_deg), mean=radians(self.mean_deg)
        )


class ConroSpec(Spec):
    """Every module gets the same program, and the same role unless ``motions`` says otherwise."""

    role: Literal["caterpillar", "sidewinder", "rolling-track", "walker"] = "caterpillar"
    """``walker``: spine or leg, as every module finds by where it hangs."""
    method: Method = "roles"
    """What keeps modules in step; all but roles are what 002 §2 compares them with."""
    signals: Literal["down", "both"] = "down"
    """``down``: from parent to child, the root or, in a loop, the highest number leads; ``both``:
    up as well, and the highest number leads in any configuration (002 §6)."""
    servos: Mapping[str, Mapping[str, str]] = Field(default_factory=dict)
    """Which servo of a body plays a role's pitch and yaw, by selector: ``K2 = {yaw = "pitch"}`` for
    an ErekoBot with a quarter turn; modules that are not named have servos of the role's names."""
    wall: WallSpec | None = None
    """Feedback: sensors at the side steer a caterpillar along a wall; None: nothing steers it."""
    period: Annotated[int, Field(ge=2, le=10_000)] = STEPS
    """T, way-points in a cycle."""
    step_ms: Annotated[float, Field(gt=0.0, le=1_000.0)] = 22.0
    """From one way-point to the next.  002 gives none; this makes a cycle of 3.96 s, in which a
    caterpillar's 14.6 cm are the paper's 0.13 km/h.  It asks a third of the servo's speed."""
    parent: Literal["front", "back"] = "front"
    """Where signals come in.  The male connector, as in 002 §5.1: the conductor is the head, and
    the chain goes the way of its wave, tail first; ``back``: head first."""
    delay: Annotated[int, Field(ge=0)] | None = None
    """d in steps, through every child connector; None: the role's."""
    delays: Mapping[Connector, Annotated[int, Field(ge=0)]] = Field(default_factory=dict)
    """d through one child connector, where it differs: ``{left = 45, right = 135}`` (002 §8)."""
    motions: Mapping[str, Literal["caterpillar", "sidewinder"] | Mapping[str, SwingSpec]] = Field(
        default_factory=dict
    )
    """Another A(t) for some modules, by selector: the name of a role, or what each servo does
    (``"C4,C5" = {pitch = {amplitude_deg = 30}}``).  T and the delays are the whole body's."""
    loss: Annotated[float, Field(ge=0.0, le=1.0)] = 0.0
    """How many of the signals get lost."""
    drift_ppm: Annotated[float, Field(ge=0.0, le=100_000.0)] = 0.0
    """Modules' oscillators are off by up to this, either way."""
    pass_ms: Duration = 0.0
    """What a pass of a module's program costs; a range makes it uneven (002 §7)."""

    @model_validator(mode="after")
    def _walkers_have_their_own(self) -> Self:
        own = self.parent != "front" or self.delay is not None or self.delays or self.motions
        if self.role == "walker" and own:
            raise ValueError(
                "parent, delay, delays and motions are those of trees; a walker's follow from its "
                "roles (annelid.motion.casts)"
            )
        return self

    @model_validator(mode="after")
    def _loops_go_one_way(self) -> Self:
        if self.role == "rolling-track" and (self.signals == "both" or self.delays or self.motions):
            raise ValueError(
                "signals, delays and motions are those of trees; in a loop signals come round to "
                "everybody, and what it does follows from its size"
            )
        return self

    @model_validator(mode="after")
    def _parents_have_no_delay(self) -> Self:
        if self.parent in self.delays:
            raise ValueError(
                f"delays.{self.parent}: {self.parent} is the parent connector; child connectors "
                f"are {', '.join(c for c in CONNECTORS if c != self.parent)}"
            )
        return self

    @model_validator(mode="after")
    def _compared_in_chains_and_loops(self) -> Self:
        if self.method != "roles" and (self.role == "walker" or self.signals == "both"):
            raise ValueError(
                f"method = {self.method!r} moves chains and loops, where one role is kept and "
                'signals go down; walkers and signals = "both" need method = "roles"'
            )
        return self

    @model_validator(mode="after")
    def _caterpillars_go_along_walls(self) -> Self:
        asked = (self.role, self.method, self.signals)
        if self.wall is not None and asked != ("caterpillar", "roles", "down"):
            raise ValueError(
                'wall steers a caterpillar, with method = "roles" and signals = "down"; '
                f"got {', '.join(asked)}"
            )
        return self

    def cast(self, modules: int) -> Cast:
        """For so many modules."""
        return walker(self.period) if self.role == "walker" else alone(self.made_role(modules))

    def called(self, robot: Robot) -> dict[str, Mapping[str, str]]:
        """What ``servos`` says, by module."""
        return {
            module.name: names
            for selector, names in self.servos.items()
            for module in select(robot, selector, where="control.options.servos")
        }

    def made_role(self, modules: int) -> Role:
        """Of a chain or loop of so many modules."""
        role = ROLES[self.role](modules, self.period)
        (usual,) = role.delays.values()
        usual = usual if self.delay is None else self.delay
        opposite = "back" if self.parent == "front" else "front"
        children = [opposite] if role.loop else [c for c in CONNECTORS if c != self.parent]
        delays: dict[str, int] = dict.fromkeys(children, usual)
        delays.update(self.delays.items())
        return replace(role, parent=self.parent, delays=delays)

    def casts(self, robot: Robot) -> dict[str, Cast]:
        """By module, with what ``motions`` says."""
        cast = self.cast(len(robot.modules))
        found = {module.name: cast for module in robot.modules}
        for selector, asked in self.motions.items():
            if isinstance(asked, str):
                motion = ROLES[asked](len(robot.modules), self.period).motion
            else:
                motion = {servo: each.swing() for servo, each in asked.items()}
            for module in select(robot, selector, where="control.options.motions"):
                found[module.name] = alone(replace(cast.root, motion=motion))
        return found

    def infrared(self) -> InfraredSpec:
        return InfraredSpec(loss=self.loss)

    def board(self) -> BoardSpec:
        return BoardSpec(drift_ppm=(-self.drift_ppm, self.drift_ppm), pass_ms=self.pass_ms)
