"""Elbow turning (000 §4.1.6, Fig 12): the nose reports a touch, the joints turn one after another.

``FeelAhead``.  *Activation*: the module has a nose and the four infrared sensors, and the robot
walks, not backwards, where it may be a pipe.  *Stimuli*: touch and distances, under a wave those
of one swing.  *Proposals*: none; what is felt becomes TS (``annelid.motion.elbow``).
*Rate*: 22 Hz.

``ElbowTurning``.  *Activation*: TUP, until TSF, where the robot is pushed.  *Stimuli*: the module's
turn in the dialogue on the sync lines (``ElbowLine``), where the elbow leads.  *Proposals*: yaw and
pitch, bent towards the turn while it is this module's turn, else straight.  *Rate*: every tick.

``GiveWay``.  *Activation*: in a pipe, a wave or an inchworm at work that needs nothing or only one
direction of this module's joints.  *Stimuli*: the joints' own angles, the wave, the direction of
the last TUP.  *Proposals*: each joint where it stands, so that the wall may bend it; a wave runs
across the direction in which it bends.  *Rate*: every tick.  Such a chain needs no dialogue: the
wall bends every joint where it has to be bent.  Held straight, a wave stands before the bend.  A
module that bends up and down alone keeps its wave, wherever the elbow leads: a chain of them would
lie still without.

``ElbowLine`` is the sync pins of a module while the robot turns (FACTS §6).
``annelid.motion.turn_in_pipe`` knows what to say when; here it meets the pins.  A module reads
"your turn" from the one before it on its Sin and "I am turning" from the one behind on its Sout,
and drives the other wire of either.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from math import cos, degrees, sin
from statistics import median
from typing import Self

from annelid.behaviour import Log, Proposal
from annelid.electronics.port import Pin
from annelid.kernel import seconds, to_seconds
from annelid.modules.shells import RADIUS
from annelid.motion.elbow import LOOK_S, Nose
from annelid.motion.turn_in_pipe import TurnInPipe
from annelid.robot.module import Action, Pose
from annelid.robot.service import HORIZONTAL, VERTICAL, Service
from annelid.systems.microtub.behaviours.embedded import (
    PERCEPTION,
    WALKING,
    EmbeddedBehaviour,
    EmbeddedContext,
)
from annelid.systems.microtub.behaviours.stimuli import Stimuli
from annelid.systems.microtub.behaviours.surroundings import RAYS, TOUCH, NoseSwing
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
        self._swing = NoseSwing()

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        ahead = walk != STANDING and (walk.push is None or walk.push > 0.0)
        return ahead and stimuli.in_pipe is not False

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        looks = [stimuli.read(TOUCH), *(stimuli.read(ray) for ray in RAYS)]
        swing_s = stimuli.walk.swing_s
        force, rays = self._over_a_swing(looks, swing_s)
        feeling = self._nose.look(force, rays, steady=swing_s is None)
        stimuli.bore = self._nose.bore
        if feeling is not None:
            stimuli.felt.append(feeling)
        return ()

    def reset(self) -> None:
        self._nose = Nose(RADIUS, self._nose.bore)
        self._swing = NoseSwing()

    def _over_a_swing(self, look: list[float], swing_s: float | None) -> tuple[float, list[float]]:
        """What the nose meets once it meets at every swing; its rays look about (``NoseSwing``)."""
        touches, *rays = self._swing.add(look, swing_s, LOOK_S)
        return max(touches), [median(ray) for ray in rays]


class ElbowTurning(EmbeddedBehaviour):
    name = "elbow turning"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if module.kind.bends_both_ways() else None

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        return stimuli.turn is not None and walk.elbow is not None and walk.gives_way is None

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


class GiveWay(EmbeddedBehaviour):
    name = "give way"
    level = WALKING

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        joints = {
            axis: module.services[axis]
            for axis in (HORIZONTAL, VERTICAL)
            if axis in module.services
        }
        return cls(joints, module.kind.actions().get(Action.EXTEND, {})) if joints else None

    def __init__(self, joints: Mapping[str, Service], extends: Pose) -> None:
        """``joints``: what bends this module, by axis."""
        self._joints = joints
        self._stretches = any(joint.actuator in extends for joint in joints.values())

    def condition(self, stimuli: Stimuli, /) -> bool:
        walk = stimuli.walk
        if walk.gives_way is None or not stimuli.in_pipe:
            return False
        if walk.vertical is not None and HORIZONTAL not in self._joints:
            return False
        return walk.worm is None or not self._stretches

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        walk, place = stimuli.walk, stimuli.position
        angles = {
            axis: stimuli.servos[joint.actuator].angle / joint.factor
            for axis, joint in self._joints.items()
        }
        if walk.vertical is not None and place is not None and VERTICAL in angles:
            stands = walk.vertical.at(stimuli.gait_s, place)
            left, up = cos(walk.gives_way or 0.0), sin(walk.gives_way or 0.0)
            bent = angles.get(HORIZONTAL, 0.0) * left + angles[VERTICAL] * up
            angles = {HORIZONTAL: bent * left - stands * up, VERTICAL: bent * up + stands * left}
        return tuple(
            Proposal(joint.actuator, joint.factor * angles[axis], 1.0, self.name)
            for axis, joint in self._joints.items()
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
