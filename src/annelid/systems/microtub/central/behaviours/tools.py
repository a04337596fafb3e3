"""Works on the wall with a tool (DO; 000 §6.1.6): repairs a break, or makes a hole.

``BringTool`` brings the tool to the place, and the camera to where it shows what became of it.
*Activation*: the operator has said so, and a module has the tool; without one the desk refuses.
*Stimuli*: breaks on the map, pictures, the way, where in the chain the tool is.  *Proposals*: a
destination.  For a repair the camera first looks at the break from near, which tells its place
better; then the tool goes there, works, and the camera looks again; a break that is still there is
tried again a little beside.  A hole is made where the robot stands, upwards.

``UseTool`` works when the tool is there: it turns the turret, pushes the tool to the wall, and
draws it back.

The paper calls repair "an example of what will be possible".  The answer says what was done and
what the camera shows afterwards; a robot without a camera says that nobody has looked.
"""

from __future__ import annotations

from collections.abc import Iterable
from math import degrees, pi
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
from annelid.systems.microtub.central.task import SAME_M, KnownBreak, Stage, Task, Want
from annelid.systems.microtub.protocol import LLC1, LLC2, Command

NEAR_M: Final = 0.004
"""The tool counts as being at its place."""
SIGHTS_M: Final = (0.085, 0.06, 0.11)
"""So far before a break the camera sees it well; which of them is best depends on where in the wall
it is."""
SIGHT_OFF_M: Final = 0.012
PICTURES: Final = 2
"""The last of so many counts: the first may have been taken while the robot still moved."""
TRIES_M: Final = (0.0, 0.015, 0.03, -0.015, 0.045)
"""Where a repair is tried again, beside the place by the odometer, while the break is in sight:
travellers slip, and the tool is at the far end of a long way back."""
UP: Final = pi / 2
SKILL: Final = {Want.REPAIR: "Grab", Want.HOLE: "Drill"}


class BringTool(CentralBehaviour):
    name = "bring a tool"
    level = GOAL

    def __init__(self) -> None:
        self._since: int | None = None
        """Number of pictures when the camera came to where it sees the place."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.task.with_tool and knowledge.task.stage is not Stage.WORK

    def reset(self) -> None:
        self._since = None

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        if task.target is None and not self._choose(knowledge):
            bent = "the tool works in straight pipe only, and the break is in a bend"
            words = bent if knowledge.breaks else "no break is known; explore first"
            unknown = telling.of_itself("no break known", words)
            task.end(unknown, success=False)
            return ()
        target = task.target
        assert target is not None
        if task.stage is Stage.PLACE:
            off = TRIES_M[task.tries]
            left = target.at + off + knowledge.behind(SKILL[task.want]) - knowledge.way
            if abs(left) <= NEAR_M:
                task.stage = Stage.WORK
                return ()
            return (self.proposal(DESTINATION, np.array([left, 0.0]), reason="to the place"),)
        return self._looking(knowledge, task, target)

    def _choose(self, knowledge: Knowledge) -> bool:
        """Where to work; False: nobody knows."""
        task = knowledge.task
        if task.want is Want.HOLE:
            task.target = KnownBreak(knowledge.way - knowledge.behind("Drill"), UP)
            task.stage = Stage.PLACE
            return True
        straight = [each for each in knowledge.breaks if not each.bent]
        near = sorted(straight, key=lambda each: abs(each.at - knowledge.way))
        task.target = near[0] if near else None
        if not knowledge.cameras:
            task.stage = Stage.PLACE
        return bool(near)

    def _looking(self, knowledge: Knowledge, task: Task, target: KnownBreak) -> Iterable[Proposal]:
        left = max(target.at - SIGHTS_M[task.sight], 0.0) - knowledge.way
        if self._since is None and abs(left) > SIGHT_OFF_M:
            return (self.proposal(DESTINATION, np.array([left, 0.0]), reason="to see the place"),)
        if self._since is None:
            self._since = knowledge.pictures
        if knowledge.pictures >= self._since + PICTURES or not knowledge.cameras:
            self._since = None
            self._looked(knowledge, task, target)
        return (self.proposal(DESTINATION, np.zeros(2), reason="look at it"),)

    def _looked(self, knowledge: Knowledge, task: Task, target: KnownBreak) -> None:
        """What the picture means: it has been seen from near; it is still there; it is gone."""
        seen = knowledge.broken
        hole = False
        if seen is not None:
            found = KnownBreak(knowledge.broken_way + seen.ahead, seen.aim + knowledge.roll)
            hole = abs(found.at - target.at) <= SAME_M
            if hole and task.want is Want.REPAIR:
                task.target, task.in_sight = found, True
        if task.stage is Stage.LOOK:
            if hole or not _from_elsewhere(task):
                task.stage = Stage.PLACE
        elif not hole and _from_elsewhere(task):
            return  # what is not seen from one place may be seen from another
        elif task.want is Want.REPAIR and hole and task.tries + 1 < len(TRIES_M):
            task.tries += 1
            task.stage = Stage.PLACE
        else:
            _conclude(knowledge, task, hole=hole)


def _from_elsewhere(task: Task) -> bool:
    """Look from another place next; False: all have been tried."""
    task.sight = (task.sight + 1) % len(SIGHTS_M)
    return task.sight > 0


def _best_known(knowledge: Knowledge, target: KnownBreak) -> float:
    """How far from home it is, m.  A break that was found on the way out is where it was then: by
    now the way has been miscounted there and back, which matters to no tool, but to a number."""
    found = [each.at for each in knowledge.breaks if abs(each.at - target.at) <= SAME_M]
    return min(found, key=lambda at: abs(at - target.at), default=target.at)


def _conclude(knowledge: Knowledge, task: Task, *, hole: bool) -> None:
    target = task.target
    assert target is not None
    mends = task.want is Want.REPAIR
    at = _best_known(knowledge, target)
    if not hole and not task.in_sight:
        shown = telling.of_itself("unseen", "the camera does not show the place")
    else:
        shown = telling.seen_there(knowledge, at, hole=hole)
        if mends and not hole:
            knowledge.breaks = [b for b in knowledge.breaks if abs(b.at - target.at) > SAME_M]
        elif hole and not mends:
            knowledge.breaks.append(target)
    worked = telling.worked(knowledge, at)
    task.end(worked, shown, success=hole is not mends)


STROKE_NS: Final = seconds(1.5)
"""For each of the tool's movements."""
OUT: Final = {Want.REPAIR: -90, Want.HOLE: 90}
"""Of the bar: the stamp is at its one end, the drill at the other."""
POINTS: Final = {Want.REPAIR: -UP, Want.HOLE: UP}
"""Where it points while the turret is at 0, from the left towards up."""


