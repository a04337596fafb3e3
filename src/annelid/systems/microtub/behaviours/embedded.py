"""The base class of a module's behaviours, their levels, and what they are made from.

A behaviour that needs no arguments and suits every module is done with ``name``, ``level`` and
``propose``.  Others say so in ``make``::

    class Nod(EmbeddedBehaviour):
        name = "nod"
        level = WALKING

        @classmethod
        def make(cls, module: EmbeddedContext, /) -> Self | None:
            joint = module.services.get("RotX")
            return None if joint is None else cls(joint)

        def __init__(self, joint: Service) -> None:
            self._joint = joint

        def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
            raised = self._joint.value(0.3 * sin(stimuli.gait_s))
            yield self.proposal(self._joint.actuator, raised)

It asks what the module's type says that its actuators serve (``annelid.robot.service``), not what
they are called.

Its level says who is above it and where it is heard (000 §4.2, Fig 13; ``fusion``):

========== ===== ==============================================================================
set        level what it may do
========== ===== ==============================================================================
survival   4     blank a servo (it is released), or put a safe target in the place of another
perception 3     inform: the situation, broken servos; no actuator is theirs
command    2     LLC1 from the central control: overrides walking, never survival
walking    1     the gaits; their outputs are combined per servo
rest       0     what a module does that has nothing to do
========== ===== ==============================================================================
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from annelid.behaviour import Behaviour
from annelid.robot.body import Accelerometer, Camera
from annelid.robot.module import ModuleType
from annelid.robot.service import Service
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.workspace import Workspace

SURVIVAL: Final = 4
PERCEPTION: Final = 3
COMMAND: Final = 2
WALKING: Final = 1
REST: Final = 0

SITUATION: Final = "situation"
"""The one channel that is no servo: where the module thinks it is."""


class EmbeddedBehaviour(Behaviour[Stimuli]):
    """Runs on a module; its channels are the module's servos and ``situation``."""

    levels = (SURVIVAL, PERCEPTION, COMMAND, WALKING, REST)


@dataclass(frozen=True)
class Overload:
    """How much current a servo may draw, and for how long."""

    limit_a: float | None = None
    """None: what its type says, which is the paper's 100 mA for MICROTUB's."""
    allowed_ns: int = 0


@dataclass(frozen=True)
class EmbeddedContext:
    """The module that a behaviour is made for."""

    kind: ModuleType
    room: Workspace
    """Where its servos may be sent."""
    overload: Overload | None = None
    """When servos that draw too much are released; None: never."""

    @cached_property
    def servos(self) -> tuple[str, ...]:
        return tuple(mount.name for mount in self.kind.body().mounts)

    @cached_property
    def services(self) -> Mapping[str, Service]:
        """What serves each capability of the module."""
        return self.kind.services()

    @cached_property
    def sensors(self) -> tuple[str, ...]:
        """Those that can be read as a number; of an accelerometer the first axis."""
        return tuple(
            f"{sensor.name}.x" if isinstance(sensor, Accelerometer) else sensor.name
            for sensor in self.kind.body().sensors
            if not isinstance(sensor, Camera)
        )
