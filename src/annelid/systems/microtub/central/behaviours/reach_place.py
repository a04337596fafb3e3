"""Reach a place (000 §6.1.6, Table 8): which way it lies, and whether it is reached.

*Activation*: the operator has said so (RPL).  *Stimuli*: the way covered, the height, what the head
sees and feels, the estimated pose.  *Proposals*: a destination towards the place, as far as it
still is; there, the task is ended.  In a pipe there are only two ways, ahead and back.  Landmarks
have a behaviour of their own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from math import hypot, radians, sin
from types import MappingProxyType
from typing import Final

import numpy as np

from annelid.behaviour import Proposal
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    DESTINATION,
    GOAL,
    CentralBehaviour,
)
from annelid.systems.microtub.central.behaviours.exploring import HOME_M, PipeFollowing
from annelid.systems.microtub.central.behaviours.going_round import towards
from annelid.systems.microtub.central.knowledge import Knowledge, Vector
from annelid.systems.microtub.central.reaching import UNMEASURED, lacks_the_way
from annelid.systems.microtub.central.task import Want
from annelid.systems.microtub.protocol import Destination, TouchSide
from annelid.systems.statement import Statement

AHEAD_M: Final = 0.5
NEAR_M: Final = 0.010
"""A point in a pipe counts as reached within this."""
OPEN_NEAR_M: Final = 0.03
"""The same in the open, where a chain turns in an arc of 80 mm."""
SLOPE: Final = sin(radians(8))
"""A pipe that rises less is level: servos and rocking tilt a module by some degrees."""
IN_VAIN_M: Final = 2.0
"""So far ahead a pipe is looked for, or something to touch."""
AGAIN: Final = 0.5
"""What holds a joint for the second time within this part of the chain's length of where it did for
the first time is no chance."""

Reached = tuple[Statement, ...]
Toward = Vector | Reached
"""Where to, or how it was reached."""


class ReachPlace(CentralBehaviour):
    name = "reach a place"
    level = GOAL

    def condition(self, knowledge: Knowledge, /) -> bool:
        task = knowledge.task
        return task.going_on and task.want is Want.REACH and task.place is not Destination.LANDMARK

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        if lacks_the_way(task.place, knowledge):
            task.end(telling.of_itself("unmeasured", UNMEASURED), success=False)
            return ()
        toward = TOWARD[Destination.HOME if task.place is None else task.place](knowledge)
        if isinstance(toward, tuple):
            task.end(*toward, success=True)
            return ()
        task.back = bool(toward[0] < 0)
        return (self.proposal(DESTINATION, toward, reason=str(task)),)


def _ahead() -> Vector:
    return np.array([AHEAD_M, 0.0])


def _on(knowledge: Knowledge) -> Vector:
    """Ahead, as long as there is a way; where the pipe ends, so does the task."""
    reason = PipeFollowing.end_of_pipe(knowledge) if knowledge.in_pipe else None
    if reason is not None:
        knowledge.task.end(reason, telling.way(knowledge), success=False)
    return _ahead()


def _home(knowledge: Knowledge) -> Toward:
    if knowledge.in_pipe:
        if knowledge.way <= HOME_M + knowledge.short:
            return (telling.home(knowledge),)
        return np.array([-max(knowledge.way, HOME_M), 0.0])
    return _towards_point(knowledge, 0.0, 0.0)


def _end(knowledge: Knowledge) -> Toward:
    reason = PipeFollowing.end_of_pipe(knowledge) if knowledge.in_pipe else None
    return _ahead() if reason is None else (reason, telling.way(knowledge))


def _bifurcation(knowledge: Knowledge) -> Toward:
    if knowledge.at_bifurcation:
        return (telling.way(knowledge, words="a bifurcation {} mm from home"),)
    return _on(knowledge)


def _touch(knowledge: Knowledge) -> Toward:
    felt, task, ahead = knowledge.felt, knowledge.task, knowledge.place.ahead
    if felt is not None and not felt.opens:
        knowledge.felt = None
        if not felt.held or _held_again(knowledge):
            return (telling.touched(knowledge, felt),)
    if task.back_to is not None:
        if ahead > task.back_to:
            return -_ahead()
        task.back_to = None
    if task.held_at is not None and ahead > task.held_at + knowledge.length:
        task.held_at = None
    if not knowledge.in_pipe and ahead - task.begun > IN_VAIN_M:
        task.end(telling.no_touch(IN_VAIN_M), success=False)
    return _on(knowledge)


def _held_again(knowledge: Knowledge) -> bool:
    """Whether a joint was held there before; if not, the robot goes back by its own length, where
    its wave learns anew what is usual, and comes again."""
    task, ahead = knowledge.task, knowledge.place.ahead
    if task.back_to is not None:
        return False
    before, task.held_at = task.held_at, ahead
    if before is not None and ahead > before - AGAIN * knowledge.length:
        return True
    task.back_to = ahead - knowledge.length
    return False


def _corner(knowledge: Knowledge) -> Toward:
    """In a pipe a touch that leaves a way on; in the open one with a wall beside.  A touch that
    leaves none is for those who find out what it is; so is every touch of a nose that waves."""
    felt = knowledge.felt
    if felt is None or felt.opens:
        return _on(knowledge)
    aside = felt.direction_deg is not None or felt.side not in (TouchSide.NOSE, TouchSide.CLOSED)
    if knowledge.in_pipe and (knowledge.waving or not aside):
        return _on(knowledge)
    knowledge.felt = None
    return (telling.way(knowledge, words="a corner {} mm from home"),)


def _pipe(knowledge: Knowledge) -> Toward:
    if knowledge.in_pipe and knowledge.situation is Situation.NARROW_PIPE:
        return (telling.inside(),)
    if knowledge.place.ahead - knowledge.task.begun > IN_VAIN_M:
        knowledge.task.end(telling.no_pipe(IN_VAIN_M), success=False)
    return _ahead()


def _point(knowledge: Knowledge) -> Toward:
    """In a pipe only the distance along it counts; the desk refuses points off its line."""
    task = knowledge.task
    if knowledge.in_pipe:
        left = (task.along or 0.0) - knowledge.way
        if abs(left) < NEAR_M:
            return (telling.at_place(knowledge, abs(left)),)
        if left > 0:
            _on(knowledge)
        return np.array([left, 0.0])
    x, y, _ = task.point or (0.0, 0.0, 0.0)
    return _towards_point(knowledge, x, y)


def _towards_point(knowledge: Knowledge, to_x: float, to_y: float) -> Toward:
    left = towards(knowledge, to_x, to_y)
    if hypot(*left) < OPEN_NEAR_M:
        return (telling.at_place(knowledge, hypot(*left)),)
    return left


def _height(knowledge: Knowledge) -> Toward:
    """On a slope the way that leads there; on the level ahead, for the next bend may lead there."""
    task = knowledge.task
    sense = 1 if task.place is Destination.UP else -1
    left = sense * ((task.height or 0.0) - (knowledge.height or 0.0))
    if left <= 0:
        return (telling.way(knowledge), telling.height(knowledge))
    rises = sense * sin(knowledge.pitch or 0.0)
    if rises >= -SLOPE:
        return _on(knowledge)
    if knowledge.way <= HOME_M:
        words = "the pipe leads there neither ahead nor back"
        task.end(telling.of_itself("no way", words), success=False)
    return np.array([-AHEAD_M, 0.0])


TOWARD: Final[Mapping[Destination, Callable[[Knowledge], Toward]]] = MappingProxyType(
    {
        Destination.COORDINATES: _point,
        Destination.END: _end,
        Destination.BIFURCATION: _bifurcation,
        Destination.TOUCH: _touch,
        Destination.HOME: _home,
        Destination.FORWARD: _point,
        Destination.BACK: _point,
        Destination.UP: _height,
        Destination.DOWN: _height,
        Destination.CORNER: _corner,
        Destination.PIPE: _pipe,
    }
)
