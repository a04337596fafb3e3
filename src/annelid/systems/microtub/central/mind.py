"""Fig 17 of 000: the behaviours of the whole robot and how they are fused.

::

    destination   Suppress(obstacle negotiation, Sum(goals), Sum(paths), wandering)
    action        Suppress(balance, stand to look, Select(straight, turn, laterally, rotate))

Two stacks, one below the other: what the upper one decides on is a stimulus of the lower one.  A
behaviour that is added to the layer is heard by its level, with no edit elsewhere.  Winners that
keep taking a channel from each other are found by the stacks themselves and told in the trace
(``flip-flop``), and to the operator.

**Action selection** (000 §6.2.1).  How well a walking behaviour suits a destination is a table: by
the angle to it, by how far it is, and by whether the robot is in a pipe, where only along the pipe
and round a bend make sense.  The grade that the rules give its movement (1 to 3) scales it, so that
what the robot does well wins over what it hardly can; a movement that suits badly still wins where
there is no other.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import atan2, degrees
from typing import Any, Final, NamedTuple

import numpy as np

from annelid.behaviour import (
    BehaviourLayer,
    BehaviourStack,
    FlipFlop,
    Fusion,
    Level,
    Log,
    Option,
    Select,
    Sum,
    Suppress,
)
from annelid.behaviour.chronicle import FLIP_FLOP
from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.abilities import Abilities
from annelid.systems.microtub.central.behaviours import CENTRAL_LAYER, CentralContext
from annelid.systems.microtub.central.behaviours.base import (
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
from annelid.systems.microtub.central.behaviours.breaks import FindBreak
from annelid.systems.microtub.central.behaviours.by_sight import StandToLook
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement

NEAR_M: Final = 0.15
"""Within this a destination is near: half a body."""


class Suits(NamedTuple):
    """One row: angles to the destination (0 ahead, 180 behind), and points near and far."""

    behaviour: str
    low_deg: float
    high_deg: float
    near: float
    far: float
    in_pipe: bool
    """Whether the row holds in pipes, too."""


# fmt: off
TABLE: Final = (
    Suits("move straight",   0.0,  24.9, 1.0, 1.0, True),
    Suits("move straight", 155.0, 180.0, 1.0, 1.0, True),
    Suits("turn",           25.0, 110.0, 0.5, 0.9, True),
    Suits("turn",          110.0, 180.0, 0.2, 0.5, False),
    Suits("move laterally", 60.0, 120.0, 0.9, 0.4, False),
    Suits("use the tool",    0.0, 180.0, 1.0, 1.0, True),
    Suits("rotate",         60.0, 180.0, 0.3, 0.3, False),
)
# fmt: on
BEGUN_DEG, AIMED_DEG = 25.0, 6.0
"""A destination farther aside is turned to; a turn that has begun goes on until it is ahead, for a
chain that bends and straightens all the time turns by itself."""
LAST_RESORT: Final = 0.02
"""For a movement that suits no row: better than to stand, in open air."""


def points(behaviour: str, knowledge: Knowledge) -> float:
    """How well a behaviour suits the destination, 0 to 1, whatever the robot can do.

    In a pipe a bend may lead upwards, which no direction on the floor can say: there, turning is
    what suits while the robot negotiates one, and nothing else.
    """
    ahead, left = knowledge.destination
    angle = abs(degrees(atan2(left, ahead)))
    in_pipe = knowledge.in_pipe is True
    if in_pipe and (behaviour == "turn" or knowledge.turning):
        return float(behaviour == "turn" and knowledge.turning)
    if not in_pipe and knowledge.gait == "TUR" and AIMED_DEG < angle < BEGUN_DEG:
        angle = BEGUN_DEG
    near = knowledge.far < NEAR_M
    found = [
        row.near if near else row.far
        for row in TABLE
        if row.behaviour == behaviour
        and row.low_deg <= angle <= row.high_deg
        and (row.in_pipe or not in_pipe)
    ]
    return max(found, default=0.0 if in_pipe else LAST_RESORT)


def score(option: Option, knowledge: Knowledge) -> float | None:
    """For :class:`annelid.behaviour.Select`; None: unsuitable."""
    found = points(option.winners[0], knowledge) * option.strength
    return found or None


UPPER = Fusion(
    {DESTINATION: Suppress(Level(OBSTACLE), Sum(Level(GOAL)), Sum(Level(PATH)), Level(WANDERING))}
)
LOWER = Fusion(
    {ACTION: Suppress(Level(POSTURE), Level(LOOKING), Select(Level(WALKING), score=score))}
)
UNDOING = FlipFlop(undone=4, window_ns=seconds(8))
"""The modules need a second for a movement, so the watch is longer than the stacks' own."""
NOWHERE = np.zeros(2)
PAUSES = frozenset({"nobody", StandToLook.name, FindBreak.name})
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
        self._watch(action, looks=wanted is not None and not wanted.any())
        return action

    def _watch(self, action: Movement | None, *, looks: bool) -> None:
        """A task for which nobody does anything ends, with the reason: a safe stop.  ``looks``:
        somebody wants the robot to stand; with a tool it looks then, and does not wait for
        long."""
        knowledge = self._knowledge
        stands = knowledge.resting or (knowledge.task.with_tool and looks)
        if action is not None or stands or not knowledge.task.going_on:
            self._idle_since_ns = knowledge.now_ns
        elif knowledge.now_ns - self._idle_since_ns > PATIENCE_NS:
            lost = not knowledge.destination.any()
            why = "no behaviour knows where to go" if lost else "this robot has no way to go there"
            knowledge.task.end(telling.of_itself("no way", why), success=False)

    def _record(self, kind: str, detail: Mapping[str, Any]) -> None:
        self._log(kind, detail)
        if kind == FLIP_FLOP and PAUSES.isdisjoint(detail["between"]):
            between = " and ".join(detail["between"])
            words = f"{between} keep undoing each other"
            self._knowledge.task.tell(telling.of_itself("undoing", words))
