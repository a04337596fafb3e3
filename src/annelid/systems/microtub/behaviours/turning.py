"""Turning in open space (000 §4.1.6): the horizontal joints bend the body into an arc, and the gait
moves it along that arc.

*Activation*: a bend has been commanded and the module is not known to be in a pipe, where a bent
body only jams; elbows are another matter.  *Stimuli*: working mode, situation.  *Proposals*: the
bend, on yaw; a horizontal wave is added to it.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import WALKING
from annelid.systems.microtub.behaviours.sinusoids import HORIZONTAL
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class Turning(EmbeddedBehaviour):
    name = "turning"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if HORIZONTAL in module.servos else None

    def __init__(self) -> None:
        self._last = (self.proposal(HORIZONTAL, 0.0),)

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.bend is not None and not stimuli.in_pipe

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        bend = stimuli.walk.bend
        if bend is None:
            return ()
        if bend != self._last[0].value:
            self._last = (self.proposal(HORIZONTAL, bend, reason="an arc in open space"),)
        return self._last
