"""Fig 17 of 000: the behaviours of the whole robot and how they are fused.

::

    destination   Suppress(obstacle negotiation, Sum(goals), Sum(paths), wandering)
    action        Suppress(balance, stand to look, Select(straight, turn, laterally, rotate))

Two stacks, one below the other: what the upper one decides on is a stimulus of the lower one.  A
behaviour that is added to the layer is heard by its level, with no edit elsewhere.  Winners that
keep taking a channel from each other are found by the stacks themselves and told in the trace
(``flip-flop``), and to the operator.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from annelid.behaviour import (
    BehaviourLayer,
    BehaviourStack,
    FlipFlop,
    Fusion,
    Level,
    Log,
    Select,
    Sum,
    Suppress,
)
from annelid.behaviour.events import FLIP_FLOP
from annelid.kernel import seconds
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.action_selection import score
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER, CentralContext
from annelid.systems.microtub.central.behaviours.stand_to_look import StandToLook
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.levels import (
    ACTION,
    DESTINATION,
    GOAL,
    LOOKING,
    OBSTACLE,
    PATH,
    POSTURE,
    WALKING,
    WANDERING,
)
from annelid.systems.microtub.central.movements import Movement

UPPER = Fusion(
    {DESTINATION: Suppress(Level(OBSTACLE), Sum(Level(GOAL)), Sum(Level(PATH)), Level(WANDERING))}
)
LOWER = Fusion(
    {ACTION: Suppress(Level(POSTURE), Level(LOOKING), Select(Level(WALKING), score=score))}
)
UNDOING = FlipFlop(undone=4, window_ns=seconds(8))
"""The modules need a second for a movement, so the watch is longer than the stacks' own."""
NOWHERE = np.zeros(2)
PAUSES = frozenset({"nobody", StandToLook.name})
"""In the trace nobody is a channel for which no behaviour speaks, as between two tasks; who takes
turns with these fights nobody."""
PATIENCE_NS = seconds(3)
"""How long a task may stand still."""


class CentralMind:
    """Decides on one movement of the whole robot at a time."""

    def __init__(
        self,
        knowledge: Knowledge,
        abilities: Abilities,
        bifurcations: Bifurcations,
        log: Log,
        *,
        behaviours: BehaviourLayer = CENTRAL_LAYER,
    ) -> None:
        self._knowledge = knowledge
        self._log = log
        self._idle_since_ns = 0
        members = behaviours.made(CentralContext(abilities, bifurcations))
        upper = [each for each in members if each.level >= WANDERING]
        lower = [each for each in members if each.level < WANDERING]
        self.guidance = BehaviourStack(upper, UPPER, record=self._record, flip_flop=UNDOING)
        self.walking = BehaviourStack(lower, LOWER, record=self._record, flip_flop=UNDOING)

    def decide(self) -> Movement | None:
        """What to do now; None: stand."""
        knowledge = self._knowledge
        now_ns = knowledge.now_ns
        wanted = self.guidance.step(now_ns, knowledge)[DESTINATION]
        knowledge.destination = NOWHERE if wanted is None else wanted
        action: Movement | None = self.walking.step(now_ns, knowledge)[ACTION]
        self._watch(action)
        return action

    def _watch(self, action: Movement | None) -> None:
        """A task for which nobody does anything ends, with the reason: a safe stop."""
        knowledge = self._knowledge
        if action is not None or not knowledge.task.going_on:
            self._idle_since_ns = knowledge.now_ns
        elif knowledge.now_ns - self._idle_since_ns > PATIENCE_NS:
            where = knowledge.mode.meaning
            why = (
                f"no behaviour knows where to go {where}"
                if not knowledge.destination.any()
                else f"this robot has no way to go there {where}"
            )
            knowledge.task.end(why, success=False)

    def _record(self, kind: str, detail: Mapping[str, Any]) -> None:
        self._log(kind, detail)
        if kind == FLIP_FLOP and PAUSES.isdisjoint(detail["between"]):
            between = " and ".join(detail["between"])
            self._knowledge.task.news.append(f"{between} keep undoing each other")