class UseTool(CentralBehaviour):
    name = "use the tool"
    level = WALKING

    def __init__(self) -> None:
        self._stroke = 0
        self._until_ns = 0
        self._last: tuple[Proposal, ...] = ()

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.task.with_tool and knowledge.task.stage is Stage.WORK

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        if knowledge.now_ns < self._until_ns:
            return self._last
        task = knowledge.task
        tools = knowledge.able(SKILL[task.want])
        if not tools:
            broken = telling.of_itself("tool fails", "the tool does not work any more")
            task.end(broken, success=False)
            return ()
        strokes = _strokes(knowledge, task)
        if self._stroke == len(strokes):
            self._done(knowledge, task)
            return ()
        name, command, angle = strokes[self._stroke]
        self._stroke += 1
        self._until_ns = knowledge.now_ns + STROKE_NS
        move = Movement(name, (Order(LLC2.STP), Order(command, (angle,), tools[0].address)))
        self._last = (self.proposal(ACTION, move, reason="at the place"),)
        return self._last

    def _done(self, knowledge: Knowledge, task: Task) -> None:
        if knowledge.cameras:
            task.stage = Stage.CHECK
            return
        at = knowledge.way - knowledge.behind(SKILL[task.want])
        unseen = telling.of_itself("unseen", "nobody has seen whether that helped")
        task.end(telling.worked(knowledge, at), unseen, success=True)

    def reset(self) -> None:
        self._stroke, self._until_ns, self._last = 0, 0, ()


def _strokes(knowledge: Knowledge, task: Task) -> tuple[tuple[str, Command, int], ...]:
    assert task.target is not None
    turn = task.target.aim - knowledge.roll - POINTS[task.want]
    half = round(degrees((turn + pi) % (2 * pi) - pi) / 2)
    return (
        ("aim the tool", LLC1.MS1, half),
        ("push the tool out", LLC1.MS2, OUT[task.want]),
        ("draw it back", LLC1.MS2, 0),
        ("turn it back", LLC1.MS1, 0),
    )
