"""A robot that knows the network walks through all of it and tells a map what happens."""

from __future__ import annotations

from collections.abc import Callable
from math import atan2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annelid.systems.microtub.mapping import PipeBranch, PipeMap
from annelid.worlds.pipe_world import Pipe
from annelid.worlds.tubes import Tube, TubeNetwork

NETWORK: dict[str, Any] = {
    "parts": [
        {"part": "straight", "length_mm": 300},
        {"part": "elbow"},
        {"part": "straight", "length_mm": 200},
        {"part": "tee", "run_mm": 120, "branch_mm": 100, "roll_deg": 90},
        {"part": "elbow", "roll_deg": 30},
        {"part": "straight", "length_mm": 150},
        {"part": "cap"},
        {"part": "straight", "length_mm": 200, "at": "tee1.branch"},
    ],
    "breaks": [{"part": "straight2", "along_mm": 100, "clock_deg": 30}],
}
"""An elbow, a break, a tee with a branch upwards, and an elbow out of the plane."""


def network(**changes: Any) -> TubeNetwork:
    return Pipe.parse({**NETWORK, **changes}, where="test").tubes()


def exact(distance: float) -> float:
    return distance


class Explorer:
    """Depth first: into every branch and back, then on."""

    def __init__(
        self,
        pipes: TubeNetwork,
        *,
        odometer: Callable[[float], float] = exact,
        confirm: bool = False,
    ) -> None:
        """``confirm``: bends are reported on the way back as well."""
        self.map = PipeMap()
        self.network = pipes
        self.odometer = odometer
        self.confirm = confirm

    def explore(self) -> PipeMap:
        self._into(0)
        return self.map

    def advance(self, distance: float) -> float:
        """The way as the odometer has it."""
        measured = self.odometer(distance)
        self.map.advance(measured)
        return measured

    def _into(self, index: int) -> float:
        """Everything from this tube on; the way to the end of its run."""
        tube = self.network.tubes[index]
        for hole in self.network.breaks:
            if hole.part == tube.part and not tube.bent:
                _, tangent, up = tube.frame(hole.along)
                side = np.cos(hole.clock) * up + np.sin(hole.clock) * np.cross(tangent, up)
                self.map.break_seen(hole.along, direction(tube, side))
        gone = 0.0
        if tube.bent:
            bend = self.advance(tube.length)
            gone = tube.length
            self.map.turned(direction(tube, np.array(tube.bend_normal)), tube.angle, bend)
        for number, other in enumerate(self.network.tubes):
            if other.branch and other.parent == index:
                self.advance(other.along - tube.along - gone)
                gone = other.along - tube.along
                self._branch(tube, number, other)
        self.advance(tube.length - gone)
        onward = self._onward(index)
        if onward is None:
            self.map.dead_end()
            return tube.length
        return tube.length + self._into(onward)

    def _branch(self, run: Tube, number: int, branch: Tube) -> None:
        angle = float(np.arccos(np.clip(np.dot(run.tangent, branch.tangent), -1, 1)))
        ways = [PipeBranch(), PipeBranch(direction(run, np.array(branch.tangent)), angle)]
        self.map.junction("tee", ways, 1)
        self._into(number)
        self.map.reversed()
        self._back(number)
        self.map.reversed()
        self.map.junction("tee", ways, 0)

    def _back(self, index: int) -> None:
        """From the end of the run to the beginning of a tube, tail first."""
        onward = self._onward(index)
        if onward is not None:
            self._back(onward)
        tube = self.network.tubes[index]
        self.advance(tube.length)
        if tube.bent and self.confirm:
            self.map.turned(0.0, tube.angle, tube.length)

    def _onward(self, index: int) -> int | None:
        for number, tube in enumerate(self.network.tubes):
            if tube.parent == index and not tube.branch:
                return number
        return None


def direction(tube: Tube, side: NDArray[np.float64]) -> float:
    """Angle round the heading at the start of a tube, 0 left, 90° up."""
    up, heading = np.array(tube.up), np.array(tube.tangent)
    return atan2(float(side @ up), float(side @ np.cross(up, heading)))
