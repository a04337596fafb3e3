"""The scenario: all that a run depends on, as one frozen spec and one TOML file.

::

    name = "first"
    duration_s = 60

    [robot]
    chain = "TRRHRRVP"

    [world]
    kind = "pipe"
    parts = [{part = "straight", length_mm = 350}, {part = "elbow"}]

    [[control.gaits]]
    gait = "push"

A trained policy (``policy = "crawl.safetensors"``) or a controller of a plugin may command motors
above the gaits.  Instead of all these, a *system* may run its own programs on simulated boards; a
supply may feed it, and things may break::

    [control]
    system = "erekobot"
    options = {profile = 3}

    [power.supply]
    kind = "battery"

    [[faults]]
    fault = "cut_link"
    link = "serial"
    at_s = 3

With ``[tolerances] draw = true`` the seed also decides which robot of many it is.

What is left out has a default, and a run folder's copy has it written in.  Degrees, millimetres
and milliseconds stand here because a person writes them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    Field,
    PositiveFloat,
    SerializeAsAny,
    ValidationInfo,
    field_validator,
    model_validator,
)

from annelid.boundary.files import whole_path
from annelid.control.controller import Controller
from annelid.control.policy import SUFFIX
from annelid.electronics.faults import Fault
from annelid.electronics.power import PowerSpec
from annelid.kernel import milliseconds, period
from annelid.motion import Gait
from annelid.physics.settings import Physics
from annelid.registry import PLUGINS
from annelid.robot import RobotSpec, Tolerances
from annelid.robot.shell import absolute
from annelid.spec import Spec
from annelid.systems import SYSTEMS
from annelid.worlds import WORLDS, World, parse_world

RATE_MAX_HZ = 2000.0
"""One row per physics step of the paper's 0.5 ms."""


class Control(Spec):
    """What drives the robot: gaits, evaluated at every tick, or the programs of a system."""

    tick_ms: float = Field(default=20.0, gt=0, le=1000)
    """Of the gaits, and of looking whether a servo tripped or the goal was reached; programs on
    boards keep their own time."""
    gaits: tuple[Gait, ...] = ()
    """Later ones win over earlier ones; without any, every actuator rests."""
    policy: Path | None = None
    """A trained network that commands motors at every tick, above the gaits: a ``.safetensors``
    file, relative to the scenario's folder (``annelid.control.policy``)."""
    controller: Controller | None = None
    """A controller that a plugin brings: it commands motors at every tick, above the gaits."""
    system: str | None = None
    """Whose programs run on the modules' boards (``annelid.systems``)."""
    options: SerializeAsAny[Spec] | None = Field(default=None, validate_default=True)
    """Of the system, by its own spec."""
    links: Mapping[str, str] = Field(default_factory=dict)
    """Links of the system that are of another kind: ``{bus = "my-bus"}``, of those that
    ``annelid links`` lists."""

    @field_validator("options", mode="before")
    @classmethod
    def _fit_the_system(cls, given: Any, info: ValidationInfo) -> Any:
        name = info.data.get("system")
        if name is None:
            if given is not None:
                raise ValueError("options belong to a system; give control.system as well")
            return None
        plugins = (info.context or {}).get(PLUGINS)
        systems = SYSTEMS.table() if plugins is None else plugins.table(SYSTEMS)
        kind = systems.find(name, where="control.system").options
        if isinstance(given, kind):
            return given
        if not isinstance(given, Mapping | None):
            raise ValueError(f"expected a table of options of {name!r}")
        return kind.parse(given or {}, where="control.options")

    @field_validator("policy")
    @classmethod
    def _found(cls, policy: Path | None, info: ValidationInfo) -> Path | None:
        """Absolute, so that a run folder's copy of the scenario still leads to it."""
        if policy is None:
            return None
        if policy.suffix != SUFFIX:
            raise ValueError(f"expected a {SUFFIX} file, got {policy.name!r}")
        return whole_path(Path((info.context or {}).get("folder") or Path.cwd()) / policy)

    @model_validator(mode="after")
    def _one_driver(self) -> Control:
        if self.policy is not None and self.controller is not None:
            raise ValueError("policy beside controller: expected one of them")
        for name in ("gaits", "policy", "controller"):
            if self.system is not None and getattr(self, name):
                raise ValueError(
                    f"{name} beside system = {self.system!r}: the servos would have two masters; "
                    "leave out one of them"
                )
        return self

    @property
    def piloted(self) -> bool:
        """Whether something looks at the robot and commands it, above the gaits."""
        return self.policy is not None or self.controller is not None

    @property
    def tick_ns(self) -> int:
        return milliseconds(self.tick_ms)


class Record(Spec):
    """What is written down, and how often."""

    rate_hz: float = Field(default=50.0, gt=0, le=RATE_MAX_HZ)
    """Modules, actuators, sensors and the robot as a whole."""
    state_hz: float = Field(default=25.0, ge=0, le=RATE_MAX_HZ)
    """All joint positions, from which pictures are drawn; 0: none, and no video."""
    sensors: bool = True
    """Whether the readings of the sensors are written down."""

    @property
    def every_ns(self) -> int:
        return period(self.rate_hz)


class Success(Spec):
    """What counts as having done it: the head gets this far, and home again if asked, in time."""

    progress_m: PositiveFloat | None = None
    """Along the world's way; None: to its goal, where it has one."""
    home_mm: PositiveFloat | None = None
    """Then it has to come back and stay as near as this to where it began, on either side of it;
    None: it may stay there."""
    within_s: PositiveFloat | None = None
    """None: within the duration."""


