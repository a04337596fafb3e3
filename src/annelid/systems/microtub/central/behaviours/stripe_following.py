"""Stripe following (000 §6.1.4): along a line painted on the floor.

*Activation*: exploring outside pipes, and the last picture shows a stripe.  *Stimuli*: its bearing.
*Proposals*: a destination ahead in that direction, which is summed with what else is known of the
path.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import cos, sin
from typing import Final

import numpy as np

from annelid.behaviour import Proposal, Proposals
from annelid.systems.microtub.central.behaviours.central_behaviour import (
    DESTINATION,
    PATH,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.task import Want

AHEAD_M: Final = 0.4


class StripeFollowing(CentralBehaviour):
    name = "stripe following"
    level = PATH

    def condition(self, knowledge: Knowledge, /) -> bool:
        task, view = knowledge.task, knowledge.view
        exploring = task.going_on and task.want is Want.EXPLORE and knowledge.in_pipe is False
        return exploring and view is not None and view.stripe is not None

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is None or (stripe := view.stripe) is None:
            return ()
        return self.kept(view, make=lambda: self._along(stripe))

    def _along(self, stripe: float) -> Proposals:
        value = AHEAD_M * np.array([cos(stripe), sin(stripe)])
        return (self.proposal(DESTINATION, value, reason="along the stripe"),)
