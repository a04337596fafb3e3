"""Corrects the odometer at known elbows of the pipe.

A traveller's count is some percent wrong after rocking through a bifurcation, and an open launch
tube does not stop a robot that thinks it has not come home yet.  But the robot has touched every
elbow on the way out, so it knows where each begins.  On the way back what is ahead of the pusher is
drawn along behind it, and its joints give way to the wall (``annelid.motion.elbow``): the joint
next to the pusher straightens when it comes out of the bend, and it is known how far behind the
nose that joint is.  There the way is set right.  Nothing but the robot's own servos is asked, and
nothing is known of the pipe beforehand.
"""

from __future__ import annotations

from math import degrees, hypot
from typing import Final, NamedTuple

from annelid.behaviour import Log
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointAngles
from annelid.systems.microtub.central.knowledge import Knowledge

BENT_DEG: Final = 20.0
"""A joint that is bent so far lies in a bend: in a straight pipe the play of a module allows 8°.
In elbows of 60 mm it is passed where the joint is within 8 mm of the bend's beginning."""
AGAIN_M: Final = 0.10
"""So far the odometer may be wrong when a bend is come upon again."""


class Look(NamedTuple):
    """One look at the joint."""

    way: float
    """Of the nose, m."""
    bend: float
    """Degrees."""

    def until(self, later: Look) -> float:
        """The way at which it was bent by ``BENT_DEG`` between the two."""
        share = (BENT_DEG - self.bend) / (later.bend - self.bend)
        return self.way + share * (later.way - self.way)


class Bends:
    """Of one life of the central control; corrects ``way`` of the knowledge."""

    def __init__(
        self, joints: JointAngles, knowledge: Knowledge, bifurcations: Bifurcations, log: Log
    ) -> None:
        self._joints = joints
        self._knowledge = knowledge
        self._bifurcations = bifurcations
        self._log = log
        self._wanted = False
        """Whether it was asked for: else others want it."""
        self._before: Look | None = None
        """None: nobody has looked, or it was bent on purpose."""

    def wants(self) -> tuple[int, ...]:
        """The joint next to the pusher, where it can tell anything."""
        knowledge, joint = self._knowledge, self._bifurcations.drawn_joint()
        homewards = knowledge.heading < 0 and bool(knowledge.elbows) and not knowledge.rocking
        self._wanted = joint is not None and homewards and knowledge.in_pipe is True
        if joint is None or not self._wanted:
            self._before = None
            return ()
        return (joint[0],)

    def look(self) -> None:
        """After the way has been brought up to date, and before anything is decided on it."""
        knowledge, joint = self._knowledge, self._bifurcations.drawn_joint()
        bend = None if joint is None else self._joints.of(joint[0])
        if joint is None or bend is None or not self._wanted:
            return
        now = Look(knowledge.way, degrees(hypot(*bend)))
        before, self._before = self._before, now
        if before is None or not now.bend <= BENT_DEG < before.bend or not knowledge.elbows:
            return
        at = before.until(now) - joint[1]
        nearest = min(knowledge.elbows, key=lambda elbow: abs(elbow - at))
        if abs(nearest - at) < AGAIN_M:
            self._log("milestone", {"way_m": nearest, "miscounted_m": at - nearest})
            knowledge.way += nearest - at
            knowledge.elbows[:] = [elbow for elbow in knowledge.elbows if elbow < nearest]
