"""Edge following (000 §6.1.4): walks along a wall, not too close to it.

*Activation*: exploring outside pipes, and the last picture shows a wall beside the robot.
*Stimuli*: how near the walls are, by how bright they are in the lamp's light (the paper's infrared
sensors tell the modules, not the bus).  *Proposals*: a destination ahead and away from the nearer
wall, the more the nearer it is; it is summed with the other paths.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from annelid.behaviour import Proposal, Proposals
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    DESTINATION,
    PATH,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Want
from annelid.systems.microtub.central.view import OpenView

AHEAD_M, AWAY_M = 0.3, 0.4


class EdgeFollowing(CentralBehaviour):
    name = "edge following"
    level = PATH

    def condition(self, knowledge: Knowledge, /) -> bool:
        task = knowledge.task
        exploring = task.going_on and task.want is Want.EXPLORE and knowledge.in_pipe is False
        return exploring and knowledge.wall_beside

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        return () if view is None else self.kept(view, make=lambda: self._away(view))

    def _away(self, view: OpenView) -> Proposals:
        aside = AWAY_M * (view.wall_right - view.wall_left)
        side = "left" if view.wall_left > view.wall_right else "right"
        words = f"a wall to the {side}: away from it"
        return (self.proposal(DESTINATION, np.array([AHEAD_M, aside]), reason=words),)
