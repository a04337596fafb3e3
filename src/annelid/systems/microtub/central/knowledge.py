"""What the central control knows: the inputs of its behaviours (000 §6.1).

All of it came over the bus: who is there and what they can do (discovery, AMC), what they see and
feel (situation, TS, SIM), what the operator wants.  Nothing is read from the physics.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from math import hypot, radians
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.bend_fit import HoleSight
from annelid.systems.microtub.central.catalogue import (
    TRAVELLER,
    USUAL_BORE,
    steepest_climb,
    traveller_reach,
)
from annelid.systems.microtub.central.dead_reckoning import OpenPose
from annelid.systems.microtub.central.known import KnownElbow, TouchReport
from annelid.systems.microtub.central.known_chain import KnownChain
from annelid.systems.microtub.central.task import KnownBreak, Task
from annelid.systems.microtub.central.view import OpenView
from annelid.systems.microtub.central.vision import SeenBreak
from annelid.systems.microtub.mapping import PipeMap, PlaceKind
from annelid.systems.microtub.protocol import ModuleInfo, WorkingMode
from annelid.systems.statement import Statement

BACK: Final = 1.15
"""So many times as hard as a straight pipe needs the drives push on the way back up, at least."""
AHEAD: Final = radians(30)
"""Bearing of a landmark that the nose may run into."""
DOUBTFUL: Final = 0.3
"""A way that may be off by more than this share is not measured."""
SHORT: Final = 0.15
"""Of the way there and back.  By the same guess a robot comes back 1.0 to 1.2 times as far as it
went out (waves on the level, 39.5 to 64 mm), and who backs out of the launch tube falls: with this
it may be 1.35 times."""
LATELY: Final = 24
"""Looks at the way that are remembered: some seconds."""
WALL: Final = 0.2
"""A wall farther away than this nearness is none."""

KEPT: Final = (
    *("catalogue", "astray", "low_power", "way", "off", "covered", "doubted", "nose_ahead"),
    *(
        "mode",
        "wide",
        "came_in",
        "place",
        "height",
        "bore",
        "pipes",
        "elbows",
        "perhaps_elbows",
        "breaks",
    ),
)
"""What survives RST: it is about the world, not about a task or the modules."""

Vector = NDArray[np.float64]
"""Forward and left, m, as seen by the robot."""


@dataclass(slots=True)
class Knowledge(KnownChain):
    """One per life of the central control."""

    mode: WorkingMode = WorkingMode.GENERAL
    """What the modules have been told (CM)."""
    wide: bool = False
    """Whether the pipe is too wide for wheels and supports to reach both walls."""
    bore: float | None = None
    """Of the pipe, as the nose has learnt it, m; None: nobody has said."""
    servos: dict[tuple[int, int], float] = field(default_factory=dict)
    """Where a servo of a module stood when it was last asked, by address and number from 0,
    degrees."""
    felt: TouchReport | None = None
    """A touch that nobody has dealt with."""
    turning: bool = False
    """Whether the modules are on their way round an elbow (TUP to TSF)."""
    turn_deg: int | None = None
    """Where that elbow leads, from the left towards up; None: the modules have not said."""
    elbows: list[KnownElbow] = field(default_factory=list)
    """Those between the robot and home, as its joints have felt them."""
    perhaps_elbows: list[KnownElbow] = field(default_factory=list)
    """Bends that the joints felt and that may be branches: they are not on the map."""
    turn_ended: bool = False
    """The robot is round it: the modules have said so (TSF), or their joints show it."""
    bend_deg: int | None = None
    """Where a bend leads that the joints feel and nobody has dealt with; as ``turn_deg``."""
    bent: float | None = None
    """By how much the joints were bent in it altogether, rad; None: nobody has looked."""
    crooked: bool = False
    """Whether nose and tail point apart: the robot lies in an elbow or a branch."""
    askew: bool = False
    """Whether the foremost joints are bent, so that the nose looks to the side of its pipe."""
    gait: str = ""
    """The command by which the modules walk; empty: they stand."""
    openings_doubted: bool = False
    """Openings were seen that a waving nose cannot be sure of."""
    came_in: bool = False
    """Whether the robot has come into the pipe out of the open: it can slide out there again."""
    dead_end: bool = False
    """The last touch left no way on."""
    hot_ns: int | None = None
    """When a module last said that a servo of it is too hot; its board lets it rest."""
    resting: bool = False
    """Whether the robot stands to let its drives cool."""
    jammed: bool = False
    """Drives run, and the robot has stood for too long: nobody has dealt with it."""
    blocked: Statement | None = None
    """Why this leg cannot be gone further; None: it can."""
    way_out: int = 0
    """Where to it goes to get loose: 1 ahead, -1 back; 0: it is not stuck."""
    shaking: bool = False
    """Whether joints rock the robot to get it loose."""
    limp: bool = False
    """Whether joints give way to the wall to get the robot loose."""
    at_bifurcation: bool = False
    rocking: bool = False
    """Whether the joints rock the robot through one: its wheels then turn with its body, too."""
    low_power: bool = False
    astray: bool = False
    """The central control has started while the robot was on its way: home is unknown."""
    task: Task = field(default_factory=Task)
    destination: Vector = field(default_factory=lambda: np.zeros(2))
    """Where the robot wants to go now: what Fig 17's upper half came to."""
    heading: int = 0
    """Of the movement under way: 1 forwards, -1 backwards, 0 none of the two."""
    standing_since_ns: int | None = None
    """Since when the modules have been told to lie still and straight; None: they have not."""
    way: float = 0.0
    """From home, where the robot was first known, along its path, m; back is less."""
    lately: deque[tuple[int, float]] = field(default_factory=lambda: deque(maxlen=LATELY))
    """Time, ns, and way at the last looks."""
    covered: float = 0.0
    """There and back, since the robot was first known, m."""
    doubted: float = 0.0
    """How much of that a traveller may have miscounted, in 95 of 100, m."""
    off: float = 0.0
    """How far off ``way`` may be, in 95 of 100, m: it grows with every step, there and back, and
    shrinks where a known elbow is felt again."""
    wheels_apart: float = 0.0
    """By how much a traveller's wheels disagree about the last stretch, if more than usual, m."""
    nose_ahead: float = 0.0
    """Half of what a robot that inches may be longer than at the start, between its nose and its
    traveller, m: so far the nose is ahead of ``way``, more or less as much."""
    place: OpenPose = field(default_factory=OpenPose)
    """In the open, from home, by dead reckoning."""
    height: float | None = None
    """Above home, m; None: nobody feels which way is up."""
    pipes: PipeMap = field(default_factory=PipeMap)
    """The map so far."""
    view: OpenView | None = None
    """What the last picture in the open shows."""
    pictures: int = 0
    """How many the camera has sent."""
    broken: SeenBreak | None = None
    """The break that the last picture shows."""
    broken_way: float = 0.0
    """The way when it was taken."""
    hole: HoleSight | None = None
    """The same as it is kept for a bend: a hole that may be in one."""
    breaks: list[KnownBreak] = field(default_factory=list)
    """Those found, and not closed since."""
    stuck_s: float = 0.0
    """How long it has been walking without getting anywhere."""

    def next_life(self) -> Knowledge:
        """What is left after RST: where the robot is, and what is known of the pipes."""
        kept = {name: getattr(self, name) for name in KEPT}
        junctions = any(
            each.kind is PlaceKind.JUNCTION for each in self.pipes.graph.places.values()
        )
        doubted = self.openings_doubted or junctions  # the next life does not know its legs
        return Knowledge(**kept, openings_doubted=doubted)

    def begin_afresh(self) -> None:
        """What was met on an earlier task is of no concern to the next."""
        self.dead_end, self.felt, self.turning = False, None, False
        self.failed.clear()

    # -- surroundings --------------------------------------------------------------------------

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y (m) and heading (rad) of the nose from home, by dead reckoning."""
        return self.place.nose

    @property
    def in_pipe(self) -> bool | None:
        """None: nobody knows."""
        return None if self.mode is WorkingMode.GENERAL else self.mode is WorkingMode.PIPE

    @property
    def entering(self) -> bool:
        """In a pipe, or with the nose in one: there a high wave has no room."""
        return bool(self.in_pipe) or self.situation is Situation.NARROW_PIPE

    @property
    def measured(self) -> bool:
        """Whether a traveller measures the way from home, well enough to give a number."""
        return self.counted and not self.astray and self.doubt <= DOUBTFUL

    @property
    def counted(self) -> bool:
        """Whether a traveller counts the way at all; else it is guessed by the gait's speed."""
        there = any(part.id == TRAVELLER for part in self.alive)
        return there and not self.silent and self.reached

    @property
    def short(self) -> float:
        """So far before home by its reckoning stops who guesses the way, m."""
        return 0.0 if self.counted else SHORT * self.covered

    @property
    def reached(self) -> bool:
        """Whether a traveller's wheels reach all round the pipe, as far as anybody knows."""
        return self.bore is None or self.bore <= traveller_reach()

    def way_before(self, ago_ns: int) -> float:
        """What the way was so long ago, m; at the most as long as is remembered."""
        then = [way for at_ns, way in self.lately if at_ns >= self.now_ns - ago_ns]
        return then[0] if then else self.way

    @property
    def doubt(self) -> float:
        """Share by which the way may be off: travellers slip more in some gaits than in others."""
        return self.doubted / self.covered if self.covered > 0.01 else 0.0

    @property
    def hangs(self) -> bool:
        """Whether the nose may hang out of the pipe's end: it leans down steeply, and nobody sees
        the wall.  Then wheels that turn tell nothing."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return self.blind and bool(told) and radians(told[0][1]) < -self.steepest(rises=False)

    def steepest(self, *, rises: bool) -> float:
        """The slope that this chain climbs in this bore, by its weight and drives, rad; or into
        which it may go down, since it has to come back, and bends on the way take some."""
        bore = round(1000 * (self.bore or USUAL_BORE)) / 1000
        return steepest_climb(self.kinds, bore, 1.0 if rises else BACK)

    @property
    def waving(self) -> bool:
        """Whether a wave carries the robot, and swings its nose about."""
        return self.gait == "MO1"

    @property
    def gives_way(self) -> bool:
        """Whether the joints yield to the wall of a pipe in the movement under way."""
        return self.waving or self.gait == "MWO"

    @property
    def wall_beside(self) -> bool:
        """Whether the last picture in the open shows a wall to the left or to the right."""
        view = self.view
        return view is not None and max(view.wall_left, view.wall_right) > WALL

    @property
    def landmark_ahead(self) -> bool:
        """Whether the last picture in the open shows a landmark that is near, so that the nose may
        feel it."""
        view = self.view
        if view is None or view.landmark is None:
            return False
        return view.landmark_near and abs(view.landmark) < AHEAD

    @property
    def free_to_go(self) -> bool:
        """There is somewhere to go, and no pipe that leaves only two ways."""
        return bool(self.destination.any()) and self.in_pipe is not True

    @property
    def to_the_left(self) -> bool:
        """Where the destination is; straight ahead and behind count as left."""
        return bool(self.destination[1] >= 0)

    @property
    def far(self) -> float:
        """How far the destination is, m."""
        return hypot(*self.destination)
