"""Turning in open space (000 §4.1.6): the horizontal joints stand at a fixed angle, the body is an
arc, and whatever else moves it now moves it along that arc.

*Activation*: a bend has been commanded and the module is not known to be in a pipe, where a bent
body only jams; elbows are another matter.  *Stimuli*: working mode, situation.  *Proposals*: the
bend, on yaw; a horizontal wave is added to it.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable

from annelid.behaviour import Behaviour, Proposal
from annelid.systems.microtub.behaviours.levels import WALKING
from annelid.systems.microtub.behaviours.sinusoids import HORIZONTAL
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class Turning(Behaviour[Stimuli]):
    name = "turning"
    level = WALKING

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
