"""Where a leg should step to (003 §4.2.1): as far in the direction of movement as it can.

Candidates lie on a line through the leg's place in the stance, ahead in the direction in which the
body moves at that leg; a stance that is kept is one from which every leg can step.  A candidate
must be within reach when the step ends and if the body stops before, liftable from there (for the
step after), and clear of the other legs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.forces import UP
from annelid.systems.climber.planner.situation import Situation
from annelid.systems.climber.planner.steps import STEP_S

Floats = NDArray[np.float64]

CANDIDATES: Final = 13
APART: Final = 0.008
"""Clearance between legs, m."""
PLACE_MARGIN: Final = 0.15
"""Of the joints where a foot is put down, rad."""


@dataclass(frozen=True)
class Stride:
    """A place for one leg, in the world, and how far ahead of the present one it is."""

    leg: int
    place: Floats
    gain: float
    lift: float


def longest(now: Situation, leg: int, *, reach: float, lift: float) -> Stride | None:
    """The best place for ``leg``; None where there is none.  ``reach``: ahead of the stance, m."""
    climber = now.climber
    legs = climber.legs.alone[leg]
    later = now.twist.later(now.wish, STEP_S)
    home = climber.stance[leg]
    ahead = later.turn.T @ (now.twist.speed + np.cross(now.twist.turn, later.turn @ home))
    ahead[2] = 0.0
    length = float(np.linalg.norm(ahead))
    if length < 1e-6:
        return None
    ahead /= length
    shares = np.linspace(reach, -reach / 2, CANDIDATES)
    places = home + shares[:, None] * ahead
    # On the surface, wherever the body is above it.
    world = later.out(places)
    world[:, 2] = _ground(now)
    q = legs.inverse(later.into(world)[:, None, :])[:, 0]
    good = legs.margin(q[:, None])[:, 0] >= PLACE_MARGIN
    # From here as well: something may stop the body while the foot is on its way.
    for pose, height in ((later, lift), (now.wish, 0.0), (now.wish, lift)):
        there = pose.into(world + height * UP)
        good &= legs.margin(legs.inverse(there[:, None, :]))[:, 0] >= 0.0
    if not good.any():
        return None
    others = _others(now, later.into(now.anchors), leg)
    good[good] &= climber.collision.free(leg, q[good], others, apart=APART)
    if not good.any():
        return None
    best = int(np.argmax(good))
    towards = later.turn @ ahead
    gain = float((world[best] - now.anchors[leg]) @ towards)
    return Stride(leg, world[best], gain, lift)


def home_of(now: Situation, leg: int, *, lift: float) -> Stride:
    """Its place in the stance below the body as it is now."""
    place = now.wish.out(now.climber.stance[leg])
    place[2] = _ground(now)
    return Stride(leg, place, float(np.linalg.norm(place - now.anchors[leg])), lift)


def _ground(now: Situation) -> float:
    """Height of the surface as the standing feet have found it."""
    return float(now.anchors[now.standing, 2].mean()) if now.standing.any() else 0.0


def _others(now: Situation, feet: Floats, leg: int) -> Floats:
    """The other legs' joints when the step ends; legs that do not stand as they are."""
    q = now.climber.legs.inverse(feet)
    q = np.where(now.standing[:, None], q, now.q)
    q[leg] = np.nan
    return q


def clear_home(now: Situation, leg: int, *, lift: float) -> Stride | None:
    """Its place in the stance, if it can be reached and nobody is in the way."""
    home = home_of(now, leg, lift=lift)
    legs = now.climber.legs.alone[leg]
    q = legs.inverse(now.wish.into(home.place)[None])
    if legs.margin(q)[0] < 0.0:
        return None
    others = _others(now, now.wish.into(now.anchors), leg)
    return home if now.climber.collision.free(leg, q, others, apart=APART)[0] else None
