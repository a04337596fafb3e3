"""The pose of least friction, for modules that cannot help with what the robot does.

*Activation*: the walk that was commanded says so (``rest``).  *Stimuli*: none besides.
*Proposals*: every servo at the place its type names for rest (0 if none), below all others: a
servo that some gait moves is left to the gait.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.robot.module import ModuleType
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import REST
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class RestPose(EmbeddedBehaviour):
    name = "rest pose"
    level = REST

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(module.kind) if module.servos else None

    def __init__(self, kind: ModuleType) -> None:
        pose = kind.rest()
        self._pose = tuple(
            self.proposal(mount.name, pose.get(mount.name, 0.0), reason="nothing else to do")
            for mount in kind.body().mounts
        )

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.rest

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        return self._pose