class CutEvent(Spec):
    """Undock two faces, ``a = "R1.back"``, ``b = "R2.front"``."""

    do: Literal["cut"] = "cut"
    at_s: float = Field(ge=0)
    """When."""
    a: str
    """A face, ``R1.back``."""
    b: str
    """The face it is docked to."""


class JoinEvent(Spec):
    """Dock two free faces; where they have not come together, that is recorded and passed over."""

    do: Literal["join"] = "join"
    at_s: float = Field(ge=0)
    """When."""
    a: str
    """A free face, ``R1.back``."""
    b: str
    """The free face that it is docked to."""
    angle_deg: float | None = None
    """Given: somebody brings the pieces and docks them by hand at this angle, wherever they are;
    None: they dock as they lie."""


Happening = Annotated[CutEvent | JoinEvent, Field(discriminator="do")]


class Scenario(Spec):
    """Everything a run depends on, the seed included: robot, world, control, how long.

    A table does where a part is expected: ``Scenario(robot={"chain": "TRRH"}, world=Pipe())``.
    What is left out has a default.  :func:`annelid.load` makes one from a file, a shipped name or
    a table, :func:`annelid.run` simulates it.
    """

    name: str = Field(default="scenario", pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$")
    """Also the name of its run folders: letters, digits, ``-``, ``_``, ``.``."""
    about: str = ""
    """One line for people; lists and reports show it."""
    duration_s: float = Field(default=60.0, gt=0, le=86_400)
    """How long it is simulated."""
    seed: int = Field(default=0, ge=0)
    """Of every random draw; the same seed repeats the run exactly."""
    jitter_deg: float = Field(default=0.0, ge=0, le=30)
    """Spread of the joints' first angles, so that seeds differ as two attempts of one robot do;
    instead of ``tolerances.start_deg`` where that is drawn."""
    stop_at_goal: bool = False
    """End the run as soon as ``success`` is reached."""
    linger_s: float = Field(default=0.0, ge=0)
    """How long it goes on after that, for what the robot has yet to say."""
    robot: RobotSpec
    """What moves."""
    world: SerializeAsAny[World]
    """Where it moves; ``kind`` chooses one of ``annelid worlds``."""
    physics: Physics = Physics()
    """How exactly the engine computes."""
    control: Control = Control()
    """What drives the robot."""
    tolerances: Tolerances = Tolerances()
    """How far the robot may be from its design; with ``draw = true`` the seed picks one."""
    power: PowerSpec | None = None
    """What feeds boards and motors; None: an ideal supply that nobody measures."""
    faults: tuple[Fault, ...] = ()
    """What breaks, at a time or by condition: servos, sensors, boards, links."""
    record: Record = Record()
    """What is written down, and how often."""
    success: Success = Success()
    """What counts as having done it."""
    events: tuple[Happening, ...] = ()
    """Modules that are cut off or docked, each at its time."""

    @field_validator("events", mode="before")
    @classmethod
    def _docking_only(cls, given: Any) -> Any:
        """A servo that gives way was an event once."""
        for event in given if isinstance(given, Sequence) else ():
            if isinstance(event, Mapping) and event.get("do") == "release":
                servo = event.get("actuator", "R1.yaw")
                raise ValueError(
                    "release is a fault now: write [[faults]] with "
                    f'fault = "limp_servo", servo = "{servo}", at_s and until_s'
                )
        return given

    @field_validator("robot", mode="before")
    @classmethod
    def _shells_found(cls, given: Any, info: ValidationInfo) -> Any:
        """Files of shells are looked for in the scenario's folder."""
        if not isinstance(given, Mapping):
            return given
        folder = Path((info.context or {}).get("folder") or Path.cwd())

        def found(table: Any) -> Any:
            if not (isinstance(table, Mapping) and table.get("shell")):
                return table
            return {**table, "shell": absolute(table["shell"], folder)}

        each, modules = given.get("each"), given.get("modules")
        changed = dict(given)
        if isinstance(each, Mapping):
            changed["each"] = {letter: found(table) for letter, table in each.items()}
        if isinstance(modules, Sequence) and not isinstance(modules, str):
            changed["modules"] = [found(table) for table in modules]
        return changed

    @field_validator("world", mode="before")
    @classmethod
    def _known_world(cls, given: Any, info: ValidationInfo) -> Any:
        """A table becomes the world of its kind, plugins' kinds included."""
        if not isinstance(given, Mapping):
            return given
        context: Mapping[str, Any] = info.context or {}
        plugins = context.get(PLUGINS)
        registry = WORLDS.table() if plugins is None else plugins.table(WORLDS)
        return parse_world(given, registry, folder=context.get("folder"))

    @model_validator(mode="after")
    def _ticks_on_the_grid(self) -> Scenario:
        if self.control.tick_ns < self.physics.step_ns:
            raise ValueError(
                f"control.tick_ms = {self.control.tick_ms:g} is shorter than "
                f"physics.timestep_ms = {self.physics.timestep_ms:g}"
            )
        if self.record.every_ns < self.physics.step_ns:
            raise ValueError(
                f"record.rate_hz = {self.record.rate_hz:g} asks for more than one row per "
                f"physics step of {self.physics.timestep_ms:g} ms"
            )
        return self

    def target(self) -> float | None:
        """Progress that counts as success, m; None where nothing was asked for."""
        return self.success.progress_m or self.world.goal
