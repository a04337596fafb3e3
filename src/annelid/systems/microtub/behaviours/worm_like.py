"""Worm-like movement (000 §4.1.7): supports grip and let go, extensions stretch and shorten.

*Activation*: the module has been given a part in the inchworm (INH) and is not known to be in open
air, where there is nothing to grip.  *Stimuli*: the common time of the gaits.  *Proposals*: every
servo that the module's type names for *extend* and *contract*, between the two; so the same
behaviour grips on a support, stretches on an extension, and arches on rotation modules that act as
one.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.robot.module import Action, ModuleType
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import WALKING
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class WormLikeMovement(EmbeddedBehaviour):
    name = "worm-like movement"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        actions = {Action.EXTEND, Action.CONTRACT}
        return cls(module.kind) if actions <= set(module.kind.actions()) else None

    def __init__(self, kind: ModuleType) -> None:
        self._kind = kind
        actions = kind.actions()
        self._short, self._long = actions[Action.CONTRACT], actions[Action.EXTEND]
        self._stands: tuple[float, int | None] | None = None
        self._last: tuple[Proposal, ...] = ()

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.worm is not None and stimuli.in_pipe is not False

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        worm = stimuli.walk.worm
        if worm is None:
            return ()
        stands = worm.setpoint(stimuli.gait_s)
        place = stimuli.position
        if (stands, place) != self._stands:
            self._stands = stands, place
            shortest = self._short if place is None else self._kind.in_unit(self._short, place)
            self._last = tuple(
                self.proposal(servo, short + stands * (self._long[servo] - short))
                for servo, short in shortest.items()
            )
        return self._last

    def reset(self) -> None:
        self._stands = None
