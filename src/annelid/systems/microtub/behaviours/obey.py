"""Direct commands of the central control (LLC1, 000 §4.2): they override walking, not survival.

*Activation*: there are orders.  *Stimuli*: the orders.  *Proposals*: each on its servo.  *Rate*:
every tick.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Self

from annelid.behaviour import Proposal
from annelid.systems.microtub.behaviours.embedded import EmbeddedBehaviour, EmbeddedContext
from annelid.systems.microtub.behaviours.levels import COMMAND
from annelid.systems.microtub.behaviours.stimuli import Stimuli


class ObeyCommand(EmbeddedBehaviour):
    name = "obey command"
    level = COMMAND

    @classmethod
    def make(cls, module: EmbeddedContext, /) -> Self | None:
        return cls() if module.servos else None

    def __init__(self) -> None:
        self._said: dict[str, Proposal] = {}

    def condition(self, stimuli: Stimuli, /) -> bool:
        return bool(stimuli.orders)

    def propose(self, stimuli: Stimuli, /) -> Iterable[Proposal]:
        said, orders = self._said, stimuli.orders
        if len(said) != len(orders) or any(
            name not in said or said[name].value != order for name, order in orders.items()
        ):
            self._said = said = {
                name: self.proposal(name, order, reason="ordered by the central control")
                for name, order in orders.items()
            }
        return said.values()
