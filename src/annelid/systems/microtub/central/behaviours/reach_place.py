"""Reach a place (000 §6.1.6, Table 8): home, the end of the pipe, a bifurcation, a touch, a point.

*Activation*: the operator has said so (RPL).  *Stimuli*: the way covered, what the head sees and
feels, the estimated pose.  *Proposals*: a destination towards the place, as far as it still is;
there, the task is ended.  In a pipe there are only two ways, ahead and back.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, hypot, sin

import numpy as np

from annelid.behaviour import Behaviour, Proposal
from annelid.systems.microtub.central.behaviours.pipe_following import HOME_M, PipeFollowing
from annelid.systems.microtub.central.knowledge import Knowledge, Vector
from annelid.systems.microtub.central.levels import DESTINATION, GOAL
from annelid.systems.microtub.central.task import Want
from annelid.systems.microtub.protocol import Place

AHEAD_M = 0.5
NEAR_M = 0.010
"""A point counts as reached within this."""


class ReachPlace(Behaviour[Knowledge]):
    name = "reach a place"
    level = GOAL

    def condition(self, knowledge: Knowledge, /) -> bool:
        task = knowledge.task
        return task.going_on and task.want is Want.REACH

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        toward = self._toward(knowledge)
        if isinstance(toward, str):
            task.end(toward, success=True)
            return ()
        return (self.proposal(DESTINATION, toward, reason=str(task)),)

    def _toward(self, knowledge: Knowledge) -> Vector | str:
        """Where to, or how it was reached."""
        place, way = knowledge.task.place, knowledge.way
        ahead: Vector = np.array([AHEAD_M, 0.0])
        covered = f"{1000 * way:.0f} mm from home"
        if place is Place.HOME:
            return self._home(knowledge)
        if place is Place.COORDINATES and knowledge.task.point is not None:
            return self._point(knowledge, knowledge.task.point)
        if place is Place.TOUCH and knowledge.felt is not None:
            knowledge.felt = None
            return f"touched something {covered}"
        if place is Place.BIFURCATION and knowledge.at_bifurcation:
            return f"a bifurcation {covered}"
        reason = PipeFollowing.end_of_pipe(knowledge) if knowledge.in_pipe else None
        if reason is not None and place is Place.END:
            return f"{reason}, {covered}"
        if reason is not None:
            knowledge.task.end(f"{reason}, {covered}", success=False)
        return ahead

    @staticmethod
    def _home(knowledge: Knowledge) -> Vector | str:
        if knowledge.in_pipe:
            if knowledge.way <= HOME_M:
                return "home"
            return np.array([-max(knowledge.way, HOME_M), 0.0])
        return ReachPlace._point(knowledge, (0.0, 0.0, 0.0))

    @staticmethod
    def _point(knowledge: Knowledge, point: tuple[float, float, float]) -> Vector | str:
        """In a pipe only the distance along it counts; the desk refuses points off its line."""
        if knowledge.in_pipe:
            left = (knowledge.task.along or 0.0) - knowledge.way
            return (
                f"within {1000 * abs(left):.0f} mm" if abs(left) < NEAR_M else np.array([left, 0])
            )
        x, y, yaw = knowledge.pose
        dx, dy = point[0] - x, point[1] - y
        if hypot(dx, dy) < NEAR_M:
            return f"within {1000 * hypot(dx, dy):.0f} mm, by dead reckoning"
        return np.array([dx * cos(yaw) + dy * sin(yaw), dy * cos(yaw) - dx * sin(yaw)])
