"""Whether a chain gets through pipes: rigid pieces through fittings, weight against thrust.

This is geometry and statics of the true network, for judges and for a user who plans; no robot
sees it.  What it leaves out: how a robot is steered, and what a drive loses where its wheels hang
in the mouth of a branch.

**A rigid piece in a bend.**  It enters along one axis and leaves along another, so on its way it
points in every direction between.  If in one of them there is no place in the plane of the bend
where its balls and its wheels, folded, stay within the wall, it cannot pass.

**Thrust.**  With the nose at some place of the way, every module pulls by its weight down its own
slope and rubs; bends under the body raise that by the rope law.  Ahead and back must both be less
than what drives push, each in the bore where it is then.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import cos, pi, sin
from typing import Final

import numpy as np

from annelid.boundary.cost import require_at_most
from annelid.robot.hauling import Hauling, Piece
from annelid.worlds.tubes import Floats, Tube, TubeNetwork

DIRECTIONS: Final = 7
"""Headings of a piece that are tried on its way round a bend."""
ROLLS: Final = 4
STEPS: Final = (0.0003, 0.001, 0.004, 0.036)
"""Of the search for a place, m: the last is how far the middle of a piece may be from where the
bend has its heading."""
SOFT: Final = 0.0003
"""Springs and shells give way by so much, m."""
COST_MAX: Final = 2000
"""Of a network, as :func:`cost_of` has it: some ten seconds."""
STEP, FINE = 0.01, 0.002
"""Between places of the nose, and between places of the way that are looked at, m."""


@dataclass(frozen=True)
class Reach:
    """Whether an end of a network, or the place where a loop closes, can be reached and left
    again."""

    end: int
    """The number of its tube."""
    why_not: str = ""

    @property
    def reachable(self) -> bool:
        return not self.why_not


def cost_of(network: TubeNetwork) -> int:
    """At every bend and branch the walls of every tube are asked about."""
    corners = sum(bool(tube.bent or tube.branch) for tube in network.tubes)
    return (corners + len(network.ends())) * len(network.tubes)


def reaches(network: TubeNetwork, hauling: Hauling) -> tuple[Reach, ...]:
    """For each end of the network."""
    what = "(bends, branches and ends) × tubes to look at for what passes"
    require_at_most(what, cost_of(network), COST_MAX, where="pipe")
    return Passage(network).reaches(hauling)


class Passage:
    """A network that many chains are asked about: what one chain's pieces and ways have shown is
    kept for the next."""

    def __init__(self, network: TubeNetwork) -> None:
        self._network = network
        ends = (*network.ends(), *network.seams())
        self._ends = {end: network.route_to(network.tubes[end].part) for end in ends}
        self._ways = {end: _Way.of(network, route) for end, route in self._ends.items()}
        self._pass: dict[tuple[str, Piece], bool] = {}

    def reaches(self, hauling: Hauling) -> tuple[Reach, ...]:
        """For each end of the network."""
        return tuple(Reach(end, self._why_not(hauling, end)) for end in self._ends)

    def _why_not(self, hauling: Hauling, end: int) -> str:
        for tube in self._ends[end]:
            if tight := self._too_tight(tube, hauling):
                return tight
        for sense, words in ((1, "there"), (-1, "back")):
            needed, thrust = self._ways[end].hardest(hauling, sense)
            if needed > thrust:
                return f"{words} it needs {needed:.2f} N, drives push {thrust:.2f} N in this bore"
        return ""

    def _too_tight(self, tube: Tube, hauling: Hauling) -> str:
        """What does not pass there; empty: all does."""
        if not (tube.bent or tube.branch):
            return ""
        for piece in sorted(hauling.pieces, key=lambda piece: -piece.length):
            key = (tube.part, piece.alone)
            if key not in self._pass:
                self._pass[key] = passes(self._network, tube, piece)
            if not self._pass[key]:
                return f"{tube.part}: a rigid piece of {1000 * piece.length:.0f} mm does not pass"
        return ""


@dataclass(frozen=True)
class _Way:
    """A route, sampled: what of it pulls and rubs does not depend on the chain."""

    along: Floats
    rise: Floats
    """Height gained per metre."""
    turned: Floats
    """By bends since the inlet, rad."""
    bore: Floats

    @classmethod
    def of(cls, network: TubeNetwork, route: Sequence[Tube]) -> _Way:
        along = np.arange(0.0, network.length(route=route) + FINE, FINE)
        return cls(
            along,
            np.array([network.frame_at(float(s), route=route)[1][2] for s in along]),
            np.array([sum(_turned(tube, 0.0, float(s)) for tube in route) for s in along]),
            np.array([_bore(route, float(s)) for s in along]),
        )

    def hardest(self, hauling: Hauling, sense: int) -> tuple[float, float]:
        """(needed, pushed), N, with the nose where the one exceeds the other most."""
        nose = np.arange(0.0, self.along[-1], STEP)
        pull = np.zeros(len(nose))
        for behind, weight in hauling.weights:
            rise = np.interp(nose - behind, self.along, self.rise)
            level = np.sqrt(np.maximum(1 - rise * rise, 0.0))
            pull += weight * (sense * rise + hauling.friction * level)
        bent = np.interp(nose, self.along, self.turned)
        bent -= np.interp(nose - hauling.length, self.along, self.turned)
        needed = np.where(pull > 0, pull * np.exp(hauling.friction * bent), pull)
        pushed = np.zeros(len(nose))
        for ring in hauling.rings:
            if not ring.stall:
                continue
            rise = np.interp(nose - ring.behind, self.along, self.rise)
            bore = np.interp(nose - ring.behind, self.along, self.bore)
            springs = ring.pressed_in(ring.reach - bore / 2)
            wedged = hauling.wedged(ring) * np.sqrt(np.maximum(1 - rise * rise, 0.0))
            pushed += np.minimum(ring.stall, ring.friction * np.maximum(springs, wedged))
        worst = int(np.argmax(needed - pushed))
        return float(needed[worst]), float(pushed[worst])


def _bore(route: Sequence[Tube], along: float) -> float:
    tube = [each for each in route if each.along <= along][-1]
    return 2 * tube.radius(min(along - tube.along, tube.length))


def _turned(tube: Tube, back: float, front: float) -> float:
    """How much of a bend lies between two places of the way, rad."""
    if not tube.bent:
        return 0.0
    inside = min(front, tube.along + tube.length) - max(back, tube.along)
    return max(inside, 0.0) / tube.bend_radius


def passes(network: TubeNetwork, tube: Tube, piece: Piece) -> bool:
    """Whether a rigid piece gets round this bend, or from the run into this branch, rolled about
    its axis in one way or another."""
    ahead, side, angle = _corner(network, tube)
    rolls = np.linspace(0.0, 2 * pi / 3, ROLLS, endpoint=False) if piece.rings else (0.0,)
    for turned in np.linspace(0.0, angle, DIRECTIONS)[1:-1]:
        heading = cos(turned) * ahead + sin(turned) * side
        across = cos(turned) * side - sin(turned) * ahead
        shapes = (_shape(piece, heading, across, float(roll)) for roll in rolls)
        middle = tube.frame(tube.length * turned / angle)[0] if tube.bent else np.array(tube.start)
        if not any(_fits(network, middle, ahead, side, *shape) for shape in shapes):
            return False
    return True


def _shape(piece: Piece, heading: Floats, across: Floats, roll: float) -> tuple[Floats, Floats]:
    """Balls of a piece, from its middle, and how large they are; wheels at their stops."""
    centre, out = (piece.begin + piece.end) / 2, np.cross(heading, across)
    points = [(centre - place) * heading for place, _ in piece.balls]
    radii = [radius for _, radius in piece.balls]
    for ring in piece.rings:
        for number in range(ring.count):
            clock = roll + 2 * pi * number / ring.count
            spoke = ring.folded * (cos(clock) * across + sin(clock) * out)
            points.append((centre - ring.behind) * heading + spoke)
            radii.append(ring.wheel)
    return np.array(points), np.array(radii)


def _corner(network: TubeNetwork, tube: Tube) -> tuple[Floats, Floats, float]:
    """The heading before a bend, the side it goes to, and how far it turns."""
    if tube.bent:
        ahead, side, _ = tube.axes()
        return ahead, side, tube.angle
    ahead = np.array(network.tubes[tube.parent].tangent)
    away = np.array(tube.tangent)
    along = float(away @ ahead)
    side = away - along * ahead
    size = float(np.linalg.norm(side))
    return ahead, side / size, float(np.arctan2(size, along)) % pi


def _fits(
    network: TubeNetwork,
    middle: Floats,
    ahead: Floats,
    side: Floats,
    line: Floats,
    radii: Floats,
) -> bool:
    """Whether there is a place for it: the best of a coarse search, then of finer ones there."""
    best = middle
    for wide, step in pairwise(reversed(STEPS)):
        grid = np.arange(-wide, wide + step / 2, step)
        x, y = np.meshgrid(grid, grid)
        centres = best + x.reshape(-1, 1) * ahead + y.reshape(-1, 1) * side
        points = centres[:, None, :] + line[None, :, :]
        free = network.clearance(points.reshape(-1, 3)).reshape(len(centres), -1) - radii
        room = free.min(axis=1)
        if float(room.max()) >= -SOFT:
            return True
        best = centres[int(room.argmax())]
    return False
