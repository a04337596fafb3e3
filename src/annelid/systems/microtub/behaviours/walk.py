"""The walk of a module: the parameters of all gaits, and which walk a command means (Table 5).

The heterogeneous agent makes one from an LLC2 command (MSW, TUR, MWO, MHE, PO ...) and puts it
into the stimuli; each walking behaviour looks at its own field and is active while that is set.
Several may be set at once: a snake's wave with a turn, pushing wheels under a wave (000 §4.2:
"they may be complementary").

``GaitOrders`` is what a module has been told; the command is the same for all modules, each
behaviour takes from the walk what concerns its own servos, and a module that no behaviour can move
with it takes the pose of least friction.  TUP, the turn inside a pipe, changes none of that: the
movement that is at work goes on, and the joints turn with the pipe (``elbow``).

**Speed** (SPD) is one number for all of them.  Waves turn slower, drives push less, an inchworm's
phases last longer.  Backwards, a wave runs the other way, supports swap their parts, drives push
back; rolling and sidewinding go to the other side, which is what backwards means to them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import pi
from types import MappingProxyType
from typing import Final

from annelid.motion.inchworm import Inchworm
from annelid.motion.snake import SNAKE, SnakeRow
from annelid.motion.waves import wave
from annelid.systems.microtub.protocol import LLC2, Command, InchwormPart, Wave

SNAKES: Final[Mapping[Command, str]] = MappingProxyType(
    {LLC2.MO1: "forward", LLC2.MOS: "serpentine", LLC2.MRO: "roll", LLC2.MSW: "lateral"}
)
"""Rows of the table of movements (:data:`annelid.motion.snake.SNAKE`); a learnt gait may change
them."""
ROWS: Final[Mapping[Command, SnakeRow]] = MappingProxyType(
    {command: SNAKE[move] for command, move in {**SNAKES, LLC2.TUR: "turn"}.items()}
)
SIDEWAYS: Final = frozenset({LLC2.MRO, LLC2.MSW})


@dataclass(frozen=True, slots=True)
class Sinusoid:
    """Eq 7 or 8 of 000 for one module: ``A·sin(ω·t + i·φ + lead)``, i from 0 at the head."""

    amplitude: float
    """rad"""
    omega: float
    """rad/s"""
    phase: float
    """φ, rad; positive runs towards the head."""
    lead: float = 0.0
    """Of the horizontal wave over the vertical one, rad."""

    def at(self, time_s: float, position: int) -> float:
        return wave(time_s, self.amplitude, self.omega, self.phase, position, self.lead)


FORWARDS: Final = Inchworm()


@dataclass(frozen=True, slots=True)
class Worm:
    """A module's part in the inchworm (INH) and the cycle all of them follow."""

    part: InchwormPart
    cycle: Inchworm = FORWARDS

    def setpoint(self, time_s: float) -> float:
        """0 to 1: let go or grip, short or long.  The first support is the one at the head."""
        step = self.cycle.at(time_s)
        if self.part is InchwormPart.EXTENSION:
            return step.extension
        return step.front if self.part is InchwormPart.FIRST_SUPPORT else step.rear


@dataclass(frozen=True, slots=True)
class Walk:
    """All that may be set; nothing set is standing still."""

    vertical: Sinusoid | None = None
    horizontal: Sinusoid | None = None
    bend: float | None = None
    """Constant on the horizontal joints, rad, positive to the left: the arc of a turn."""
    worm: Worm | None = None
    push: float | None = None
    """Level of self-propelled modules, -1 to 1."""
    elbow: float | None = None
    """Where the elbow leads that the robot is pushed round, rad, 0 to the left, π/2 upwards."""
    gives_way: float | None = None
    """Joints that a wave or an inchworm leaves free yield to the wall of a pipe; a wave stands
    across this direction, rad.  None: joints hold."""
    swing_s: float | None = None
    """How long a wave takes to swing the chain to and fro, s: also for modules that have no part
    in it."""
    rest: bool = False
    """A module that cannot help takes the pose of least friction."""

    @property
    def by_wave(self) -> bool:
        """Whether this module's joints carry the robot."""
        return self.vertical is not None or self.horizontal is not None

    @classmethod
    def snake(cls, row: SnakeRow) -> Walk:
        """A row of the table of movements (``annelid.motion.snake``)."""
        return cls(
            vertical=Sinusoid(row.vertical, row.omega, row.phase_vertical)
            if row.vertical
            else None,
            horizontal=Sinusoid(row.horizontal, row.omega, row.phase_horizontal, row.between)
            if row.horizontal
            else None,
            bend=row.offset or None,
            rest=True,
        )


STANDING: Final = Walk()


@dataclass
class GaitOrders:
    """All that a module has been told about walking; :meth:`walk` is what it comes to."""

    command: Command | None = None
    part: InchwormPart | None = None
    """In the inchworm (INH); without one a module rests in it."""
    speed: float = 1.0
    bend: float | None = None
    """Of a turn, rad; None: the row's."""
    turning: bool = False
    """Round an elbow (TUP to TSF)."""
    towards: float = 0.0
    """Where the last elbow led, rad; nobody has said: to the left.  A wave stays across it while
    the robot moves in the same way: any plane carries in a pipe, and the body is still in it."""
    waves: dict[Wave, Sinusoid] = field(default_factory=dict)
    """In the place of the command's own (WAV)."""

    def begin(self, command: Command, bend: float | None = None) -> None:
        """A movement command: waves of an earlier one are forgotten."""
        if command is not self.command:
            self.towards = 0.0
        self.command, self.bend, self.turning = command, bend, False
        self.waves.clear()

    def turn(self, towards: float) -> None:
        """TUP: on as before, round an elbow; what stands still pushes."""
        self.command = self.command or LLC2.MHE
        self.turning, self.towards = True, towards

    def stop(self) -> None:
        self.command, self.turning = None, False
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
            if self.turning and walk.gives_way is None:
                walk = replace(walk, elbow=self.towards)
        vertical = self.waves.get(Wave.VERTICAL, walk.vertical)
        horizontal = self.waves.get(Wave.HORIZONTAL, walk.horizontal)
        if self.waves:
            walk = replace(walk, vertical=vertical, horizontal=horizontal, rest=True)
        wave = vertical or horizontal
        return walk if wave is None else replace(walk, swing_s=2 * pi / wave.omega)


def walk_of(
    command: Command,
    *,
    part: InchwormPart | None = None,
    speed: float = 1.0,
    bend: float | None = None,
    towards: float = 0.0,
) -> Walk | None:
    """The walk of ``command``; None where it is none.  ``speed`` is -1 to 1 and not 0, ``towards``
    is the direction in which free joints give way."""
    if command in ROWS:
        row = ROWS[command]
        if bend is not None:
            row = row.changed(offset=bend)
        walk = Walk.snake(_paced(row, speed, sideways=command in SIDEWAYS))
        return replace(walk, gives_way=towards) if command is LLC2.MO1 else walk
    if command is LLC2.MWO:
        cycle = Inchworm()
        durations = tuple(each / abs(speed) for each in cycle.durations)
        worm = None if part is None else Worm(part, Inchworm(durations, reverse=speed < 0))
        return Walk(worm=worm, gives_way=towards, rest=True)
    if command is LLC2.MHE:
        return Walk(push=speed, rest=True)
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
