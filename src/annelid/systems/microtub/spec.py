"""MICROTUB's options in a scenario.

::

    [control]
    system = "microtub"

    [control.options]
    sync = "line"
    drift_ppm = 30000
    addresses = [12, 5, 40]

    [[control.options.operator]]            # what the operator says, and when
    at_s = 1.5
    say = "EXP"

    [[control.options.orders]]              # a command put on the bus by hand
    at_s = 3
    say = "MS1 40"
    to = "R1"

    [[control.options.rules]]               # your own rules, as in a file of rules
    remove = ["serpentine"]
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self

import numpy as np
from pydantic import Field, field_validator, model_validator

from annelid.electronics.node import BoardSpec, Duration
from annelid.errors import InputError
from annelid.kernel import seconds
from annelid.spec import Spec
from annelid.systems.microtub.behaviours.embedded import Overload
from annelid.systems.microtub.central.operator import parse_order, parse_saying
from annelid.systems.microtub.inference.rulebook import RuleFile
from annelid.systems.microtub.protocol import MODULES

SyncMethod = Literal["rtc", "line"]
"""How the modules keep one time (000 §4.1.6)."""
Environment = Literal["auto", "pipe", "open-air"]
"""What the robot is in: as its modules see it, or as the operator knows."""


GENTLE_MA: Final = 120.0
"""A limit below this would release healthy servos whose targets are far ahead (FACTS §3)."""


class Typed(Spec):
    """A line that the operator types: ``EXP``, ``RPL home``, ``SIR 3``."""

    at_s: Annotated[float, Field(ge=0.0)]
    """When."""
    say: str
    """The line."""

    @field_validator("say")
    @classmethod
    def _understood(cls, line: str) -> str:
        parse_saying(line)
        return line


class BusOrder(Spec):
    """A command that somebody at the PC puts on the bus by hand: ``MS1 40``, ``SIM distance``."""

    at_s: Annotated[float, Field(ge=0.0)]
    """When."""
    say: str
    """The command."""
    to: str = ""
    """A module's name; empty: to all."""

    @field_validator("say")
    @classmethod
    def _understood(cls, line: str) -> str:
        parse_order(line)
        return line


