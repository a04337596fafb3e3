"""Judges what a robot says of the pipes: ends, branches, bends, slopes, breaks, lengths.

The table of all statements is in ``witness``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from math import asin, degrees, inf
from typing import Final

import numpy as np

from annelid.electronics.circuit import Circuit
from annelid.systems.microtub.behaviours.surroundings import NARROW
from annelid.systems.microtub.protocol.enums import EnvironmentInfo
from annelid.systems.microtub.true_nose import NosePlace, TrueNose, apart
from annelid.systems.statement import NOTHING_CLAIMED, Judgement, Statement, judged_number
from annelid.worlds.tubes import Tube

END_M: Final = 0.08
SIGHT_M: Final = 0.15
"""So far from the nose something may be that is told without its place."""
BODY_M: Final = 0.25
"""The same of what the joints have felt: they are behind the nose."""
MOVED_M: Final = 0.02
"""A nose that has moved less in some seconds has got nowhere."""
WIDE_M: Final = NARROW - 0.0015
"""From this bore on a pipe may be called too wide: a nose tells bores within 1.5 mm."""
SLOPE_STEP_M: Final = 0.01
BREAK_M, BREAK_SHARE = 0.020, 0.03
NO_PIPE: Final = Judgement(False, "there is no pipe here")


class PipeWitness:
    """Of one run."""

    def __init__(self, circuit: Circuit, nose: TrueNose) -> None:
        self._sim = circuit.sim
        self._nose = nose
        self._told: set[int] = set()
        """Ends of which the robot has said what they are, by their tube."""

    @property
    def judges(self) -> Mapping[str, Callable[[Statement], Judgement | None]]:
        """By what is said."""
        return {
            "end": self._end,
            "end at": self._end_at,
            "all seen": self._all_seen,
            "legs left": self._legs_left,
            "not all seen": self._legs_left,
            "in doubt": lambda _: NOTHING_CLAIMED,
            "perhaps stuck": lambda _: NOTHING_CLAIMED,
            "perhaps side": lambda _: NOTHING_CLAIMED,
            "out of sight": lambda _: NOTHING_CLAIMED,
            "place": self._branch,
            "bifurcation": self._branch,
            "side": lambda said: self._at_one_of(said, self._turns(beside=True), "branch or bend"),
            "turned": self._turned,
            "bend or end": self._bend_or_end,
            "steep": self._steep,
            "steep or end": self._steep_or_end,
            "length": self._length,
            "break": self._break,
            "worked": self._worked,
            "hole": self._break,
            "no hole": self._no_hole,
            "inside": self._inside,
            "no pipe": self._no_pipe,
            "out of pipe": self._out_of_pipe,
            "nowhere or out": self._nowhere_or_out,
            "too wide": self._too_wide,
            EnvironmentInfo.BORE.meaning: self._bore,
        }

    # -- ends ------------------------------------------------------------------------------------

    def _end(self, said: Statement) -> Judgement:
        judged = self._ends_here(said)
        if judged.true:
            self._told |= self._at_ends()
        return judged

    def _ends_here(self, said: Statement) -> Judgement:
        tubes = self._nose.tubes
        if tubes is None:
            return NO_PIPE
        near = self._at_ends()
        if not near:
            nose = self._nose.point
            nearest = min(apart(nose, point) for point in self._nose.ends.values())
            return Judgement(False, f"the nearest end is {1000 * nearest:.0f} mm from the nose")
        sorts = {"closed" if tubes.tubes[tube].closed_end else "open" for tube in near}
        return Judgement(said.value in sorts, f"the end at the nose is {' and '.join(sorts)}")

    def _at_ends(self) -> set[int]:
        """Those at the nose, and the one that it is out of, by their tube."""
        here = self._nose.place()
        if here.pipe is None:
            return set()
        near = {n for n, point in self._nose.ends.items() if apart(here.point, point) <= END_M}
        left = self._nose.left_by(here.point, here.pipe)
        return near if left is None else {*near, left}

    def _end_at(self, said: Statement) -> Judgement:
        """By the way of the end that is at the nose, or else of the nose."""
        if said.value is None:
            return NOTHING_CLAIMED
        tubes, near = self._nose.tubes, self._at_ends()
        if tubes is None or not near:
            here = 1000 * self._nose.place().along
            return judged_number(said, here, "the nose is {:.0f} mm from home, and at no end")
        ends = [tubes.tubes[number] for number in near]
        ways = [self._way(tube.along + tube.length) for tube in ends]
        truth = min(ways, key=lambda each: abs(each - said.value))
        return judged_number(said, truth, "the pipe ends {:.0f} mm from home")

    def _nowhere_or_out(self, said: Statement) -> Judgement:
        moved, end = 1000 * self._nose.moved(), self._ends_here(replace(said, value="open"))
        why = f"the nose has moved {moved:.0f} mm in 4 s; {end.why}"
        return Judgement(moved < 1000 * MOVED_M or end.true, why)

    def _all_seen(self, said: Statement) -> Judgement:
        return Judgement(not self.unmet, self._unmet_words)

    def _legs_left(self, said: Statement) -> Judgement:
        """An end that the nose came near to and that the robot has not told was not seen."""
        untold = len(self._nose.ends.keys() - self._told)
        why = f"{self._unmet_words}, {untold} not told"
        return Judgement(self.unmet > 0 or untold > 0, why)

    @property
    def unmet(self) -> int:
        """Ends of the network, and places where its loops close, that the nose has not been at."""
        nose = self._nose
        return len(nose.ends.keys() - set(nose.met)) + len(nose.seams.keys() - nose.closed)

    @property
    def _unmet_words(self) -> str:
        all_of_them = len(self._nose.ends) + len(self._nose.seams)
        return f"{self.unmet} of {all_of_them} ends were not met"

    def _inside(self, said: Statement) -> Judgement:
        deep = self._deep()
        return Judgement(deep > 0, f"the nose is {1000 * deep:.0f} mm from the wall of a pipe")

    def _no_pipe(self, said: Statement) -> Judgement:
        deep = self._deep()
        return Judgement(deep <= 0, f"the nose is {1000 * deep:.0f} mm from the wall of a pipe")

    def _out_of_pipe(self, said: Statement) -> Judgement:
        out, end = self._no_pipe(said), self._end(said)
        return Judgement(out.true or end.true, f"{out.why}; {end.why}")

    def _deep(self) -> float:
        """From the wall of a pipe that the nose is in, m."""
        tubes = self._nose.tubes
        return -inf if tubes is None else float(tubes.clearance(self._nose.point)[0])

    def _bore(self, said: Statement) -> Judgement:
        bore = self._bore_here()
        if bore is None:
            return NO_PIPE
        return judged_number(said, 1e4 * bore, "the pipe's bore is {:.0f} tenths of a mm")

    def _too_wide(self, said: Statement) -> Judgement:
        bore = self._bore_here()
        if bore is None:
            return NO_PIPE
        return Judgement(bore > WIDE_M, f"the pipe's bore is {1000 * bore:.1f} mm")

    def _bore_here(self) -> float | None:
        """At the nose, m; None: there is no pipe."""
        here = self._nose.place().pipe
        return None if here is None else 2 * here.tube.radius(here.along - here.tube.along)

    # -- branches, bends and slopes --------------------------------------------------------------

    def _branch(self, said: Statement) -> Judgement:
        corners = [self._way(branch.along) for branch in self._branches]
        if said.value is None:
            return NOTHING_CLAIMED if said.what == "place" else self._near(corners, "bifurcation")
        return _nearest(said, corners, 2 * (said.within or 0.0), "bifurcation")

    @property
    def _branches(self) -> list[Tube]:
        tubes = self._nose.tubes
        return [] if tubes is None else [tube for tube in tubes.tubes if tube.branch]

    def _turns(self, *, beside: bool = False) -> Iterator[tuple[float, float]]:
        """Where the pipe between home and some way ahead of the nose turns, mm: bends, branches
        that it leads into, and, ``beside``, those that it passes."""
        tubes, here = self._nose.tubes, self._nose.place()
        if tubes is None or here.pipe is None:
            return
        route = tubes.route_to(here.pipe.tube.part)
        for tube in tubes.tubes:
            on_it = tube in route or here.pipe.tube in tubes.route_to(tube.part)
            if tube.bent and on_it:
                yield self._way(tube.along), self._way(tube.along + tube.length)
            if tube.branch and (on_it or (beside and tubes.tubes[tube.parent] in route)):
                yield self._way(tube.along), self._way(tube.along)

    def _at_one_of(
        self, said: Statement, stretches: Iterator[tuple[float, float]], what: str
    ) -> Judgement:
        """One of them is where it was said, or about where the joints are."""
        if said.value is None:
            place, allowed = 1000 * self._nose.place().along, 1000 * BODY_M
        else:
            place, allowed = float(said.value), 2 * (said.within or 0.0)
        off = min((max(a - place, place - b, 0.0) for a, b in stretches), default=inf)
        held = None if said.value is None else off <= (said.within or 0.0)
        return Judgement(off <= allowed, f"the nearest {what} is {off:.0f} mm from there", held)

    def _turned(self, said: Statement) -> Judgement:
        return self._at_one_of(said, self._turns(), "bend on its way")

    def _bend_or_end(self, said: Statement) -> Judgement:
        bend, end = self._turned(said), self._ends_here(replace(said, value="open"))
        return Judgement(bend.true or end.true, f"{bend.why}; {end.why}")

    def _steep(self, said: Statement) -> Judgement:
        """The pipe about the nose rises by more than so many degrees; less than 0: falls."""
        here = self._nose.place()
        if here.pipe is None:
            return NO_PIPE
        rising = list(self._slopes(here))
        steepest = max(rising) if said.value > 0 else -min(rising)
        why = f"the steepest near the nose is {steepest:.0f}°, said more than {abs(said.value)}°"
        return Judgement(steepest >= abs(said.value), why)

    def _slopes(self, here: NosePlace) -> Iterator[float]:
        """Of the pipe from before to behind the nose, by all ways on, degrees; up positive."""
        tubes = self._nose.tubes
        assert tubes is not None
        assert here.pipe is not None
        steps = np.arange(-SIGHT_M, SIGHT_M, SLOPE_STEP_M)
        for tube in tubes.tubes:
            route = tubes.route_to(tube.part)
            if here.pipe.tube not in route:
                continue
            for step in steps:
                tangent = tubes.frame_at(here.pipe.along + float(step), route=route)[1]
                yield degrees(asin(min(max(float(tangent[2]), -1.0), 1.0)))

    def _steep_or_end(self, said: Statement) -> Judgement:
        steep, end = self._steep(said), self._end(replace(said, value="open"))
        return Judgement(steep.true or end.true, f"{steep.why}; {end.why}")

    # -- lengths ---------------------------------------------------------------------------------

    def _length(self, said: Statement) -> Judgement:
        """Between the two places of the true pipe that are nearest to those on the map, along the
        way to where the nose is, or on to where it has been."""
        here = self._nose.place().pipe
        if here is None:
            return NO_PIPE
        judged = [self._between(said, route) for route in self._nose.routes(here.tube.part)]
        return next((each for each in judged if each.true), judged[0])

    def _between(self, said: Statement, route: tuple[Tube, ...]) -> Judgement:
        begin, end = said.value
        places = self._places(route)
        true = [min(places, key=lambda place: abs(place - each)) for each in (begin, end)]
        told = replace(said, value=end - begin)
        return judged_number(told, true[1] - true[0], "the nearest two places are {:.0f} mm apart")

    def _places(self, route: tuple[Tube, ...]) -> list[float]:
        """Ways, mm, of all along a route that belongs on a map."""
        tubes = self._nose.tubes
        assert tubes is not None
        numbers = {tubes.tubes.index(tube) for tube in route}
        found = [0.0]
        found += [self._way(tube.along + tube.length / 2) for tube in route if tube.bent]
        found += [self._way(b.along) for b in self._branches if b.parent in numbers]
        for number in numbers & self._nose.ends.keys():
            tube = tubes.tubes[number]
            found.append(self._way(tube.along + tube.length))
        return found

    # -- breaks ----------------------------------------------------------------------------------

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
        places = [self._way(work.way) for work in self._sim.wall.done]
        if said.value is None:
            return Judgement(bool(places), f"tools have worked {len(places)} times")
        return _nearest(said, places, _about(said.value), "work of a tool")

    def _breaks(self) -> list[float]:
        """Of the wall as it is now: their ways from home, mm."""
        network = self._sim.wall.network
        if network is None:
            return []
        return [self._way(network.tube(b.part).along + b.along) for b in network.breaks]

    def _near(self, places: list[float], what: str) -> Judgement:
        """Told without a number: it must be about where the nose is."""
        here = 1000 * self._nose.place().along
        off = min((abs(each - here) for each in places), default=inf)
        return Judgement(off <= 1000 * SIGHT_M, f"the nearest {what} is {off:.0f} mm from the nose")

    def _way(self, along: float) -> float:
        """From where the nose began, mm, of a place so far from the inlet, m."""
        return 1000 * self._nose.way(along)


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
