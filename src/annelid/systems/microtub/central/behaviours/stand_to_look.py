"""Stand to look (000 §6.1.4): in the open the robot stops for pictures, because its head nods.

*Activation*: outside pipes, on a task that the camera helps with, and the last look is some seconds
ago.  *Stimuli*: the task, when the last picture was taken, who has a camera.  *Proposals*: to stand
still with straight joints, above all walking and below balance, until a picture has come.  One that
does not come is not waited for for long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, radians
from typing import Final

from annelid.behaviour import Proposal, Proposals
from annelid.kernel import seconds
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    ACTION,
    LOOKING,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import CAMERA, Knowledge, KnownModule
from annelid.systems.microtub.central.movements import Movement, Order
from annelid.systems.microtub.central.task import Task
from annelid.systems.microtub.protocol import LLC1, LLC2

STRAIGHT_NS, CURVE_NS = seconds(3), seconds(1.2)
"""Between two looks: 15 cm of way, or 15° of a turn."""
CURVE: Final = radians(25)
"""A destination farther aside is reached by turning (``mind``)."""
LONGEST_NS: Final = seconds(4)


class StandToLook(CentralBehaviour):
    name = "stand to look"
    level = LOOKING

    def __init__(self) -> None:
        self._task: Task | None = None
        self._pictures = 0
        self._stood_ns = self._walked_ns = 0
        """When it last began to stand, and to walk again."""
        self._standing = False

    def condition(self, knowledge: Knowledge, /) -> bool:
        if knowledge.in_pipe is not False or not knowledge.task.looks or not _sees(knowledge):
            self._standing = False
            return False
        now_ns = knowledge.now_ns
        aside = abs(atan2(knowledge.destination[1], knowledge.destination[0]))
        walk_ns = CURVE_NS if aside > CURVE else STRAIGHT_NS
        if self._standing:
            seen = knowledge.pictures != self._pictures
            if seen or now_ns > self._stood_ns + LONGEST_NS:
                self._standing = False
                self._walked_ns = now_ns
        elif now_ns > self._walked_ns + walk_ns or knowledge.task is not self._task:
            self._standing = True
            self._task, self._pictures = knowledge.task, knowledge.pictures
            self._stood_ns = now_ns
        return self._standing

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self.kept(knowledge.parts, make=lambda: self._stand(knowledge.parts))

    def _stand(self, parts: Sequence[KnownModule]) -> Proposals:
        return (self.proposal(ACTION, straight(parts), reason="a picture from a standstill"),)


def straight(parts: Sequence[KnownModule]) -> Movement:
    """Joints that are stopped stay bent as in mid-wave; so each is told to be straight."""
    orders = [Order(LLC2.STP)]
    for part in parts:
        if part.alive and part.can("RotX") and part.can("RotY"):
            orders += [Order(servo, (0,), part.address) for servo in (LLC1.MS1, LLC1.MS2)]
    return Movement("stand and look", tuple(orders), still=True)


def _sees(knowledge: Knowledge) -> bool:
    return any(part.id == CAMERA for part in knowledge.alive)
