"""Works on the wall with a tool (DO; 000 §6.1.6): repairs a break, or makes a hole.

``BringTool`` brings the tool to the place, and the camera to where it shows what became of it.
*Activation*: the operator has said so, and a module has the tool; without one the desk refuses.
*Stimuli*: breaks on the map, pictures, the way, where in the chain the tool is.  *Proposals*: a
destination.  For a repair the camera first looks at the break from near, which tells its place
better; then the tool goes there, works, and the camera looks again; a break that is still there is
tried again a little beside.  A break that is too near to home to be looked at from before it is
closed where the map has it.  A hole is made where the robot stands, upwards, and not looked at.

``UseTool`` works when the tool is there: it turns the turret, pushes the tool to the wall, asks how
far both have come, and draws the tool back.

The paper calls repair "an example of what will be possible".  The answer says what was done and
what the camera shows afterwards; a robot without a camera says that nobody has looked.  A tool has
worked on the wall if it has come out as far as the wall may be away; in a bore that nobody has
measured, nobody knows.
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
from annelid.systems.microtub.central.catalogue import reaches, tool_reach
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownModule
from annelid.systems.microtub.central.movements import Movement, Order
from annelid.systems.microtub.central.task import SAME_M, KnownBreak, Stage, Task, Want
from annelid.systems.microtub.central.vision import SeenBreak
from annelid.systems.microtub.protocol import LLC1, LLC2, Command

NEAR_M: Final = 0.004
"""The tool counts as being at its place."""
SIGHTS_M: Final = (0.085, 0.06, 0.11)
"""So far before a break the camera sees it well; which of them is best depends on where in the wall
it is."""
SIGHT_OFF_M: Final = 0.012
PICTURES: Final = 2
"""The last of so many counts: the first may have been taken while the robot still moved."""
LONGEST_NS: Final = seconds(8)
"""So long it waits for them."""
TRIES_M: Final = (0.0, 0.015, 0.03, -0.015, 0.045)
"""Where a repair is tried again, beside the place by the odometer, while the break is in sight:
travellers slip, and the tool is at the far end of a long way back."""
UP: Final = pi / 2
SKILL: Final = {Want.REPAIR: "Grab", Want.HOLE: "Drill"}


class BringTool(CentralBehaviour):
    name = "bring a tool"
    level = GOAL

    def __init__(self) -> None:
        self._since: tuple[int, int] | None = None
        """Number of pictures, and the time, when the camera came to where it sees the place."""

    def condition(self, knowledge: Knowledge, /) -> bool:
        return knowledge.task.with_tool and knowledge.task.stage is not Stage.WORK

    def reset(self) -> None:
        self._since = None

    def propose(self, knowledge: Knowledge, /) -> Iterable[Proposal]:
        task = knowledge.task
        if task.want is Want.HOLE:
            task.target = KnownBreak(knowledge.way - knowledge.behind("Drill"), UP)
            task.stage = Stage.WORK
            return ()
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
        straight = [each for each in knowledge.breaks if not each.bent]
        near = sorted(straight, key=lambda each: abs(each.at - knowledge.way))
        task.target = near[0] if near else None
        if near and not self._to_sight(knowledge):
            task.stage = Stage.PLACE
        return bool(near)

    def _to_sight(self, knowledge: Knowledge) -> bool:
        """Go on to the next place from which the camera sees the target, if there is one: home is
        where the pipe begins."""
        task = knowledge.task
        assert task.target is not None
        while task.sight < len(SIGHTS_M) and task.target.at < SIGHTS_M[task.sight]:
            task.sight += 1
        return bool(knowledge.cameras) and task.sight < len(SIGHTS_M)

    def _looking(self, knowledge: Knowledge, task: Task, target: KnownBreak) -> Iterable[Proposal]:
        if not self._to_sight(knowledge):
            task.in_sight = False
            self._looked(knowledge, task, target, None)
            return ()
        left = target.at - SIGHTS_M[task.sight] - knowledge.way
        if self._since is None and abs(left) > SIGHT_OFF_M:
            return (self.proposal(DESTINATION, np.array([left, 0.0]), reason="to see the place"),)
        if self._since is None:
            self._since = knowledge.pictures, knowledge.now_ns
        pictures, since_ns = self._since
        if knowledge.pictures >= pictures + PICTURES:
            self._since = None
            self._looked(knowledge, task, target, knowledge.broken)
        elif knowledge.now_ns > since_ns + LONGEST_NS:
            self._since, task.sight = None, len(SIGHTS_M)
        return (self.proposal(DESTINATION, np.zeros(2), reason="look at it"),)

    def _looked(
        self, knowledge: Knowledge, task: Task, target: KnownBreak, seen: SeenBreak | None
    ) -> None:
        """What the picture means: it has been seen from near; it is still there; it is gone."""
        hole = False
        if seen is not None:
            found = KnownBreak(knowledge.broken_way + seen.ahead, seen.aim + knowledge.roll)
            hole = abs(found.at - target.at) <= SAME_M
            if hole:
                task.target, task.in_sight = found, True
        if not hole:
            task.sight += 1
            if self._to_sight(knowledge):
                return  # what is not seen from one place may be seen from another
            task.sight = 0
        if task.stage is Stage.LOOK:
            task.stage = Stage.PLACE
        elif hole and task.tries + 1 < len(TRIES_M):
            task.tries += 1
            task.stage = Stage.PLACE
        else:
            _conclude(knowledge, task, hole=hole)


def _best_known(knowledge: Knowledge, target: KnownBreak) -> float:
    """How far from home it is, m.  A break that was found on the way out is where it was then: by
    now the way has been miscounted there and back, which matters to no tool, but to a number."""
    found = [each.at for each in knowledge.breaks if abs(each.at - target.at) <= SAME_M]
    return min(found, key=lambda at: abs(at - target.at), default=target.at)


def _conclude(knowledge: Knowledge, task: Task, *, hole: bool) -> None:
    """Of a repair."""
    target = task.target
    assert target is not None
    at = _best_known(knowledge, target)
    if not hole and not task.in_sight:
        shown = telling.of_itself("unseen", "the camera does not show the place")
    else:
        shown = telling.seen_there(knowledge, at, hole=hole)
        if not hole:
            knowledge.breaks = [b for b in knowledge.breaks if abs(b.at - target.at) > SAME_M]
    task.end(telling.worked(knowledge, at), shown, success=not hole)


STROKE_NS: Final = seconds(1.5)
"""For each of the tool's movements."""
OUT: Final = {Want.REPAIR: -90, Want.HOLE: 90}
"""Of the bar: the stamp is at its one end, the drill at the other."""
POINTS: Final = {Want.REPAIR: -UP, Want.HOLE: UP}
"""Where it points while the turret is at 0, from the left towards up."""
DOES: Final = {Want.REPAIR: "mend", Want.HOLE: "bore"}
ASKS: Final = "draw it back"
"""The stroke before which the tool tells how far turret and bar have come."""
OFF_DEG: Final = 10
"""So far off they may be: twice that at the wall, which a patch still covers."""


