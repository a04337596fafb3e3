"""Helps a drive round elbows on the way back.

There the drive pushes what is behind it into the elbow and draws along what is ahead.  The joint
behind it is bent by the wall; the drive itself has to turn into the elbow next, and for that the
joint ahead of it has to bend the same way.  Resting, that joint would hold it straight, with what
its servo's lead allows: uphill, in a tight elbow or in a wide bore that is too much for the drive.
So while the joint behind is bent, the one ahead strives the same way; later it stands where the
wall bends it, until it is straight again.

A drive at the tail has no joint behind it and comes to every elbow first, straight on: held so by
the joint ahead of it, it wedges.  Of such a chain every joint bends where the map has an elbow, a
little before it is there.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import cos, degrees, hypot, radians, sin
from typing import Final

from annelid.motion.bifurcation import TRAIL
from annelid.robot.module import Action
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointAngles, JointBend
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Order
from annelid.systems.microtub.protocol import LLC1

BENT: Final = radians(25)
"""A joint that is bent so far is in an elbow, and the drive comes next."""
STRAIGHT: Final = radians(10)
"""Less is the play of a straight pipe."""
TIGHTEST_M: Final = 0.03
"""Radius of an elbow, at least: its length is felt roughly."""
STRIVES: Final = radians(10)
"""So far ahead of its angle a joint strives."""


class DriveHelp:
    """Of one life of the central control; joints are asked by ``elbows``."""

    def __init__(
        self, joints: JointAngles, knowledge: Knowledge, bifurcations: Bifurcations
    ) -> None:
        self._joints = joints
        self._knowledge = knowledge
        self._bifurcations = bifurcations
        self._sent: dict[int, tuple[int, int]] = {}

    def orders(self, anew: bool = False) -> list[Order]:
        """What joints have to be told now; ``anew``: they have forgotten."""
        knowledge = self._knowledge
        others = self._bifurcations.at(knowledge.way) is not None or knowledge.shaking
        back = knowledge.heading < 0 and knowledge.in_pipe is True and not knowledge.gives_way
        if anew or others or not back:
            self._sent.clear()
        if others or not back:
            return []
        last = knowledge.parts[-1]
        wanted = self._by_map() if _pushes(last) else self._by_those_behind()
        return [order for each in wanted for order in self._told(*each)]

    def _told(self, address: int, bend: JointBend) -> Iterator[Order]:
        """Only what has changed."""
        angles = round(degrees(bend.left)), round(degrees(bend.up))
        sent = self._sent.get(address)
        for number, command in enumerate((LLC1.MS1, LLC1.MS2)):
            if sent is None or sent[number] != angles[number]:
                yield Order(command, (angles[number],), address)
        self._sent[address] = angles

    def _by_map(self) -> Iterator[tuple[int, JointBend]]:
        """Each joint as the elbows of the map are where it comes to next."""
        body, way = self._bifurcations.backbone, self._knowledge.way - TRAIL
        joints = self._bifurcations.joints
        left, up = [0.0] * len(joints), [0.0] * len(joints)
        for elbow in self._knowledge.elbows:
            if elbow.place is not None:
                radius = max(elbow.arc / elbow.angle, TIGHTEST_M)
                for k, bend in enumerate(body.along(way, elbow.middle, elbow.angle, radius)):
                    left[k] += bend * cos(elbow.towards)
                    up[k] += bend * sin(elbow.towards)
        for address, wanted in zip(joints, map(JointBend, left, up), strict=True):
            if hypot(*wanted) > STRAIGHT or address in self._sent:
                yield address, wanted

    def _by_those_behind(self) -> Iterator[tuple[int, JointBend]]:
        for ahead, behind in self._round_drives():
            now, next_one = self._joints.of(ahead), self._joints.of(behind)
            if now is None or next_one is None:
                continue
            bent = hypot(*next_one)
            if bent > BENT:
                share = STRIVES / bent
                yield (
                    ahead,
                    JointBend(now.left + share * next_one.left, now.up + share * next_one.up),
                )
            elif hypot(*now) > STRAIGHT:
                yield ahead, now
            elif ahead in self._sent:
                yield ahead, JointBend(0.0, 0.0)

    def _round_drives(self) -> Iterator[tuple[int, int]]:
        """Addresses of the joints next to each drive, ahead of it and behind it."""
        joints, parts = self._bifurcations.joints, self._knowledge.parts
        for place, part in enumerate(parts):
            if not _pushes(part):
                continue
            ahead = [each.address for each in parts[:place] if each.address in joints]
            behind = [each.address for each in parts[place:] if each.address in joints]
            if ahead and behind:
                yield ahead[-1], behind[0]


def _pushes(part: KnownModule) -> bool:
    return part.kind is not None and Action.PUSH in part.kind.module.actions()
