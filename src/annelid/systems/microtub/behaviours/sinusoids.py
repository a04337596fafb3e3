"""Vertical and horizontal sinusoidal movement (000 §4.1.6, eqs 7 and 8).

*Activation*: a wave for that axis has been commanded.  *Stimuli*: the common time of the gaits and
the place in the chain.  *Proposals*: the angle of the pitch, or of the yaw, servo.  *Rate*: every
tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import WALKING
from annelid.systems.microtub.behaviours.stimuli import Stimuli

VERTICAL, HORIZONTAL = "pitch", "yaw"
"""The servos that bend the chain up and down, left and right."""


class VerticalSinusoid(EmbeddedBehaviour):
    name = "vertical sinusoid"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if VERTICAL in module.servos else None

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.vertical is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        wave = stimuli.walk.vertical
        place = stimuli.position
        if wave is None or place is None:
            return ()
        angle = wave.at(stimuli.gait_s, place)
        return (Proposal(VERTICAL, angle, 1.0, self.name),)


class HorizontalSinusoid(EmbeddedBehaviour):
    name = "horizontal sinusoid"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if HORIZONTAL in module.servos else None

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.walk.horizontal is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        wave = stimuli.walk.horizontal
        place = stimuli.position
        if wave is None or place is None:
            return ()
        angle = wave.at(stimuli.gait_s, place)
        return (Proposal(HORIZONTAL, angle, 1.0, self.name),)
