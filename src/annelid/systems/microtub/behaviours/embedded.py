"""The base class of a module's behaviours, and what they are made from.

A behaviour that needs no arguments and suits every module is done with ``name``, ``level`` and
``propose``.  Others say so in ``make``::

    class Nod(EmbeddedBehaviour):
        name = "nod"
        level = WALKING

        @classmethod
        def make(cls, module: EmbeddedContext, /) -> Self | None:
            return cls() if "pitch" in module.servos else None

        def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
            yield self.proposal("pitch", 0.3 * sin(stimuli.gait_s))

Its level says who is above it and where it is heard (``levels``, ``fusion``).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from annelid.behaviour import Behaviour
from annelid.robot.body import Accelerometer, Camera
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.levels import COMMAND, PERCEPTION, REST, SURVIVAL, WALKING
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.workspace import Workspace


class EmbeddedBehaviour(Behaviour[Stimuli]):
    """Runs on a module; its channels are the module's servos and ``situation``."""

    levels = (SURVIVAL, PERCEPTION, COMMAND, WALKING, REST)


@dataclass(frozen=True)
class EmbeddedContext:
    """The module that a behaviour is made for."""

    kind: ModuleType
    room: Workspace
    """Where its servos may be sent."""
    trip: bool = True
    """Whether servos that draw too much are to be released."""

    @cached_property
    def servos(self) -> tuple[str, ...]:
        return tuple(mount.name for mount in self.kind.body().mounts)

    @cached_property
    def sensors(self) -> tuple[str, ...]:
        """Those that can be read as a number; of an accelerometer the first axis."""
        return tuple(
            f"{sensor.name}.x" if isinstance(sensor, Accelerometer) else sensor.name
            for sensor in self.kind.body().sensors
            if not isinstance(sensor, Camera)
        )
