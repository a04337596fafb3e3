"""Finds the corner of a branch by joints that give way, where wheels have miscounted the way.

Wheels of a traveller hang in the mouth of a branch, and turn with a robot that rocks: after some
tries the way may be off by the length of two modules, and joints are then bent for another place
than the one they are at.  Limp, they lie along the pipe: bent where its corner is, straight
elsewhere.  The middle of their bends is the corner, and where that is was known before.
"""

from __future__ import annotations

from math import hypot
from operator import mul
from typing import Final

from annelid.behaviour import Log
from annelid.kernel import seconds
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointAngles
from annelid.systems.microtub.central.knowledge import Knowledge

SETTLED_NS: Final = seconds(1.2)
"""So long joints take to lie along the pipe."""
SHARE: Final = 0.7
"""Joints that are bent by so much of a branch's angle lie round its corner."""
OFF_M: Final = 0.10
"""By more the way is not taken to be off: that is another place."""
SURE_M: Final = 0.03
"""So exactly the corner is felt."""


class FeltCorner:
    """Of one life of the central control."""

    def __init__(
        self, joints: JointAngles, knowledge: Knowledge, bifurcations: Bifurcations, log: Log
    ) -> None:
        self._joints = joints
        self._knowledge = knowledge
        self._bifurcations = bifurcations
        self._log = log
        self._stiff_ns = 0
        """When the joints last did not give way."""

    def wants(self) -> list[int]:
        return self._bifurcations.joints if self._knowledge.limp else []

    def look(self) -> None:
        """With the joints' last answers."""
        knowledge = self._knowledge
        if not knowledge.limp:
            self._stiff_ns = knowledge.now_ns
        if knowledge.now_ns - self._stiff_ns < SETTLED_NS:
            return
        joints = self._bifurcations.joints
        total = self._joints.total(joints)
        bends = [bend for each in joints if (bend := self._joints.of(each)) is not None]
        if total is None or not any(map(any, bends)):
            return
        sizes = [hypot(*bend) for bend in bends]
        behind = sum(map(mul, sizes, self._bifurcations.backbone.joints)) / sum(sizes)
        for each in reversed(self._bifurcations.seen):
            corner = each.junction
            off = corner.middle + behind - knowledge.way
            lies_round = corner.into and each.sure and hypot(*total) > SHARE * corner.angle
            if lies_round and abs(off) < OFF_M:
                self._set_right(off, each.doubted)
                return

    def _set_right(self, off: float, doubted: float) -> None:
        """The corner itself is known no better than the way was when it was first seen."""
        knowledge = self._knowledge
        if abs(off) > SURE_M:
            self._log("corner felt", {"way_m": knowledge.way + off, "miscounted_m": -off})
            knowledge.way += off
        knowledge.off = min(knowledge.off, doubted + SURE_M)
