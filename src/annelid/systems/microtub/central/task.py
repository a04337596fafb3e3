"""The operator's task and its state (000 §3.3.2, Table 6).

A task is begun by a command, changed by the behaviours that work on it, and ended with words for
the operator: by success, by a reason why not, or by the next command.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from annelid.systems.microtub.central.telling import Telling
from annelid.systems.microtub.protocol import Destination
from annelid.systems.statement import Statement

SEEN: Final = (Destination.CORNER, Destination.LANDMARK)
"""Places that the camera helps to find."""

SAME_M: Final = 0.04
"""Two sightings along the pipe that are one break."""

Point = tuple[float, float, float]
"""m"""


class Want(StrEnum):
    """What kind of task it is."""

    NOTHING = "nothing"
    EXPLORE = "explore"
    REACH = "reach a place"
    REPAIR = "repair"
    HOLE = "make a hole"


@dataclass(frozen=True, slots=True)
class KnownBreak:
    """A break of the wall, as a tool must know it."""

    at: float
    """The way of the nose when it is there, m."""
    aim: float
    """From the chain's axis: from the left towards up, rad, whatever way the robot is rolled."""
    bent: bool = False
    """It is in a bend, where no tool can be brought to it."""


class Stage(StrEnum):
    """Of a task with a tool."""

    LOOK = "look from near"
    PLACE = "bring the tool"
    WORK = "work"
    CHECK = "look whether it helped"


@dataclass(slots=True)
class Task:
    """One task; ``end`` says how it went."""

    want: Want = Want.NOTHING
    place: Destination | None = None
    point: Point | None = None
    """Of coordinates, or of a distance in the open: x, y, z from home, m."""
    along: float | None = None
    """The same along the pipe, m."""
    height: float | None = None
    """The height above home to be reached, m."""
    back: bool = False
    """Reaching: the place lies behind, at this moment."""
    begun: float = 0.0
    """Where it began, as ``OpenPose.ahead``."""
    back_to: float | None = None
    """Reaching a touch: so far back it has to go first, the same."""
    held_at: float | None = None
    """Where a joint was held, and has to be held again, the same."""
    homewards: bool = False
    """Exploring: everything has been seen, and the robot is on its way back."""
    cut_short: bool = False
    """Exploring: it goes home before everything has been seen."""
    stage: Stage = Stage.LOOK
    """Of a task with a tool."""
    tries: int = 0
    """How often the tool has worked in vain."""
    sight: int = 0
    """From which of several places the camera looks at it."""
    in_sight: bool = False
    """Whether it has been seen from there: only then it means something when it is not."""
    target: KnownBreak | None = None
    """Where the tool is to work; None: not decided yet."""
    news: list[Telling] = field(default_factory=list)
    """What the operator is to be told on the way; who tells it empties the list."""
    ended: Telling | None = None
    """How it went; None: it goes on."""
    success: bool = False

    @property
    def idle(self) -> bool:
        """Nothing was asked for."""
        return self.want is Want.NOTHING

    @property
    def going_on(self) -> bool:
        return self.want is not Want.NOTHING and self.ended is None

    @property
    def exploring(self) -> bool:
        return self.going_on and self.want is Want.EXPLORE

    @property
    def looks(self) -> bool:
        """Whether pictures help with it, and it lies ahead."""
        if self.exploring:
            return not self.homewards
        if self.with_tool:
            return self.stage in (Stage.LOOK, Stage.CHECK)
        return self.going_on and self.place in SEEN

    @property
    def with_tool(self) -> bool:
        return self.going_on and self.want in (Want.REPAIR, Want.HOLE)

    def break_off(self, why: Statement, *more: str | Statement) -> None:
        """Exploring: home at once, and the operator is told why."""
        if self.exploring:
            if not self.homewards:
                self.homewards = self.cut_short = True
            self.tell(why, *more)

    def tell(self, what: Statement, *more: str | Statement) -> None:
        """Words that are no statement are about what the robot does next."""
        self.news.append(Telling.of(what, *more))

    def end(self, what: Statement, *more: Statement, success: bool) -> None:
        if self.ended is None:
            self.ended, self.success = Telling.of(what, *more, between=", "), success

    def __str__(self) -> str:
        if self.want is Want.REACH and self.place is not None:
            return f"reach {self.place.meaning}"
        return str(self.want)
