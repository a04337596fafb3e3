"""Feel outside pipes what is in the way by servos alone (000 §4.1.5): a joint or an arm is held.

``FeelHeld``.  *Activation*: a wave swings the module up and down and nothing else moves it, and it
is not known to be in a pipe, where walls hold joints all the time.  *Stimuli*: by how much the
joint lags behind its target.  *Proposals*: none; it tells the central control that something may
hold it (TS).  *Rate*: 20 Hz, judged twice a swing over the whole of it.

A wave repeats itself, and so does the lag.  As its mean and its first two harmonics, two swings
differ by up to a tenth in open air, and by 0.4 to 1.7 where a wall, a box or a pillar stands before
the robot (chains of 4 to 8 joints, with and without cargo).  What is usual is learnt anew from each
walk, once it repeats itself; who begins to walk at a wall feels nothing.

A servo that fails elsewhere, a step or a fall change the lag, too, so one feeling proves nothing
(``central.behaviours.reach_place``).  Nor does it tell the side: a nose that slides along a wall
and one that is stuck at an edge are bent to either.

``FeelArms``.  *Activation*: a support is ordered to stretch (EX), in the open.  *Stimuli*: its
current.  *Proposals*: none; it tells the same when its arms stand and draw more than they do at
their end: 18 mA there, 210 between two walls.  *Rate*: 5 Hz.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, pi, radians, sin, sqrt
from typing import Final, Self

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.motion.elbow import NoseFinding, NoseReport
from annelid.robot.service import SUPPORT, VERTICAL, Service
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.usual import Usual
from annelid.systems.microtub.behaviours.walk import STANDING

LOOK_S: Final = 0.05
CHANGED: Final = 0.25
"""Share of the usual lag by which it may change."""
LEAST: Final = radians(0.5)
"""A change of less is none: three steps of the potentiometer."""
STRETCHES_A: Final = 0.06
"""Arms that stand and draw more press against something."""
STANDS: Final = radians(2.0)
"""A servo that turns by less in a second."""
ARMS_S: Final = 0.2

Lag = list[float]
"""Mean and two harmonics, rad; its length is the root mean square."""


class FeelHeld(EmbeddedBehaviour):
    name = "feel held"
    level = PERCEPTION
    period_ns = seconds(LOOK_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        joint = module.services.get(VERTICAL)
        return None if joint is None else cls(joint)

    def __init__(self, joint: Service) -> None:
        self._servo = joint.actuator
        self._begin()

    def _begin(self) -> None:
        self._walk = STANDING
        self._usual = Usual(share=CHANGED, least=LEAST)
        self._half: int | None = None
        """Of which swing this is."""
        self._looks: list[Lag] = []
        self._before: list[Lag] = []
        """In this half of a swing, and in the one before."""

    def reset(self) -> None:
        self._begin()

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        waves = walk.vertical is not None and walk.horizontal is None
        return waves and not stimuli.in_pipe and not stimuli.orders

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        walk, servo = stimuli.walk, stimuli.servos[self._servo]
        if walk != self._walk:
            self._begin()
            self._walk = walk
        if walk.vertical is None:
            return ()
        angle = stimuli.gait_s * walk.vertical.omega
        half = int(angle / pi)
        if half != self._half:
            if self._before:
                self._judge(stimuli)
            self._half, self._before, self._looks = half, self._looks, []
        lag, c, s = sqrt(2) * (servo.target - servo.angle), cos(angle), sin(angle)
        self._looks.append(
            [lag / sqrt(2), lag * c, lag * s, lag * (2 * c * c - 1), lag * 2 * s * c]
        )
        return ()

    def _judge(self, stimuli: Stimuli) -> None:
        looks = self._before + self._looks
        lag = [sum(part) / len(looks) for part in zip(*looks, strict=True)]
        if self._usual.departs(lag):
            stimuli.felt.append(NoseReport(NoseFinding.HELD, None))


class FeelArms(EmbeddedBehaviour):
    name = "feel arms"
    level = PERCEPTION
    period_ns = seconds(ARMS_S)

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        arms = module.services.get(SUPPORT)
        return None if arms is None else cls(arms)

    def __init__(self, arms: Service) -> None:
        self._servo = arms.actuator
        self._held = False

    def condition(self, stimuli: Stimuli, /) -> bool:
        return stimuli.in_pipe is False and self._servo in stimuli.orders

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        servo, before = stimuli.servos[self._servo], self._held
        self._held = servo.current > STRETCHES_A and abs(servo.speed) < STANDS
        if self._held and not before:
            stimuli.felt.append(NoseReport(NoseFinding.HELD, None))
        return ()

    def reset(self) -> None:
        self._held = False