class UseTool(CentralBehaviour):
    name = "use the tool"
    level = WALKING

    def __init__(self) -> None:
        self._stroke = 0
        self._until_ns = 0
        self._last: tuple[Proposal, ...] = ()
        self._aim = 0
        """What the turret was told, degrees."""

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
            self._done(knowledge, task, tools[0])
            return ()
        name, command, angle = strokes[self._stroke]
        who = tools[0].address
        asks = (Order(LLC1.GS1, (), who), Order(LLC1.GS2, (), who)) if name == ASKS else ()
        if self._stroke == 0:
            self._aim = angle
        self._stroke += 1
        self._until_ns = knowledge.now_ns + STROKE_NS
        move = Movement(name, (*asks, Order(LLC2.STP), Order(command, (angle,), who)))
        self._last = (self.proposal(ACTION, move, reason="at the place"),)
        return self._last

    def _done(self, knowledge: Knowledge, task: Task, tool: KnownModule) -> None:
        aimed, out = (knowledge.servos.get((tool.address, k), 0.0) for k in range(2))
        reach = tool_reach(tool.kind, DOES[task.want], abs(out))
        bore = knowledge.bore
        fails = None
        if abs(aimed - self._aim) > OFF_DEG:
            fails = "the tool does not turn to the place"
        elif abs(out - OUT[task.want]) > OFF_DEG and (bore is None or not reaches(reach, bore)):
            fails = "the tool does not come out"
        elif bore is not None and not reaches(reach, bore):
            fails = "the tool meets no wall"
        at = knowledge.way - knowledge.behind(SKILL[task.want])
        if fails is not None:
            task.end(telling.of_itself("tool fails", fails), success=False)
        elif task.want is Want.REPAIR and knowledge.cameras:
            task.stage = Stage.CHECK
        elif bore is None:
            words = "the tool has been out, and nobody knows whether it met the wall"
            task.end(telling.of_itself("unseen", words), success=True)
        else:
            unseen = telling.of_itself("unseen", "nobody has looked at it since")
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
