"""Controllers that somebody writes in Python: from what is seen to what is commanded, by name.

::

    class TurnBack(ControllerSpec):
        controller: Literal["turn-back"] = "turn-back"
        force_n: float = 0.2

        def start(self, robot: Interface) -> Act:
            way = 1.0

            def act(time_s: float, seen: Seen) -> Commands:
                nonlocal way
                if seen["T1.nose"] > self.force_n:
                    way = -1.0
                return {"H1.drive": way}

            return act

The spec holds the parameters, which sweeps and searches vary; ``start`` is called once a run, and
what it returns may remember things.
"""

from __future__ import annotations

import functools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from typing import Annotated, Final, Protocol

from pydantic import SerializeAsAny

from annelid.control.interface import Floats, Interface, InterfaceSpec
from annelid.errors import InputError
from annelid.registry import Kind, chosen, tag_of
from annelid.spec import Spec

Seen = Mapping[str, float]
"""By name: ``seen["T1.nose"]``, ``seen["R1.yaw"]``, ``seen["speed[R1.yaw]"]``."""

Commands = Mapping[str, float]
"""By name: ``{"R1.yaw": 0.3}``; what is left out the gaits command."""

Act = Callable[[float, Seen], Commands]
"""``act(time_s, seen)``, called at every control tick."""


class ControllerSpec(Spec, ABC):
    """What all controllers have: a name, and a function that they start."""

    controller: str
    """Its name; a subclass sets it: ``controller: Literal["mine"] = "mine"``."""

    @abstractmethod
    def start(self, robot: Interface) -> Act:
        """The function that controls ``robot`` from now on; ``robot.observations`` and
        ``robot.actions`` list the names, with unit and bounds."""


CONTROLLERS: Final[Kind[type[ControllerSpec]]] = Kind(
    name="controller",
    plural="controllers",
    base=ControllerSpec,
    key=functools.partial(tag_of, tag="controller"),
)

Controller = Annotated[
    SerializeAsAny[ControllerSpec],
    chosen("annelid.control.controller:CONTROLLERS", "controller"),
]
"""A field that takes any controller."""

INTERFACE: Final = InterfaceSpec()
"""Of controllers: all there is, in the place of what the gaits say."""


class WrittenPilot:
    """A controller at work on one robot."""

    waits = False

    def __init__(self, spec: ControllerSpec, robot: Interface) -> None:
        self._what = f"controller {spec.controller!r}"
        self._names = tuple(signal.name for signal in robot.observations)
        self._robot = robot
        self._act = spec.start(robot)
        self._commands: Commands = {}

    def look(self, time_s: float, told: Floats) -> None:
        seen = self._robot.observe(time_s, told).tolist()
        self._commands = self._act(time_s, dict(zip(self._names, seen, strict=True)))
        if not isinstance(self._commands, Mapping):
            raise InputError(f"{self._what}: expected commands by name, got {self._commands!r:.60}")

    def lay(self, told: Floats) -> None:
        try:
            self._robot.command(self._commands, told)
        except InputError as error:
            error.args = (f"{self._what}: {error}",)
            raise


class Pilot(Protocol):
    """Looks, then lays its commands over those of the gaits."""

    waits: bool
    """Whether the run stops between the two, until somebody outside has decided."""

    def look(self, time_s: float, told: Floats) -> None:
        """See the robot at this moment; ``told`` is what the gaits command."""

    def lay(self, told: Floats) -> None:
        """Change ``told`` in place."""
