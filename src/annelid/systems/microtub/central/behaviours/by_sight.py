"""What the camera helps with in the open (000 §6.1.4, §6.1.6).

``EdgeFollowing`` walks along a wall, not too close to it.  *Activation*: exploring outside pipes,
and the last picture shows a wall beside the robot.  *Stimuli*: how near the walls are, by how
bright they are in the lamp's light (the paper's infrared sensors tell the modules, not the bus).
*Proposals*: a destination ahead and away from the nearer wall, the more the nearer it is; it is
summed with the other paths.

``StripeFollowing`` follows a line painted on the floor.  *Activation*: exploring outside pipes, and
the last picture shows a stripe, or one did some time ago.  *Stimuli*: its bearing.  *Proposals*: a
destination ahead in that direction, which is summed with what else is known of the path; one that
is out of sight is looked for, where it was last seen first.

``ReachLandmark`` walks to a thing that stands out until it is near.  *Activation*: outside pipes,
the operator has asked for one (RPL landmark, an extension), or the robot explores and the last
picture shows one that has not been reached yet.  *Stimuli*: its bearing and how bright it is.
*Proposals*: a destination towards it; asked for and not in sight, one to the side, to look round.
Reached, some 5 cm before the nose or felt by it, the operator is told.

``StandToLook`` stops for pictures, because the head nods.  *Activation*: outside pipes, on a task
that the camera helps with, and the last look is some seconds ago.  *Stimuli*: the task, when the
last picture was taken, who has a camera.  *Proposals*: to stand still with straight joints, above
all walking and below balance, until a picture has come.  One that does not come is not waited for
for long.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import atan2, cos, radians, sin
from typing import Final

import numpy as np

from annelid.behaviour import Proposal, Proposals
from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    ACTION,
    DESTINATION,
    GOAL,
    LOOKING,
    PATH,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Movement, Order, straightened
from annelid.systems.microtub.central.task import Task
from annelid.systems.microtub.central.view import OpenView
from annelid.systems.microtub.protocol import LLC2, Destination

EDGE_AHEAD_M, EDGE_AWAY_M = 0.3, 0.4


class EdgeFollowing(CentralBehaviour):
    name = "edge following"
    level = PATH

    def condition(self, knowledge: Knowledge, /) -> bool:
        in_the_open = knowledge.in_pipe is False
        return in_the_open and knowledge.task.exploring and knowledge.wall_beside

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        return () if view is None else self.kept(view, make=lambda: self._away(view))

    def _away(self, view: OpenView) -> Proposals:
        aside = EDGE_AWAY_M * (view.wall_right - view.wall_left)
        side = "left" if view.wall_left > view.wall_right else "right"
        words = f"a wall to the {side}: away from it"
        return (self.proposal(DESTINATION, np.array([EDGE_AHEAD_M, aside]), reason=words),)


STRIPE_AHEAD_M: Final = 0.4
ON_NS, SIDE_NS, OTHER_NS = seconds(3.2), seconds(15), seconds(45)
"""Since when a stripe is out of sight.  Until the first it is taken to go on, or to end, beyond
what the camera showed (15 cm); until the second it is looked for where it was last seen; until the
third on the other side."""


class StripeFollowing(CentralBehaviour):
    name = "stripe following"
    level = PATH

    def __init__(self) -> None:
        self._side = 1
        """Where the stripe was last seen, 1 left, -1 right."""
        self._seen_ns: int | None = None
        lost = "the stripe is out of sight: "
        ways = {0: (1, 0, "ahead"), 1: (0, 1, "to the left"), -1: (0, -1, "to the right")}
        self._lost = {
            side: (
                self.proposal(DESTINATION, STRIPE_AHEAD_M * np.array([x, y]), reason=lost + why),
            )
            for side, (x, y, why) in ways.items()
        }

    def condition(self, knowledge: Knowledge, /) -> bool:
        view, now_ns = knowledge.view, knowledge.now_ns
        if knowledge.in_pipe is not False or not knowledge.task.exploring:
            self._seen_ns = None
            return False
        if view is not None and view.stripe is not None:
            self._side = 1 if view.stripe >= 0 else -1
            self._seen_ns = now_ns
        return self._seen_ns is not None and now_ns - self._seen_ns < OTHER_NS

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is not None and (stripe := view.stripe) is not None:
            return self.kept(view, make=lambda: self._along(stripe))
        lost_ns = knowledge.now_ns - (self._seen_ns or 0)
        if lost_ns < ON_NS:
            return self._lost[0]
        return self._lost[self._side if lost_ns < SIDE_NS else -self._side]

    def _along(self, stripe: float) -> Proposals:
        value = STRIPE_AHEAD_M * np.array([cos(stripe), sin(stripe)])
        return (self.proposal(DESTINATION, value, reason="along the stripe"),)


FAR_M: Final = 0.5
LOOK_ROUND: Final = "no landmark in sight: look round"
SEARCH_NS: Final = seconds(90)
"""So long it looks round; a turn on the spot takes a minute."""


class ReachLandmark(CentralBehaviour):
    name = "reach a landmark"
    level = GOAL

    def __init__(self) -> None:
        self._round = {
            side: (self.proposal(DESTINATION, np.array([0.0, side * FAR_M]), reason=LOOK_ROUND),)
            for side in (1, -1)
        }
        self._side = 1
        """Where one was last in sight, 1 left, -1 right: there it is looked for."""
        self._done: Task | None = None
        """The task in which a landmark was reached already."""
        self._sighted_ns: tuple[Task, int] | None = None
        """For which task, and when one was last in sight or the search began."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        task, view = knowledge.task, knowledge.view
        if not task.going_on or knowledge.in_pipe is not False or task is self._done:
            return False
        in_sight = view is not None and view.landmark is not None
        if view is not None and in_sight and (view.landmark_reached or self._touches(knowledge)):
            self._done = task
            if task.place is Destination.LANDMARK:
                task.end(telling.landmark(), success=True)
            else:
                task.tell(telling.landmark())
            return False
        if task.place is Destination.LANDMARK:
            self._watch(knowledge, in_sight=in_sight)
            return task.going_on
        return in_sight and task.exploring

    def _touches(self, knowledge: Knowledge) -> bool:
        """Whether what the nose feels is the landmark: near, ahead, and asked for."""
        felt = knowledge.felt
        asked = knowledge.task.place is Destination.LANDMARK
        if felt is None or felt.opens or not (asked and knowledge.landmark_ahead):
            return False
        knowledge.felt = None
        return True

    def _watch(self, knowledge: Knowledge, *, in_sight: bool) -> None:
        task = knowledge.task
        if in_sight or self._sighted_ns is None or self._sighted_ns[0] is not task:
            self._sighted_ns = (task, knowledge.now_ns)
        elif knowledge.now_ns - self._sighted_ns[1] > SEARCH_NS:
            nothing = telling.of_itself("no landmark", "no landmark in sight")
            task.end(nothing, success=False)

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is None or (bearing := view.landmark) is None:
            return self._round[self._side]
        self._side = 1 if bearing >= 0 else -1
        return self.kept(view, make=lambda: self._towards(bearing))

    def _towards(self, bearing: float) -> Proposals:
        value = FAR_M * np.array([cos(bearing), sin(bearing)])
        return (self.proposal(DESTINATION, value, reason="a landmark in sight"),)


STRAIGHT_NS, STRIPE_NS, CURVE_NS, NEAR_NS = seconds(3), seconds(1.5), seconds(1.2), seconds(0.8)
"""Between two looks: 15 cm of way, half of that on a stripe, 15° of a turn, or 3 cm before a
landmark that is near."""
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
        if knowledge.in_pipe is not False or not knowledge.task.looks or not knowledge.cameras:
            self._standing = False
            return False
        now_ns = knowledge.now_ns
        aside = abs(atan2(knowledge.destination[1], knowledge.destination[0]))
        walk_ns = CURVE_NS if aside > CURVE else _between_looks(knowledge.view)
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


def _between_looks(view: OpenView | None) -> int:
    """On the way straight on."""
    if view is not None and view.landmark_near:
        return NEAR_NS
    return STRIPE_NS if view is not None and view.stripe is not None else STRAIGHT_NS


def straight(parts: Sequence[KnownModule]) -> Movement:
    return Movement("stand and look", (Order(LLC2.STP), *straightened(parts)), still=True)
