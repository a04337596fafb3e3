"""Elbow turning (000 §4.1.6, Fig 12): the nose reports a touch, the joints turn one after another.

``FeelAhead``.  *Activation*: the module has a nose and the four infrared sensors, and the robot
walks, not backwards, where it may be a pipe.  *Stimuli*: touch and distances.  *Proposals*: none;
what is felt becomes TS (``annelid.motion.elbow``).  *Rate*: 22 Hz.

``ElbowTurning``.  *Activation*: TUP, until TSF.  *Stimuli*: the module's turn in the dialogue on
the sync lines (``ElbowLine``), where the elbow leads.  *Proposals*: yaw and pitch, bent towards
the turn while it is this module's turn, else straight.  *Rate*: every tick.

``ElbowLine`` is the sync pins of a module while the robot turns (FACTS §6).
``annelid.motion.turn_in_pipe`` knows what to say when; here it meets the pins.  A module reads
"your turn" from the one before it on its Sin and "I am turning" from the one behind on its Sout,
and drives the other wire of either.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import degrees
from typing import Self

from annelid.behaviour import Log, Proposal
from annelid.electronics.port import Pin
from annelid.kernel import seconds, to_seconds
from annelid.modules.shells import RADIUS
from annelid.motion.elbow import LOOK_S, Nose
from annelid.motion.turn_in_pipe import TurnInPipe
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    WALKING,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.surroundings import RAYS, TOUCH
from annelid.systems.microtub.behaviours.walk import STANDING


class FeelAhead(EmbeddedBehaviour):
    name = "feel ahead"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if {*RAYS, TOUCH} <= set(module.sensors) else None

    def __init__(self) -> None:
        self._nose = Nose(RADIUS)

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
        self._nose = Nose(RADIUS, self._nose.bore)


class ElbowTurning(EmbeddedBehaviour):
    name = "elbow turning"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if module.kind.bends_both_ways() else None

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.turn is not None and stimuli.walk.elbow is not None

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        turn, towards, joint = stimuli.turn, stimuli.walk.elbow, stimuli.joint
        if turn is None or towards is None or joint is None:
            return ()
        return self.kept(
            turn.target,
            towards,
            make=lambda: tuple(
                self.proposal(servo, target, reason=turn.phase.value)
                for servo, target in joint.targets(turn.target, towards)
            ),
        )


class ElbowLine:
    """The dialogue runs while ``stimuli.turn`` is set."""

    def __init__(self, sin_pin: Pin, sout_pin: Pin, stimuli: Stimuli, *, log: Log) -> None:
        self._sin, self._sout = sin_pin, sout_pin
        self._stimuli = stimuli
        self._log = log

    @property
    def running(self) -> bool:
        return self._stimuli.turn is not None

    def clear(self) -> None:
        """Both wires low: nothing that was said before is for the elbow."""
        self._sin.drive(False)
        self._sout.drive(False)

    def begin(self, *, first: bool) -> None:
        self._stimuli.turn = TurnInPipe(jointed=self._stimuli.joint is not None, first=first)

    def forget(self) -> None:
        """The elbow is over, or the wires are somebody else's."""
        self._stimuli.turn = None

    def look(self, now_ns: int) -> bool:
        """Listen, go on, speak; whether the last of all has just finished."""
        turn = self._stimuli.turn
        if turn is None:
            return False
        finished, phase = turn.finished, turn.phase
        bent = self._bent()
        turn.look(to_seconds(now_ns), bent, self._sin.level, self._sout.level)
        self._sout.drive(turn.ahead)
        self._sin.drive(turn.back)
        if turn.phase is not phase:
            self._log("elbow", {"phase": turn.phase.value, "bent_deg": round(degrees(bent))})
        return turn.finished and not finished

    def _bent(self) -> float:
        """Towards the turn, rad."""
        towards, joint = self._stimuli.walk.elbow, self._stimuli.joint
        if joint is None or towards is None:
            return 0.0
        return joint.bent(self._stimuli.servos, towards)
