"""Breaks of the pipe wall (000 §6.1.6): finds them, and brings a tool to them.

``FindBreak`` looks at the wall while wandering, and looks twice.  *Activation*: a picture shows a
break that the map does not have yet.  *Stimuli*: what the camera shows, the map.  *Proposals*: to
stay here, above wandering and following, until a second picture, taken at rest, has shown it again;
then it goes on the map and the operator is told.  A spot that the second picture does not show was
none.

``Repair`` brings the tool to the place and works there (DO: repair, or make a hole).  *Activation*:
the operator has said so, and a module has the tool; without one the desk refuses.  *Stimuli*:
breaks on the map, the way, where in the chain the tool is.  *Proposals*: a destination such that
the tool is at the nearest break; there, to stay.  :class:`UseTool` then works it: jaws open and
close, the spindle turns.

The paper calls this "an example of what will be possible when repairing tools are developed": the
wall of a simulated pipe does not mend, and the answer says what was done, not that it helped.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

import numpy as np

from annelid.behaviour import Proposal
from annelid.kernel import seconds
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.behaviours.base import (
    ACTION,
    DESTINATION,
    GOAL,
    WALKING,
    CentralBehaviour,
)
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement, Order
from annelid.systems.microtub.central.task import Want
from annelid.systems.microtub.protocol import LLC1, LLC2

SAME_M: Final = 0.04
"""Two sightings along the pipe that are one break."""
PICTURES: Final = 2
"""After so many more pictures at rest the matter is settled."""


class FindBreak(CentralBehaviour):
    name = "find a pipe break"
    level = GOAL

    def __init__(self) -> None:
        self._stay = (
            self.proposal(DESTINATION, np.zeros(2), reason="something in the wall: look again"),
        )
        self._since: int | None = None
        """Number of pictures when it began to look closer."""
        self._at = 0.0

    def condition(self, knowledge: Knowledge, /) -> bool:
        seen = knowledge.broken
        if self._since is not None:
            self._judge(knowledge)
            return self._since is not None
        if not knowledge.task.going_on or seen is None or knowledge.heading < 0:
            return False
        at = knowledge.broken_way + seen.ahead
        if any(abs(known - at) < SAME_M for known in knowledge.breaks):
            return False
        self._since = knowledge.pictures
        self._at = at
        return True

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        return self._stay

    def reset(self) -> None:
        self._since = None

    def _judge(self, knowledge: Knowledge) -> None:
        since = self._since
        if since is None or knowledge.pictures < since + PICTURES:
            return
        self._since = None
        seen = knowledge.broken
        if seen is None or abs(knowledge.broken_way + seen.ahead - self._at) > SAME_M:
            return
        ahead = knowledge.broken_way + seen.ahead - knowledge.way
        knowledge.pipes.break_seen(ahead, seen.direction)
        at = knowledge.broken_way + seen.ahead
        knowledge.breaks.append(at)
        knowledge.task.tell(telling.broken(knowledge, at, seen.direction))


NEAR_M: Final = 0.008
STROKE_NS: Final = seconds(1.0)
"""For each of the tool's movements."""
STROKES: Final = (
    ("open the jaws", LLC1.MS1, 40),
    ("close the jaws", LLC1.MS1, 0),
    ("drill", LLC1.MS2, 90),
    ("draw back", LLC1.MS2, 0),
)


class Repair(CentralBehaviour):
    name = "repair"
    level = GOAL

    def condition(self, knowledge: Knowledge, /) -> bool:
        task = knowledge.task
        return task.going_on and task.want is Want.REPAIR and not task.at_work

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        if not knowledge.breaks:
            task.end("no break is known; explore first", success=False)
            return ()
        behind = knowledge.behind("Grab")
        left = min((at + behind - knowledge.way for at in knowledge.breaks), key=abs)
        if abs(left) <= NEAR_M:
            task.at_work = True
            return ()
        return (self.proposal(DESTINATION, np.array([left, 0.0]), reason="to the break"),)


class UseTool(CentralBehaviour):
    name = "use the tool"
    level = WALKING

    def __init__(self) -> None:
        self._stroke = 0
        self._until_ns = 0
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.task.going_on and knowledge.task.at_work

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        if knowledge.now_ns < self._until_ns:
            return self._last
        if self._stroke == len(STROKES):
            knowledge.task.end(
                f"the tool has worked on the wall {1000 * knowledge.way:.0f} mm from home;"
                " whether that mends it nobody can tell",
                success=True,
            )
            return ()
        name, command, angle = STROKES[self._stroke]
        tool = knowledge.able("Grab")[0].address
        self._stroke += 1
        self._until_ns = knowledge.now_ns + STROKE_NS
        move = Movement(name, (Order(LLC2.STP), Order(command, (angle,), tool)))
        self._last = (self.proposal(ACTION, move, reason="at the break"),)
        return self._last

    def reset(self) -> None:
        self._stroke, self._until_ns, self._last = 0, 0, ()
