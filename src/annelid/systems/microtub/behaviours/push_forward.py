"""Push-forward movement (000 §4.1.8): self-propelled modules drive forwards or backwards.

*Activation*: a push has been commanded (MHE).  *Stimuli*: its level.  *Proposals*: the servos that
the module's type names for *push*, at that level.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.robot.module import Action, ModuleType
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import WALKING
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class PushForward(EmbeddedBehaviour):
    name = "push forward"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls(module.kind) if Action.PUSH in module.kind.actions() else None

    def __init__(self, kind: ModuleType) -> None:
        self._full = kind.actions()[Action.PUSH]
        self._level: float | None = None
        self._last: tuple[Proposal, ...] = ()

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.push is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        level = stimuli.walk.push
        if level is not None and level != self._level:
            self._level = level
            self._last = tuple(
                self.proposal(servo, level * full) for servo, full in self._full.items()
            )
        return self._last

    def reset(self) -> None:
        self._level, self._last = None, ()
