"""Turns a movement command of LLC2 into the walk of a module (000, Table 5).

The command is the same for all modules; each behaviour takes from the walk what concerns its own
servos, and a module that no behaviour can move with it takes the pose of least friction.  TUP, the
turn inside a pipe, is the push of MHE with a dialogue over the sync lines (``elbow_line``).

**Speed** (SPD) is one number for all of them.  Waves turn slower, drives push less, an inchworm's
phases last longer.  Backwards, a wave runs the other way, supports swap their parts, drives push
back; rolling and sidewinding go to the other side, which is what backwards means to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Final

from annelid.motion.inchworm import Inchworm
from annelid.motion.snake import SNAKE, SnakeRow
from annelid.systems.microtub.behaviours.walk import STANDING, Sinusoid, Walk, Worm
from annelid.systems.microtub.protocol import LLC2, Command, InchwormPart, Wave
from annelid.systems.microtub.snakes import SNAKES

ROWS: Final[Mapping[Command, SnakeRow]] = MappingProxyType(
    {command: SNAKE[move] for command, move in {**SNAKES, LLC2.TUR: "turn"}.items()}
)
SIDEWAYS: Final = frozenset({LLC2.MRO, LLC2.MSW})


@dataclass
class GaitOrders:
    """All that a module has been told about walking; :meth:`walk` is what it comes to."""

    command: Command | None = None
    part: InchwormPart | None = None
    """In the inchworm (INH); without one a module rests in it."""
    speed: float = 1.0
    bend: float | None = None
    """Of a turn, rad; None: the row's."""
    towards: float = 0.0
    """Where an elbow leads, rad; nobody has said: to the left."""
    waves: dict[Wave, Sinusoid] = field(default_factory=dict)
    """In the place of the command's own (WAV)."""

    def begin(self, command: Command, bend: float | None = None, *, towards: float = 0.0) -> None:
        """A movement command: waves of an earlier one are forgotten."""
        self.command, self.bend, self.towards = command, bend, towards
        self.waves.clear()

    def stop(self) -> None:
        self.command = None
        self.waves.clear()

    def walk(self) -> Walk:
        walk = STANDING
        if self.command is not None and self.speed != 0.0:
            walked = walk_of(
                self.command,
                part=self.part,
                speed=self.speed,
                bend=self.bend,
                towards=self.towards,
            )
            walk = walked or STANDING
        vertical = self.waves.get(Wave.VERTICAL, walk.vertical)
        horizontal = self.waves.get(Wave.HORIZONTAL, walk.horizontal)
        if self.waves:
            walk = replace(walk, vertical=vertical, horizontal=horizontal, rest=True)
        return walk


def walk_of(
    command: Command,
    *,
    part: InchwormPart | None = None,
    speed: float = 1.0,
    bend: float | None = None,
    towards: float = 0.0,
) -> Walk | None:
    """The walk of ``command``; None where it is none.  ``speed`` is -1 to 1 and not 0."""
    if command in ROWS:
        row = ROWS[command]
        if bend is not None:
            row = row.changed(offset=bend)
        return Walk.snake(_paced(row, speed, sideways=command in SIDEWAYS))
    if command is LLC2.MWO:
        cycle = Inchworm()
        durations = tuple(each / abs(speed) for each in cycle.durations)
        worm = None if part is None else Worm(part, Inchworm(durations, reverse=speed < 0))
        return Walk(worm=worm, rest=True)
    if command is LLC2.MHE:
        return Walk(push=speed, rest=True)
    if command is LLC2.TUP:
        return Walk(push=speed, elbow=towards, rest=True)
    return None


def _paced(row: SnakeRow, speed: float, *, sideways: bool) -> SnakeRow:
    row = replace(row, omega=row.omega * abs(speed))
    if speed > 0:
        return row
    if sideways:
        return row.mirrored()
    return replace(
        row,
        phase_vertical=-row.phase_vertical,
        phase_horizontal=-row.phase_horizontal,
        between=-row.between,
    )