class MicrotubSpec(Spec):
    """Numbers that 000 does not give are proposed (FACTS §6)."""

    sync: SyncMethod = "rtc"
    """How the modules keep one time: by the bus, or by the sync line."""
    drift_ppm: Annotated[float, Field(ge=0.0, le=100_000.0)] = 50.0
    """The modules' clocks are off by up to this, either way; a quartz is within 50."""
    addresses: tuple[Annotated[int, Field(ge=MODULES[0], le=MODULES[-1])], ...] = ()
    """Of the modules in the order of the robot; empty: shuffled, so that they tell nothing."""
    settle_ms: Annotated[float, Field(gt=0.0, le=1_000.0)] = 20.0
    """From GPS to the moment at which levels are believed: more than modules hear it apart."""
    module_ms: Annotated[float, Field(gt=0.0, le=10_000.0)] = 100.0
    """How long the central control waits for the next module of a check."""
    attempts: Annotated[int, Field(ge=1, le=100)] = 5
    """Checks that may fail before the central control says that it does not know its robot."""
    loop_ms: Annotated[float, Field(ge=1.0, le=1_000.0)] = 15.0
    """One pass of a module's program (001 §3.3.6, "approx.")."""
    start_s: Annotated[float, Field(ge=0.0, le=60.0)] = 0.3
    """When the central control asks for the first time."""
    poll_s: Annotated[float, Field(gt=0.0, le=60.0)] = 0.2
    """Also how late the central control may hear of a touch: 6 mm at 3 cm/s."""
    ask_s: Annotated[float, Field(gt=0.0, le=60.0)] = 0.2
    """Between two questions for the way covered and the orientation: 6 mm at 3 cm/s."""
    look_s: Annotated[float, Field(gt=0.0, le=60.0)] = 1.0
    """Between two pictures, while there is something to look for."""
    think_s: Annotated[float, Field(gt=0.0, le=60.0)] = 0.2
    """Between two decisions of the central control's behaviours."""
    rtc_s: Annotated[float, Field(gt=0.0, le=60.0)] = 2.0
    """000 §4.1.6: "every 2 s"."""
    boot_ms: Duration = (0.0, 200.0)
    """From power to the first line of a module's program; ``[lowest, highest]``: chance
    chooses."""
    pass_ms: Duration = 0.0
    """What a pass of a module's program costs; it is also how far apart they hear GPS."""
    crc: bool = False
    """Frames with SMBus's checksum, an extension."""
    central: str = "PC"
    """Where the central control runs: a PC on the bus, the board of the module of this name, or
    ``elsewhere``: in another process (``annelid central``)."""
    tether: bool = True
    """Whether a cable supplies the robot with power; without one a battery module has to, in every
    piece of it, and the rules count on that module alone."""
    environment: Environment = "auto"
    """What the central control takes for its surroundings: what modules see, or what is given."""
    bifurcations: Literal["run", "branch", "both"] = "run"
    """Which legs of a bifurcation are explored: straight on, the one to the side, or both."""
    adapt: bool = True
    """Whether what the robot can do is inferred anew when modules report damage or fall silent;
    off is for comparison."""
    rules: tuple[RuleFile, ...] = ()
    """Files of rules (``annelid run --rules FILE``): new ones, changed ones, learnt ones."""
    operator: tuple[Typed, ...] = ()
    """What the operator says; a prompt (``annelid operate``) adds to it."""
    low_power_v: Annotated[float, Field(gt=0)] = 3.6
    """A module that supplies power raises the alarm below this voltage; for one cell of lithium
    polymer, of which a tenth is left then (000 gives none)."""
    trip_ma: Annotated[float, Field(ge=0)] = 250.0
    """Current at which a module releases a servo that presses against something; 0: never.  The
    paper's is 100, at once (``trip_s = 0``); docs/behaviours.md says what it costs."""
    trip_s: Annotated[float, Field(ge=0, le=60)] = 1.5
    """How long a servo may draw that before it is released."""
    orders: tuple[BusOrder, ...] = ()
    """Commands put on the bus by hand, past the central control: to try a module out."""
    clock_log: bool = False
    """Whether every setting of a module's time goes into the trace (event ``clock``)."""

    @model_validator(mode="before")
    @classmethod
    def _renamed(cls, data: Any) -> Any:
        if isinstance(data, Mapping) and "learnt" in data:
            raise ValueError("learnt is now rules = [{learnt = […]}]")
        return data

    @model_validator(mode="after")
    def _different(self) -> Self:
        seen: set[int] = set()
        for address in self.addresses:
            if address in seen:
                raise ValueError(f"two modules with address {address}: addresses must differ")
            seen.add(address)
        return self

    def addresses_for(self, modules: int, chance: np.random.Generator) -> tuple[int, ...]:
        """As many as there are modules."""
        if not 1 <= modules <= len(MODULES):
            raise InputError(
                f"microtub: expected 1 to {len(MODULES)} modules, as many as the bus has "
                f"addresses for, got {modules}"
            )
        if not self.addresses:
            drawn = chance.permutation(np.array(MODULES))[:modules]
            return tuple(int(address) for address in drawn)
        if len(self.addresses) != modules:
            raise InputError(
                f"microtub: addresses: expected {modules}, one for each module, "
                f"got {len(self.addresses)}"
            )
        return self.addresses

    def silence_s(self, modules: int) -> float:
        """A module that hears nothing for longer is controlled by nobody: the clocks are set every
        ``rtc_s``, later by a check in which each module takes as long as it may."""
        return self.rtc_s + modules * self.module_ms / 1000

    def overload(self, *, comparators: bool) -> tuple[Overload | None, bool]:
        """When modules release servos, and whether they lead them gently.  ``comparators``: the
        servos' own are on (``physics.trip``), with the limits of their types."""
        if comparators:
            return Overload(), True
        if not self.trip_ma:
            return None, False
        limit = Overload(self.trip_ma / 1000, seconds(self.trip_s))
        return limit, self.trip_ma < GENTLE_MA and self.trip_s == 0

    def module_board(self) -> BoardSpec:
        return BoardSpec(
            drift_ppm=(-self.drift_ppm, self.drift_ppm),
            boot_ms=self.boot_ms,
            pass_ms=self.pass_ms,
        )
