"""Elbow turning (000 §4.1.6, Fig 12): the nose reports a touch, the joints turn one after another.

``FeelAhead``.  *Activation*: the module has a nose and the four infrared sensors, and the robot
walks, not backwards, where it may be a pipe.  *Stimuli*: touch and distances.  *Proposals*: none;
what is felt becomes TS (``annelid.motion.elbow``).  *Rate*: 22 Hz.

``ElbowTurning``.  *Activation*: TUP, until TSF.  *Stimuli*: the module's turn in the dialogue on
the sync lines (``elbow_line``), where the elbow leads.  *Proposals*: yaw and pitch, bent towards
the turn while it is this module's turn, else straight.  *Rate*: every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin
from typing import Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.motion.elbow import LOOK_S, Nose
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    WALKING,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.situation_awareness import RAYS, TOUCH
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.walk import STANDING
from annelid.systems.microtub.behaviours.walking import HORIZONTAL, VERTICAL


class FeelAhead(EmbeddedBehaviour):
    name = "feel ahead"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if {*RAYS, TOUCH} <= set(module.sensors) else None

    def __init__(self) -> None:
        self._nose = Nose()

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        ahead = walk != STANDING and (walk.push is None or walk.push > 0.0)
        return ahead and stimuli.in_pipe is not False

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        feeling = self._nose.look(stimuli.read(TOUCH), [stimuli.read(ray) for ray in RAYS])
        if feeling is not None:
            stimuli.felt.append(feeling)
        return ()

    def reset(self) -> None:
        self._nose = Nose()


class ElbowTurning(EmbeddedBehaviour):
    name = "elbow turning"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if {VERTICAL, HORIZONTAL} <= set(module.servos) else None

    def __init__(self) -> None:
        self._last: tuple[Proposal, ...] = ()
        self._bend: tuple[float, float] | None = None

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.turn is not None and stimuli.walk.elbow is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        turn, towards = stimuli.turn, stimuli.walk.elbow
        if turn is None or towards is None:
            return ()
        if self._bend != (turn.target, towards):
            self._bend = turn.target, towards
            self._last = (
                self.proposal(HORIZONTAL, turn.target * cos(towards), reason=turn.phase.value),
                self.proposal(VERTICAL, turn.target * sin(towards), reason=turn.phase.value),
            )
        return self._last

    def reset(self) -> None:
        self._last, self._bend = (), None
