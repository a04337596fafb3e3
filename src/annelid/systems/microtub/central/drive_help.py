"""Helps a drive round elbows on the way back.

There the drive pushes what is behind it into the elbow and draws along what is ahead.  The joint
behind it is bent by the wall; the drive itself has to turn into the elbow next, and for that the
joint ahead of it has to bend the same way.  Resting, that joint would hold it straight, with what
its servo's lead allows: uphill, in a tight elbow or in a wide bore that is too much for the drive.
So while the joint behind is bent, the one ahead strives the same way; later it stands where the
wall bends it, until it is straight again.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, hypot, radians
from typing import Final

from annelid.robot.module import Action
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointAngles, JointBend
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Order, bend_orders

BENT: Final = radians(25)
"""A joint that is bent so far is in an elbow, and the drive comes next."""
STRAIGHT: Final = radians(10)
"""Less is the play of a straight pipe."""
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
        bends = self._bifurcations.at(knowledge.way) is not None and not knowledge.limp
        others = bends or knowledge.shaking or self._bifurcations.follows_elbows
        back = knowledge.heading < 0 and knowledge.in_pipe is True and not knowledge.gives_way
        if anew or others or not back:
            self._sent.clear()
        return [] if others or not back else list(self._helping())

    def _helping(self) -> Iterator[Order]:
        for ahead, behind in self._round_drives():
            now, next_one = self._joints.of(ahead), self._joints.of(behind)
            if now is None or next_one is None:
                continue
            bent = hypot(*next_one)
            if bent > BENT:
                wanted = JointBend(
                    *(a + STRIVES * b / bent for a, b in zip(now, next_one, strict=True))
                )
            elif hypot(*now) > STRAIGHT:
                wanted = now
            elif ahead in self._sent:
                wanted = JointBend(0.0, 0.0)
            else:
                continue
            angles = round(degrees(wanted.left)), round(degrees(wanted.up))
            yield from bend_orders(ahead, angles, self._sent.get(ahead))
            self._sent[ahead] = angles

    def _round_drives(self) -> Iterator[tuple[int, int]]:
        """Addresses of the joints next to each drive, ahead of it and behind it."""
        joints, parts = self._bifurcations.joints, self._knowledge.parts
        for place, part in enumerate(parts):
            if part.kind is None or Action.PUSH not in part.kind.module.actions():
                continue
            ahead = [each.address for each in parts[:place] if each.address in joints]
            behind = [each.address for each in parts[place:] if each.address in joints]
            if ahead and behind:
                yield ahead[-1], behind[0]
