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
        self.start = self.point
        self._home = sim.world.progress(self.start)
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
        along = pipe.along if pipe.along > 0 else self._sim.world.progress(point)
        return NosePlace(point, along + self._beyond(point, pipe) - self._home, pipe)

    def _beyond(self, point: Vec3, pipe: Location) -> float:
        """How far it is out of the end of a pipe, m."""
        assert self.tubes is not None
        number = self.tubes.tubes.index(pipe.tube)
        out = number in self.ends and pipe.along >= pipe.tube.along + pipe.tube.length
        return apart(point, self.ends[number]) if out else 0.0

    def look(self) -> NosePlace:
        """Remember where it is now."""
        here, now = self.place(), self._sim.now_ns
        if abs(here.along - self._mark) > STEP_M:
            self.covered += abs(here.along - self._mark)
            self._mark = here.along
        if here.pipe is not None:
            self.been.add(here.pipe.tube.part)
        self.trail.append((now, here.point))
        while self.trail[0][0] < now - BACK_NS:
            self.trail.popleft()
        return here

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
