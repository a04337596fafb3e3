"""Where the nose of a robot really is, and where it has been: for the witness."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.kernel import seconds
from annelid.physics.simulation import Simulation
from annelid.spec import Vec3
from annelid.worlds.tubes import Location, Tube, TubeNetwork

BACK_NS: Final = seconds(4.0)
"""So far back it remembers where the nose was."""
STEP_M: Final = 0.005
"""Swaying by less is no way."""
MET_M: Final = 0.06
"""An end has been met by a nose that was this near."""
OUT_M: Final = -0.01
"""A nose that is this far from the bore of all pipes is out of them."""


@dataclass(frozen=True, slots=True)
class NosePlace:
    """Of one moment."""

    point: Vec3
    along: float
    """From where it began: along the pipe, or as the crow flies in the open, and beyond the end of
    a pipe, m."""
    pipe: Location | None
    """None: there is no pipe in this world."""


class TrueNose:
    """Of one run."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self.tubes: TubeNetwork | None = sim.plan.scenery.tubes
        self.ends = {} if self.tubes is None else self.tubes.ends()
        """Where pipes end, by the number of their tube."""
        self.seams = {} if self.tubes is None else self.tubes.seams()
        """Where loops close; a loop has no end, and is seen by who has been there."""
        self.start = self.point
        self._home = sim.world.progress(self.start)
        self.met: list[int] = []
        """Ends that it has been at, by their tube, the last one last."""
        self.closed: set[int] = set()
        """Seams that it has been at."""
        self.been: set[str] = set()
        """Parts of the pipes that it has been in."""
        self.trail: deque[tuple[int, Vec3]] = deque()
        """When it was where, in the last seconds."""
        self.covered = 0.0
        """There and back, m."""
        self._mark = 0.0
        """Where that was last counted."""

    @property
    def point(self) -> Vec3:
        x, y, z = self._sim.poses()[0][:3].tolist()
        return x, y, z

    def place(self) -> NosePlace:
        """Where it is now."""
        point = self.point
        if self.tubes is None:
            return NosePlace(point, apart(point, self.start), None)
        pipe = self.tubes.locate(point)
        if (left := self.left_by(point, pipe)) is not None:
            tube = self.tubes.tubes[left]
            along = tube.along + tube.length + apart(point, self.ends[left])
        else:
            along = pipe.along if pipe.along > 0 else self._sim.world.progress(point)
        return NosePlace(point, along - self._home, pipe)

    def left_by(self, point: Vec3, pipe: Location) -> int | None:
        """The end that it is out of: the one before it, or, far outside, the last it was at."""
        assert self.tubes is not None
        number = self.tubes.tubes.index(pipe.tube)
        if number in self.ends and pipe.along >= pipe.tube.along + pipe.tube.length:
            return number
        out = bool(self.met) and self.tubes.clearance(point)[0] < OUT_M
        return self.met[-1] if out else None

    def look(self) -> None:
        """Remember where it is now; ten times a second."""
        here, now = self.place(), self._sim.now_ns
        if abs(here.along - self._mark) > STEP_M:
            self.covered += abs(here.along - self._mark)
            self._mark = here.along
        if here.pipe is not None:
            self.been.add(here.pipe.tube.part)
        for tube, point in self.ends.items():
            if apart(here.point, point) <= MET_M:
                self.met = [*(each for each in self.met if each != tube), tube]
        self.closed |= {k for k, point in self.seams.items() if apart(here.point, point) <= MET_M}
        self.trail.append((now, here.point))
        while self.trail[0][0] < now - BACK_NS:
            self.trail.popleft()

    def way(self, along: float) -> float:
        """From where it began, m, of a place that is so far from the inlet."""
        return along - self._home

    def moved(self) -> float:
        """Between some seconds ago and now, m."""
        then = self.trail[0][1] if self.trail else self.start
        return apart(self.point, then)

    def routes(self, part: str) -> list[tuple[Tube, ...]]:
        """From the inlet to this part, and on to all those behind it where it has been."""
        assert self.tubes is not None
        here = self.tubes.route_to(part)
        others = (self.tubes.route_to(each) for each in sorted(self.been - {part}))
        return [here, *(each for each in others if each[: len(here)] == here)]


def apart(one: Vec3, other: Vec3) -> float:
    return float(np.linalg.norm(np.subtract(one, other)))
