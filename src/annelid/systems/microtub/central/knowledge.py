"""What the central control knows: the inputs of its behaviours (000 §6.1).

All of it came over the bus: who is there and what they can do (discovery, AMC), what they see and
feel (situation, TS, SIM), what the operator wants.  Nothing is read from the physics.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from math import copysign, cos, hypot, radians
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.bend_fit import HoleSight
from annelid.systems.microtub.central.catalogue import (
    TRAVELLER,
    USUAL_BORE,
    Catalogue,
    Kinds,
    catalogue,
    chain_length,
    steepest_climb,
    traveller_reach,
)
from annelid.systems.microtub.central.dead_reckoning import OpenPose
from annelid.systems.microtub.central.known import KnownElbow, KnownModule, TouchReport
from annelid.systems.microtub.central.task import KnownBreak, Task
from annelid.systems.microtub.central.view import OpenView
from annelid.systems.microtub.central.vision import SeenBreak
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.mapping import PipeMap, PlaceKind
from annelid.systems.microtub.protocol import ModuleInfo, WorkingMode
from annelid.systems.statement import Statement

BACK: Final = 1.15
"""So many times as hard as a straight pipe needs the drives push on the way back up, at least."""
AHEAD: Final = radians(30)
"""Bearing of a landmark that the nose may run into."""
LEANS: Final = radians(15)
"""By so much the foremost joint may lean more than the pipe: it bends into an elbow."""
SILENT_NS: Final = seconds(2.0)
"""A traveller that has not answered for so long measures nothing."""
RELAPSES: Final = 2
"""After becoming worse so often a module is not believed to have recovered."""
CAMERA: Final = "c"
"""Module ID of those with a camera; MDL has no indicator for it."""
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
    *("mode", "wide", "place", "height", "bore", "pipes", "elbows", "perhaps_elbows", "breaks"),
)
"""What survives RST: it is about the world, not about a task or the modules."""

Vector = NDArray[np.float64]
"""Forward and left, m, as seen by the robot."""


@dataclass(slots=True)
class Knowledge:
    """One per life of the central control."""

    catalogue: Catalogue = field(default_factory=catalogue)
    """The types of modules that this computer knows."""
    now_ns: int = 0
    """By the central control's own clock."""
    parts: tuple[KnownModule, ...] = ()
    """The chain, head first; empty while it is not known."""
    mode: WorkingMode = WorkingMode.GENERAL
    """What the modules have been told (CM)."""
    wide: bool = False
    """Whether the pipe is too wide for wheels and supports to reach both walls."""
    bore: float | None = None
    """Of the pipe, as the nose has learnt it, m; None: nobody has said."""
    seen: dict[int, Situation] = field(default_factory=dict)
    """By module: what it says its surroundings are."""
    told: dict[tuple[int, ModuleInfo], tuple[int, ...]] = field(default_factory=dict)
    """The last answer of each module to each question (AIM)."""
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
    gait: str = ""
    """The command by which the modules walk; empty: they stand."""
    openings_doubted: bool = False
    """Openings were seen that a waving nose cannot be sure of."""
    dead_end: bool = False
    """The last touch left no way on."""
    heard_ns: dict[tuple[int, ModuleInfo], int] = field(default_factory=dict)
    """When a module last told something."""
    unheard: set[int] = field(default_factory=set)
    """Those that did not acknowledge a call or answer a question, and have answered none since: the
    bus of a board takes what comes for a while after its program has hung."""
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
    failed: set[str] = field(default_factory=set)
    """Ways of moving that got the robot nowhere, by name, since the chain was last another."""
    relapses: dict[int, int] = field(default_factory=dict)
    """By module: how often it has become worse."""
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

    # -- the chain -----------------------------------------------------------------------------

    def know(self, members: Iterable[FoundModule]) -> None:
        """A configuration that discovery believes."""
        self.parts = tuple(
            KnownModule(each.address, each.id, each.mdl, kind=self.catalogue.get(each.id))
            for each in members
        )
        self.failed.clear()
        self._forget_the_absent()

    def change(self, address: int, mdl: str) -> bool:
        """A module says what it can do now; whether that is news.

        A servo that gives way under load seems sound again as soon as it rests, so the robot would
        change its gait for ever: whoever has recovered once is not believed a second time.
        """
        known = next((part for part in self.parts if part.address == address), None)
        if known is None or (known.mdl == mdl and known.alive):
            return False
        worse = any(new < old for new, old in zip(mdl, known.mdl, strict=True))
        if worse:
            self.relapses[address] = self.relapses.get(address, 0) + 1
        elif self.relapses.get(address, 0) >= RELAPSES:
            return False
        self.failed.clear()
        self.parts = tuple(
            replace(part, mdl=mdl, alive=True) if part is known else part for part in self.parts
        )
        return True

    def bury(self, address: int) -> None:
        """It does not answer: its body is still in the chain, its skills are not."""
        self.parts = tuple(p.dead() if p.address == address else p for p in self.parts)
        self._forget_the_absent()

    def _forget_the_absent(self) -> None:
        there = {part.address for part in self.parts if part.alive}
        self.seen = {who: what for who, what in self.seen.items() if who in there}
        self.told = {key: what for key, what in self.told.items() if key[0] in there}

    @property
    def alive(self) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.parts if part.alive)

    @property
    def whole(self) -> bool:
        """Whether every module can do what its type can."""
        return all(part.whole for part in self.parts)

    @property
    def pose(self) -> tuple[float, float, float]:
        """x, y (m) and heading (rad) of the nose from home, by dead reckoning."""
        return self.place.nose

    @property
    def ids(self) -> str:
        return "".join(part.id for part in self.parts)

    @property
    def kinds(self) -> Kinds:
        return tuple(part.kind for part in self.parts)

    @property
    def length(self) -> float:
        """Of the whole chain, m."""
        return chain_length(self.kinds)

    def behind(self, indicator: str) -> float:
        """How far behind the nose the first module that can do that has its tool, m."""
        place = next((k for k, p in enumerate(self.parts) if p.alive and p.can(indicator)), 0)
        return chain_length(self.kinds[:place]) + chain_length(self.kinds[place : place + 1]) / 2

    @property
    def cameras(self) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.alive if part.id == CAMERA)

    def called(self, address: int) -> str:
        """How the operator is told of a module: its place in the chain, from the head on."""
        for place, part in enumerate(self.parts, 1):
            if part.address == address:
                return f"module {place} ({part.id.upper()}, address {address})"
        return f"the module with address {address}"

    def able(self, indicator: str) -> tuple[KnownModule, ...]:
        return tuple(part for part in self.alive if part.can(indicator) > 0)

    # -- surroundings --------------------------------------------------------------------------

    @property
    def situation(self) -> Situation:
        """By the foremost module that says anything."""
        for part in self.alive:
            if self.seen.get(part.address, Situation.UNKNOWN) is not Situation.UNKNOWN:
                return self.seen[part.address]
        return Situation.UNKNOWN

    @property
    def in_pipe(self) -> bool | None:
        """None: nobody knows."""
        return None if self.mode is WorkingMode.GENERAL else self.mode is WorkingMode.PIPE

    @property
    def entering(self) -> bool:
        """In a pipe, or with the nose in one: there a high wave has no room."""
        return bool(self.in_pipe) or self.situation is Situation.NARROW_PIPE

    def answers(self, asked: ModuleInfo) -> list[tuple[int, ...]]:
        """Of all modules that have told, head first."""
        return [
            self.told[part.address, asked]
            for part in self.alive
            if (part.address, asked) in self.told
        ]

    @property
    def silent(self) -> bool:
        """Whether the travellers, which are asked at every look, do not answer any more: then their
        last count is no robot that stands."""
        heard = [at for (_, asked), at in self.heard_ns.items() if asked is ModuleInfo.DISTANCE]
        return bool(heard) and self.now_ns - max(heard) > SILENT_NS

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
    def pitch(self) -> float | None:
        """How steep the robot lies, nose up positive, rad; None: nobody has told."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return radians(told[len(told) // 2][1]) if told else None

    @property
    def steep_ahead(self) -> float | None:
        """How steep the pipe ahead is at least: what the foremost two that feel it agree on, or the
        first one alone as far as it leans more than a bend makes it."""
        told = [radians(each[1]) for each in self.answers(ModuleInfo.ORIENTATION)[:2]]
        if not told:
            return None
        alone = max(abs(told[0]) - LEANS, 0.0) if len(told) > 1 else abs(told[0])
        agreed = min(map(abs, told)) if told[0] * told[-1] > 0 else 0.0
        return copysign(max(alone, agreed), told[0])

    @property
    def hangs(self) -> bool:
        """Whether the nose may hang out of the pipe's end: it leans down steeply, and nobody sees
        the wall.  Then wheels that turn tell nothing."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return self.blind and bool(told) and radians(told[0][1]) < -self.steepest(rises=False)

    @property
    def blind(self) -> bool:
        """Whether nobody sees what is before the robot: the eyes of a module behind the first look
        at the one before it."""
        first = self.parts[0] if self.parts else None
        if first is None or first.address in self.unheard:
            return True
        return not (first.alive and first.can("Sense_front"))

    @property
    def roll(self) -> float:
        """How far the robot lies rolled, its left side up positive, rad; 0 where nobody feels it,
        for a chain turns over slowly, if at all, in a pipe."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return radians(told[0][0]) if told else 0.0

    @property
    def on_its_back(self) -> bool:
        """Whether left and right of its joints are exchanged."""
        told = self.answers(ModuleInfo.ORIENTATION)
        return bool(told) and cos(radians(told[len(told) // 2][0])) < 0

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
