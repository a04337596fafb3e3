"""Judges what a MICROTUB robot tells its operator, by the physics.

It stands outside the robot.  What it needs to know beyond this moment (which ends of the pipes the
nose has met, where it was some seconds ago) it gathers on the way.

===========  ===========================================================================
statement    is so when
===========  ===========================================================================
way          the nose is that far from home along the pipe, or as the crow flies in the
             open: within twice the stated interval, and within half the truth
place        something of the pipe (a corner of a tee) is there, within the same
end          an end of the pipe of that sort is within 80 mm of the nose
home         the nose is within 50 mm of where it began, or behind it
all seen     the nose has met every end of the network
legs left,   it has not
not all seen
bifurcation  a branch leaves there, within twice the interval
length       the two places of the pipe that are nearest to those on the map are that far
             apart, within twice the interval
break        a break is there, within the larger of 20 mm and 3 %
worked       a tool has worked on the wall there, within the same
hole,        a break is there, or none is, within the same
no hole
lost         that board is dead, hung, crashed, off, or cut off
missing      so many modules are not in the first one's piece, or do not run, or the bus is
             disturbed
alarm        (too hot) a winding of that module has 45 °C or more; (low voltage) less
             than a fifth is left in the battery; (does not follow) a servo of it is broken or
             3° from its target, or was in the 1.2 s that an alarm takes; (sensor) one of its
             sensors is broken; others are not judged
nowhere      the nose has moved by less than 20 mm in 4 s
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
touch        the way is so; in the open something stands within 50 mm of where the middle of
             the first module was in the last 4 s
landmark     one stands within 300 mm of the nose
arrived      the nose is at the place that was asked for, within the same
===========  ===========================================================================
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from math import atan2, cos, hypot, inf, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.electronics.circuit import Circuit
from annelid.kernel import seconds
from annelid.spec import Quat, Vec3
from annelid.systems.microtub.body_witness import BodyWitness
from annelid.systems.microtub.protocol.enums import EnvironmentInfo, RobotInfo
from annelid.systems.statement import EMPTY, EMPTY_SHARE, Judgement, Statement, judged_number
from annelid.worlds.scenery import Block
from annelid.worlds.tubes import TubeNetwork

LOOK_NS: Final = seconds(0.1)
BACK_NS: Final = seconds(4.0)
"""So far back it remembers where the nose was."""
MET_M: Final = 0.06
"""An end has been met by a nose that was this near."""
END_M: Final = 0.08
HOME_M: Final = 0.05
TOUCHED_M: Final = 0.05
AT_HAND_M: Final = 0.3
SIGHT_M: Final = 0.15
"""So far from the nose something may be that is told without its place."""
STEP_M: Final = 0.005
"""Swaying by less is no way."""
MOVED_M: Final = 0.02
BREAK_M, BREAK_SHARE = 0.020, 0.03


class MicrotubWitness:
    """Of one run."""

    def __init__(self, circuit: Circuit) -> None:
        self._sim = circuit.sim
        self._body = BodyWitness(circuit)
        self._tubes: TubeNetwork | None = self._sim.plan.scenery.tubes
        self._start = self._nose()
        self._facing = _turned(self._sim.plan.scenery.start.turn)
        """What the robot calls ahead, left and up at the start, in the world."""
        self._met: set[int] = set()
        """Ends of the network, by their tube."""
        self._ends = {} if self._tubes is None else self._tubes.ends()
        self._been: set[str] = set()
        """Parts of the pipes that the nose has been in."""
        self._trail: deque[tuple[int, Vec3]] = deque()
        self._next_ns = 0
        self._mark = self._covered = 0.0
        """Of the way there and back, m: where it was last counted, and how much it is."""
        self._judges: dict[str, Callable[[Statement], Judgement | None]] = {
            "way": self._way,
            "end": self._end,
            "home": self._home,
            "reckoned home": lambda _: NOTHING_CLAIMED,
            "all seen": self._all_seen,
            "legs left": self._legs_left,
            "not all seen": self._legs_left,
            "in doubt": lambda _: NOTHING_CLAIMED,
            "out of sight": lambda _: NOTHING_CLAIMED,
            "place": self._branch,
            "bifurcation": self._branch,
            "length": self._length,
            "break": self._break,
            "worked": self._worked,
            "hole": self._break,
            "no hole": self._no_hole,
            **self._body.judges,
            RobotInfo.DISTANCE.meaning: self._distance,
            EnvironmentInfo.TEMPERATURE.meaning: self._temperature,
            EnvironmentInfo.HUMIDITY.meaning: self._humidity,
            EnvironmentInfo.BORE.meaning: self._bore,
            "nowhere": self._nowhere,
            "height": self._height,
            "arrived": self._arrived,
            "inside": self._inside,
            "touch": self._touch,
            "landmark": self._landmark,
            "reckoned there": lambda _: NOTHING_CLAIMED,
        }

    def look(self) -> None:
        now = self._sim.now_ns
        if now < self._next_ns:
            return
        self._next_ns = now + LOOK_NS
        nose, along = self._nose(), self._along()
        if abs(along - self._mark) > STEP_M:
            self._covered += abs(along - self._mark)
            self._mark = along
        self._body.look()
        if self._tubes is not None:
            self._been.add(self._tubes.locate(nose).tube.part)
        self._trail.append((now, nose))
        while self._trail[0][0] < now - BACK_NS:
            self._trail.popleft()
        for tube, point in self._ends.items():
            if _apart(nose, point) <= MET_M:
                self._met.add(tube)

    def judge(self, statement: Statement) -> Judgement | None:
        judge = self._judges.get(statement.what)
        return None if judge is None else judge(statement)

    def owed(self) -> Mapping[str, str]:
        return {}

    # -- the truth -----------------------------------------------------------------------------

    def _nose(self) -> Vec3:
        x, y, z = self._sim.poses()[0][:3].tolist()
        return x, y, z

    def _along(self) -> float:
        """Of the nose from where it began: along the pipe, or as the crow flies in the open, and
        beyond the end of a pipe."""
        nose = self._nose()
        if self._tubes is None:
            return _apart(nose, self._start)
        there = self._tubes.locate(nose)
        end = there.tube.along + there.tube.length
        number = self._tubes.tubes.index(there.tube)
        out = number in self._ends and there.along >= end
        beyond = _apart(nose, self._ends[number]) if out else 0.0
        return self._sim.world.progress(nose) + beyond - self._sim.world.progress(self._start)

    # -- kinds ---------------------------------------------------------------------------------

    def _way(self, said: Statement) -> Judgement:
        if said.value is None:
            return NOTHING_CLAIMED
        return judged_number(said, 1000 * self._along(), "the nose is {:.0f} mm from home")

    def _height(self, said: Statement) -> Judgement:
        above = 1000 * (self._nose()[2] - self._start[2])
        return judged_number(said, above, "the nose is {:.0f} mm above home")

    def _arrived(self, said: Statement) -> Judgement:
        """At a way along the pipe, or at x and y in the open, as the robot looked at the start."""
        if len(said.value) == 1:
            off = abs(1000 * self._along() - said.value[0])
            far = abs(said.value[0])
        else:
            there = self._facing @ np.array([*said.value, 0.0]) + 1000 * np.array(self._start)
            off = hypot(*(1000 * np.array(self._nose()) - there)[:2])
            far = hypot(*said.value)
        within = said.within or 0.0
        most = min(2 * within, max(EMPTY_SHARE * far, 2 * EMPTY))
        why = f"the nose is {off:.0f} mm from there, said within {within:.0f}"
        return Judgement(off <= most, why, held=off <= within)

    def _end(self, said: Statement) -> Judgement:
        if self._tubes is None:
            return Judgement(False, "there is no pipe here")
        nose = self._nose()
        near = [tube for tube, point in self._ends.items() if _apart(nose, point) <= END_M]
        if not near:
            nearest = min(_apart(nose, point) for point in self._ends.values())
            return Judgement(False, f"the nearest end is {1000 * nearest:.0f} mm from the nose")
        sorts = {"closed" if self._tubes.tubes[tube].closed_end else "open" for tube in near}
        return Judgement(said.value in sorts, f"the end at the nose is {' and '.join(sorts)}")

    def _touch(self, said: Statement) -> Judgement:
        judged, near = self._way(said), self._nearest_block(solid=True)
        if self._tubes is not None or near <= TOUCHED_M:
            return judged
        return Judgement(False, f"the nearest thing was {1000 * near:.0f} mm away", judged.held)

    def _landmark(self, said: Statement) -> Judgement:
        names = {each.name for each in getattr(self._sim.world, "landmarks", ())}
        near = self._nearest_block(names=names)
        return Judgement(near <= AT_HAND_M, f"the nearest is {1000 * near:.0f} mm away")

    def _nearest_block(self, names: Collection[str] = (), *, solid: bool = False) -> float:
        """To where the nose was in the last seconds, m: of those named, or of all but the floor."""
        blocks = self._sim.plan.scenery.blocks
        wanted = [
            each
            for each in blocks
            if each.name in names or (solid and each.solid and each.name != "floor")
        ]
        noses = [nose for _, nose in self._trail] or [self._nose()]
        return min((_to_block(nose, each) for nose in noses for each in wanted), default=inf)

    def _inside(self, said: Statement) -> Judgement:
        deep = -inf if self._tubes is None else float(self._tubes.clearance(self._nose())[0])
        return Judgement(deep > 0, f"the nose is {1000 * deep:.0f} mm from the wall of a pipe")

    def _home(self, said: Statement) -> Judgement:
        along = self._along()
        return Judgement(along <= HOME_M, f"the nose is {1000 * along:.0f} mm from home")

    def _all_seen(self, said: Statement) -> Judgement:
        return Judgement(not self._unmet, f"{self._unmet} of {len(self._ends)} ends were not met")

    def _legs_left(self, said: Statement) -> Judgement:
        why = f"{self._unmet} of {len(self._ends)} ends were not met"
        return Judgement(self._unmet > 0, why)

    @property
    def _unmet(self) -> int:
        return len(self._ends.keys() - self._met)

    def _branch(self, said: Statement) -> Judgement:
        tubes = () if self._tubes is None else self._tubes.tubes
        corners = [1000 * tube.along for tube in tubes if tube.branch]
        if said.value is None:
            return NOTHING_CLAIMED if said.what == "place" else self._near(corners, "bifurcation")
        return _nearest(said, corners, 2 * (said.within or 0.0), "bifurcation")

    def _length(self, said: Statement) -> Judgement:
        """Between the two places of the true pipe that are nearest to those on the map, along the
        way to where the nose is, or to anywhere it has been."""
        if self._tubes is None:
            return Judgement(False, "there is no pipe here")
        here = self._tubes.locate(self._nose()).tube.part
        judged = [self._between(said, part) for part in (here, *sorted(self._been - {here}))]
        return next((each for each in judged if each.true), judged[0])

    def _between(self, said: Statement, part: str) -> Judgement:
        begin, end = said.value
        places = self._places(part)
        true = [min(places, key=lambda place: abs(place - each)) for each in (begin, end)]
        told = replace(said, value=end - begin)
        return judged_number(told, true[1] - true[0], "the nearest two places are {:.0f} mm apart")

    def _places(self, part: str) -> list[float]:
        """Ways, mm, of all on the way to a part of the pipes that belongs on a map."""
        tubes = self._tubes
        assert tubes is not None
        route = tubes.route_to(part)
        numbers = {tubes.tubes.index(tube) for tube in route}
        found = [0.0]
        home = self._sim.world.progress(self._start)
        found += [tube.along + tube.length / 2 - home for tube in route if tube.bent]
        for number, tube in enumerate(tubes.tubes):
            if tube.branch and tube.parent in numbers:
                found.append(tube.along - home)
            if number in numbers and number in self._ends:
                found.append(tube.along + tube.length - home)
        return [1000 * each for each in found]

    def _break(self, said: Statement) -> Judgement:
        places = self._breaks()
        if said.value is None:
            return self._near(places, "break")
        return _nearest(said, places, _about(said.value), "break")

    def _no_hole(self, said: Statement) -> Judgement:
        if said.value is None:
            return NOTHING_CLAIMED
        off = min((abs(each - said.value) for each in self._breaks()), default=inf)
        return Judgement(off > _about(said.value), f"the nearest break is {off:.0f} mm from there")

    def _worked(self, said: Statement) -> Judgement:
        places = [1000 * work.way for work in self._sim.wall.done]
        if said.value is None:
            return Judgement(bool(places), f"tools have worked {len(places)} times")
        return _nearest(said, places, _about(said.value), "work of a tool")

    def _breaks(self) -> list[float]:
        """Of the wall as it is now: their ways from the inlet, mm."""
        network = self._sim.wall.network
        if network is None:
            return []
        return [1000 * (network.tube(b.part).along + b.along) for b in network.breaks]

    def _near(self, places: list[float], what: str) -> Judgement:
        """Told without a number: it must be about where the nose is."""
        here = 1000 * self._along()
        off = min((abs(each - here) for each in places), default=inf)
        return Judgement(off <= 1000 * SIGHT_M, f"the nearest {what} is {off:.0f} mm from the nose")

    def _distance(self, said: Statement) -> Judgement:
        gone = 1000 * self._covered
        return judged_number(said, gone, "the nose has gone {:.0f} mm there and back")

    def _temperature(self, said: Statement) -> Judgement:
        return judged_number(said, self._sim.world.temperature_c, "it has {:.0f} °C here")

    def _humidity(self, said: Statement) -> Judgement:
        damp = self._sim.world.humidity_percent
        return judged_number(said, damp, "the air has {:.0f} % of humidity")

    def _bore(self, said: Statement) -> Judgement:
        if self._tubes is None:
            return Judgement(False, "there is no pipe here")
        here = self._tubes.locate(self._nose())
        truth = 2e4 * here.tube.radius(here.along - here.tube.along)
        return judged_number(said, truth, "the pipe's bore is {:.0f} tenths of a mm")

    def _nowhere(self, said: Statement) -> Judgement:
        then = self._trail[0][1] if self._trail else self._start
        moved = 1000 * _apart(self._nose(), then)
        return Judgement(moved < 1000 * MOVED_M, f"the nose has moved {moved:.0f} mm in 4 s")


NOTHING_CLAIMED: Final = Judgement(True, "nothing is claimed that could be wrong")


def _about(value: float) -> float:
    """How far off a place on the wall may be told, mm."""
    return 1000 * max(BREAK_M, BREAK_SHARE * abs(value) / 1000)


def _nearest(said: Statement, truths: list[float], allowed: float, what: str) -> Judgement:
    if not truths:
        return Judgement(False, f"there is no {what}")
    truth = min(truths, key=lambda each: abs(each - said.value))
    off = abs(truth - said.value)
    why = f"the nearest {what} is at {truth:.0f} mm, said {said.value} ± {said.within or 0:.0f}"
    return Judgement(off <= allowed, why, held=off <= (said.within or 0.0))


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


def _apart(one: Vec3, other: Vec3) -> float:
    return float(np.linalg.norm(np.subtract(one, other)))
