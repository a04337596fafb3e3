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

from annelid.behaviour import Behaviour, Proposal
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import DESTINATION, PATH
from annelid.systems.microtub.central.task import Want
from annelid.systems.microtub.central.view import View

AHEAD_M: Final = 0.4


class StripeFollowing(Behaviour[Knowledge]):
    name = "stripe following"
    level = PATH

    def __init__(self) -> None:
        self._seen: View | None = None
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        task, view = knowledge.task, knowledge.view
        exploring = task.going_on and task.want is Want.EXPLORE and knowledge.in_pipe is False
        return exploring and view is not None and view.stripe is not None

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        view = knowledge.view
        if view is not self._seen and view is not None and view.stripe is not None:
            self._seen = view
            value = AHEAD_M * np.array([cos(view.stripe), sin(view.stripe)])
            self._last = (self.proposal(DESTINATION, value, reason="along the stripe"),)
        return self._last
