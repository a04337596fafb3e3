"""Judges what a MICROTUB robot tells its operator, by the physics.

It stands outside the robot.  What it needs to know beyond this moment (which ends of the pipes the
nose has met, where it was some seconds ago) it gathers on the way.

===========  ===========================================================================
statement    is so when
===========  ===========================================================================
way          the nose is that far from home along the pipe, or as the crow flies in the
             open: within twice the stated interval, and within half the truth
place        something of the pipe (a corner of a tee) is there, within the same
end          an end of the pipe of that sort is within 80 mm of the nose, or the nose is out of
             the pipes, by such an end
end at       such an end is that far from home; the nose, where there is no end: as ``way``
home         the nose is within 50 mm of where it began, or behind it
all seen     the nose has met every end of the network
legs left,   it has not, or the robot has told less ends than there are
not all seen
bifurcation  a branch leaves there, within twice the interval
side         a branch or a bend is there, within twice the interval; told without its place,
             within 250 mm of the nose
turned       a bend, or a branch that the nose is in, is there; as before
bend or end  it is, or an open end is within 80 mm of the nose, or the nose is out of it
steep        the pipe within 150 mm of the nose rises (or falls) by so many degrees or more
steep or end it does, or an open end is within 80 mm of the nose
length       the two places of the pipe that are nearest to those on the map are that far
             apart, within twice the interval: on the way to the nose, and on to where it was
break        a break is there, within the larger of 20 mm and 3 %
worked       a tool has worked on the wall there, within the same
hole,        a break is there, or none is, within the same
no hole
lost         that board is dead, hung, crashed, off, or cut off, or was, or the bus was disturbed,
             in the last 1.5 s
missing      so many modules are not in the central control's piece, or do not run, or the bus
             is disturbed
alarm        (too hot) a winding of that module has 45 °C or more; (low voltage) less
             than a fifth is left in the battery; (does not follow) a servo of it is broken, or
             3° (linear: 3 % of its travel) from its target, or was in the 1.2 s that an
             alarm takes; (sensor) one of its
             sensors is broken; others are not judged
low power    less than a fifth is left in the battery
too wide     the bore at the nose is more than 53.5 mm
nowhere      the nose has moved by less than 20 mm in 4 s
stuck        it has, and the way is so
nowhere or   it has, or the nose is at an open end or out of it
out
working      those boards run, whatever their order
modules
distance     the nose has gone so far there and back, within twice the interval
covered
state of the (fine) a twentieth or more is left; (not) less than a fifth
batteries
average      all servos draw so much on average of two seconds, within twice the
consumption  interval
temperature, the world has it so, within twice the interval
humidity
height       the nose is so high above home: within twice the stated interval
inside       the nose is in a pipe
no pipe      it is not
out of pipe  it is not, or an open end is within 80 mm
stopped      no drive turns, and no joint's target moves by 3° (linear: 3 % of its travel)
             within 0.1 s
touch        the way is so; in the open something stands within 50 mm of where the nose was in
             the last 4 s; felt by another module, within 25 mm of the front of any
no touch     nothing of the kind stood within 25 mm of one
landmark     the surface of one is within 60 mm of the nose
arrived      the nose is at the place that was asked for, within the same
===========  ===========================================================================

A place is told by its way from where the nose began.  Nobody judges ``abilities``, ``undoing``,
``refused``, ``in motion or not``, ``cannot tell``, ``no way``, ``no landmark``,
``no break known``, ``tool fails``, ``unseen`` and ``unmeasured``: they are about what the robot
knows and can do.  ``reckoned home``, ``reckoned there``, ``in doubt``, ``out of sight``,
``perhaps side``, ``perhaps stuck`` and places without a number claim nothing.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Iterable
from math import atan2, cos, hypot, inf, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.circuit import Circuit
from annelid.kernel import seconds
from annelid.spec import Quat, Vec3
from annelid.systems.microtub.body_witness import BodyWitness
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.pipe_witness import MOVED_M, PipeWitness
from annelid.systems.microtub.protocol.enums import EnvironmentInfo, RobotInfo
from annelid.systems.microtub.sources import Sources
from annelid.systems.microtub.true_nose import TrueNose
from annelid.systems.statement import (
    EMPTY,
    EMPTY_SHARE,
    NOTHING_CLAIMED,
    Judgement,
    Statement,
    judged_number,
)
from annelid.worlds.scenery import Block

LOOK_NS: Final = seconds(0.1)
HOME_M: Final = 0.05
TOUCHED_M: Final = 0.05
FELT_M: Final = 0.025
"""From the front of a module, whose radius is 13.5 mm."""
LOOKS: Final = 40
"""That are remembered of all modules: 4 s."""
AT_HAND_M: Final = 0.06
"""From the nose to the surface."""


class MicrotubWitness:
    """Of one run."""

    def __init__(self, circuit: Circuit) -> None:
        self._sim = circuit.sim
        self._nose = TrueNose(self._sim)
        self._sources = Sources(circuit)
        self._body = BodyWitness(circuit)
        self._pipes = PipeWitness(circuit, self._nose)
        self._facing = _turned(self._sim.plan.scenery.start.turn)
        """What the robot calls ahead, left and up at the start, in the world."""
        self._next_ns = 0
        self._fronts: deque[NDArray[np.float64]] = deque(maxlen=LOOKS)
        """Of all modules, at the last looks."""
        self._judges: dict[str, Callable[[Statement], Judgement | None]] = {
            "way": self._way,
            "home": self._home,
            "reckoned home": lambda _: NOTHING_CLAIMED,
            **self._pipes.judges,
            **self._body.judges,
            RobotInfo.DISTANCE.meaning: self._distance,
            EnvironmentInfo.TEMPERATURE.meaning: self._temperature,
            EnvironmentInfo.HUMIDITY.meaning: self._humidity,
            "nowhere": self._nowhere,
            "stuck": self._stuck,
            "height": self._height,
            "arrived": self._arrived,
            "touch": self._touch,
            "no touch": self._no_touch,
            "landmark": self._landmark,
            "reckoned there": lambda _: NOTHING_CLAIMED,
        }

    def look(self) -> None:
        now = self._sim.now_ns
        if now < self._next_ns:
            return
        self._next_ns = now + LOOK_NS
        self._nose.look()
        self._fronts.append(self._sim.poses()[:, :3].copy())
        self._body.look()

    def reachable(self) -> bool:
        return self._body.reachable()

    def judge(self, statement: Statement) -> Judgement | None:
        judge = self._judges.get(statement.what)
        return None if judge is None else judge(statement)

    def rests_on(self, statement: Statement) -> Collection[str]:
        return self._sources.sensors(statement)

    # -- kinds ---------------------------------------------------------------------------------

    def _way(self, said: Statement) -> Judgement:
        if said.value is None:
            return NOTHING_CLAIMED
        along = 1000 * self._nose.place().along
        return judged_number(said, along, "the nose is {:.0f} mm from home")

    def _height(self, said: Statement) -> Judgement:
        above = 1000 * (self._nose.point[2] - self._nose.start[2])
        return judged_number(said, above, "the nose is {:.0f} mm above home")

    def _arrived(self, said: Statement) -> Judgement:
        """At a way along the pipe, or at x and y in the open, as the robot looked at the start."""
        if len(said.value) == 1:
            off = abs(1000 * self._nose.place().along - said.value[0])
            far = abs(said.value[0])
        else:
            there = self._facing @ np.array([*said.value, 0.0]) + 1000 * np.array(self._nose.start)
            off = hypot(*(1000 * np.array(self._nose.point) - there)[:2])
            far = hypot(*said.value)
        within = said.within or 0.0
        most = min(2 * within, max(EMPTY_SHARE * far, 2 * EMPTY))
        why = f"the nose is {off:.0f} mm from there, said within {within:.0f}"
        return Judgement(off <= most, why, held=off <= within)

    def _home(self, said: Statement) -> Judgement:
        along = self._nose.place().along
        return Judgement(along <= HOME_M, f"the nose is {1000 * along:.0f} mm from home")

    def _touch(self, said: Statement) -> Judgement:
        judged = self._way(said)
        if self._nose.tubes is not None:
            return judged
        by_nose = telling.NOSE in said.source
        near = self._nearest_block(self._noses if by_nose else self._modules)
        why = f"{judged.why}; the nearest thing was {1000 * near:.0f} mm away"
        at_hand = near <= (TOUCHED_M if by_nose else FELT_M)
        return Judgement(judged.true and at_hand, why, judged.held)

    def _no_touch(self, said: Statement) -> Judgement:
        near = self._nearest_block(self._modules)
        return Judgement(near > FELT_M, f"the nearest thing was {1000 * near:.0f} mm away")

    def _landmark(self, said: Statement) -> Judgement:
        names = {each.name for each in getattr(self._sim.world, "landmarks", ())}
        near = self._nearest_block(self._noses, names)
        return Judgement(near <= AT_HAND_M, f"the nearest is {1000 * near:.0f} mm away")

    @property
    def _noses(self) -> Iterable[Vec3]:
        """Where the nose was in the last seconds."""
        return [nose for _, nose in self._nose.trail] or [self._nose.point]

    @property
    def _modules(self) -> Iterable[Vec3]:
        """Where each module's front was in the last seconds."""
        return [(x, y, z) for fronts in self._fronts for x, y, z in fronts.tolist()]

    def _nearest_block(self, points: Iterable[Vec3], names: Collection[str] = ()) -> float:
        """To one of these, m: of those named, else of all that is solid but the floor."""
        wanted = [
            each
            for each in self._sim.plan.scenery.blocks
            if (each.name in names if names else each.solid and each.name != "floor")
        ]
        return min((_to_block(point, each) for point in points for each in wanted), default=inf)

    def _distance(self, said: Statement) -> Judgement:
        gone = 1000 * self._nose.covered
        return judged_number(said, gone, "the nose has gone {:.0f} mm there and back")

    def _temperature(self, said: Statement) -> Judgement:
        return judged_number(said, self._sim.world.temperature_c, "it has {:.0f} °C here")

    def _humidity(self, said: Statement) -> Judgement:
        damp = self._sim.world.humidity_percent
        return judged_number(said, damp, "the air has {:.0f} % of humidity")

    def _nowhere(self, said: Statement) -> Judgement:
        moved = 1000 * self._nose.moved()
        return Judgement(moved < 1000 * MOVED_M, f"the nose has moved {moved:.0f} mm in 4 s")

    def _stuck(self, said: Statement) -> Judgement:
        way, still = self._way(said), self._nowhere(said)
        return Judgement(way.true and still.true, f"{way.why}; {still.why}", way.held)


def _to_block(point: Vec3, block: Block) -> float:
    """Beside an upright box or pillar, m."""
    aside = _turned(block.turn).T @ np.subtract(point, block.at)
    if block.shape != "box":
        return max(hypot(aside[0], aside[1]) - block.size[0], 0.0)
    beyond = np.maximum(np.abs(aside[:2]) - block.size[:2], 0.0)
    return float(np.linalg.norm(beyond))


def _turned(turn: Quat) -> NDArray[np.float64]:
    """About the vertical."""
    w, _, _, z = turn
    yaw = 2 * atan2(z, w)
    return np.array([[cos(yaw), -sin(yaw), 0.0], [sin(yaw), cos(yaw), 0.0], [0.0, 0.0, 1.0]])
