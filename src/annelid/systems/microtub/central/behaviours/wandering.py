"""Wandering (000 §6.1.5): go on and look around, when nothing more specific is to be done.

*Activation*: the operator has said explore, and not everything has been seen.  *Stimuli*: the
task.  *Proposals*: a destination straight ahead, far away.  The lowest level: whoever knows better
takes over.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from annelid.behaviour import Proposal
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    DESTINATION,
    WANDERING,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Want

AHEAD_M = 1.0


class Wandering(CentralBehaviour):
    name = "wandering"
    level = WANDERING

    def __init__(self) -> None:
        self._ahead = (self.proposal(DESTINATION, np.array([AHEAD_M, 0.0]), reason="exploring"),)

    def condition(self, knowledge: Knowledge, /) -> bool:
        task = knowledge.task
        return task.going_on and task.want is Want.EXPLORE and not task.homewards

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._ahead
