"""The wall of the pipes as it is now: tools make holes in it, and close breaks.

A tool's tip works when it comes to the wall, once for each time it is brought there; a robot that
is set down askew may begin with one there, which does nothing.  Sensors see
the wall as it is afterwards.  What presses on what is not simulated: a tip goes into the wall as
far as its servo moves it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from math import atan2, cos, degrees, pi
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.robot.body import Tip
from annelid.worlds.tubes import Break, TubeNetwork

if TYPE_CHECKING:
    from annelid.physics.simulation import Simulation

Floats = NDArray[np.float64]

AT_WALL: Final = 0.001
"""A tip this near to the wall is at it, m."""
AWAY: Final = 0.003
"""A tip this far from it has been drawn back, m."""
DEEP: Final = -0.006
"""A tip this deep behind it has not come through it: it is outside the pipes, m."""
TURN: Final = cos(20 * pi / 180)
"""A patch covers a break that lies at most 20° beside it, round the pipe."""


@dataclass(frozen=True)
class WallWork:
    """What a tool has done."""

    tool: str
    """``G1.drill``"""
    what: str
    """``hole made``, ``break closed``, ``patch on sound wall``"""
    part: str
    """Of the pipe."""
    along: float
    """m, from the start of that part."""
    clock: float
    """rad, from the top to the right."""
    way: float
    """m, from the inlet."""

    @property
    def detail(self) -> Mapping[str, Any]:
        return {
            "part": self.part,
            "along_mm": round(1000 * self.along, 1),
            "clock_deg": round(degrees(self.clock) % 360, 1),
        }


class PipeWall:
    """Of one simulation; in a world without pipes there is nothing to work on."""

    def __init__(self, network: TubeNetwork | None) -> None:
        self.network = network
        self.table: Floats | None = None if network is None else network.to_array()
        """For rays."""
        self.done: list[WallWork] = []
        """By tools, from the beginning."""
        self._at_work: set[str] = set()
        self._tips: dict[str, tuple[str, Tip]] | None = None

    def look(self, sim: Simulation) -> Iterator[WallWork]:
        """Work that has been done since the last look, if looks are a hundredth of a second
        apart."""
        network = self.network
        if network is None:
            return
        for name, (body, tip) in self._of(sim).items():
            frame = sim.data.body(body)
            turn = frame.xmat.reshape(3, 3)
            at = frame.xpos + turn @ np.array(tip.at)
            left = float(network.clearance(at)[0])
            if left > AWAY:
                self._at_work.discard(name)
            elif left <= AT_WALL and name not in self._at_work:
                self._at_work.add(name)
                if (
                    sim.steps == 0
                    or left < DEEP
                    or not _meets(network, at, turn @ np.array(tip.direction))
                ):
                    continue
                self.done.append(self._work(network, name, tip, at))
                yield self.done[-1]

    def _of(self, sim: Simulation) -> Mapping[str, tuple[str, Tip]]:
        """Tips by name, with the engine's name of the body they are on."""
        if self._tips is None:
            self._tips = {
                f"{module.name}.{tip.name}": (f"{module.name}/{tip.part}", tip)
                for module in sim.robot.modules
                for tip in module.body.tips
            }
        return self._tips

    def _work(self, network: TubeNetwork, name: str, tip: Tip, at: Floats) -> WallWork:
        part, along, clock = _place(network, at)
        way = network.tube(part).along + along
        if tip.does == "bore":
            made = Break(part, along, clock, "hole", tip.size, tip.size)
            self._change(network, (*network.breaks, made))
            return WallWork(name, "hole made", part, along, clock, way)
        left = tuple(
            each
            for each in network.breaks
            if each.part != part
            or abs(each.along - along) > tip.size
            or cos(each.clock - clock) < TURN
        )
        closed = len(left) < len(network.breaks)
        self._change(network, left)
        what = "break closed" if closed else "patch on sound wall"
        return WallWork(name, what, part, along, clock, way)

    def _change(self, network: TubeNetwork, breaks: tuple[Break, ...]) -> None:
        self.network = replace(network, breaks=breaks)
        self.table = self.network.to_array()


def _meets(network: TubeNetwork, at: Floats, direction: Floats) -> bool:
    """Whether the wall is in front of the tip: not an open end, a cap, or the wall behind it."""
    tube = network.locate(at).tube
    along = float(tube.coordinates(at)[0][0])
    if not 0.0 < along < tube.length:
        return False
    return bool((at - tube.frame(along)[0]) @ direction > 0)


def _place(network: TubeNetwork, at: Floats) -> tuple[str, float, float]:
    """(part, along, clock) of a point at the wall."""
    tube = network.locate(at).tube
    along = min(max(float(tube.coordinates(at)[0][0]), 0.0), tube.length)
    middle, tangent, up = tube.frame(along)
    aside = at - middle
    return tube.part, along, atan2(float(aside @ np.cross(tangent, up)), float(aside @ up))
