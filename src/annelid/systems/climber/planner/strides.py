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
from annelid.systems.climber.executive.pose import BodyPose
from annelid.systems.climber.planner.limp import may_be
from annelid.systems.climber.planner.situation import ClimberSituation
from annelid.systems.climber.planner.steps import STEP_S

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

CANDIDATES: Final = 13
BAD: Final = 0.03
"""From where a cup found no hold feet keep so far away, m."""
ASIDE: Final = (
    (0.0, 0.0), (0.045, 0.0), (-0.045, 0.0), (0.0, 0.045), (0.0, -0.045),
    (0.065, 0.065), (-0.065, 0.065), (0.065, -0.065), (-0.065, -0.065),
)  # fmt: skip
"""Where a foot is tried about its place in the stance, the nearest first, m."""
APART: Final = 0.008
"""Clearance between legs, m."""
PLACE_MARGIN: Final = 0.15
"""Of the joints where a foot is put down, rad."""
LEAST_MARGIN: Final = 0.05
"""Of the joints of a foot that stands or is about to, if the body stops or goes on, rad: ten steps
of their encoders."""


@dataclass(frozen=True)
class Stride:
    """A place for one leg, in the world, and how far ahead of the present one it is."""

    leg: int
    place: Floats
    gain: float
    lift: float


def longest(
    now: ClimberSituation, leg: int, *, reach: float, lift: float, least: float = -np.inf
) -> Stride | None:
    """The best place for ``leg``; None where there is none.  ``reach``: ahead of the stance, m;
    ``least``: what it has to gain to be of use, m."""
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
    world[:, 2] = _ground(now, world)
    towards = later.turn @ ahead
    if float((world[0] - now.anchors[leg]) @ towards) < least:
        return None  # the farthest gains too little, and so do the others
    q = legs.inverse(later.into(world)[:, None, :])[:, 0]
    good = legs.margin(q[:, None])[:, 0] >= PLACE_MARGIN
    # From here as well: something may stop the body while the foot is on its way.
    for pose, height in ((later, lift), (now.wish, 0.0), (now.wish, lift)):
        there = pose.into(world + height * UP)
        margin = legs.margin(legs.inverse(there[:, None, :]))[:, 0]
        good &= margin >= (LEAST_MARGIN if height == 0.0 else 0.0)
    good &= ~_bad(now, world)
    if not good.any():
        return None
    good[good] &= _clear(now, leg, q[good], later)
    if not good.any():
        return None
    best = int(np.argmax(good))
    gain = float((world[best] - now.anchors[leg]) @ towards)
    return Stride(leg, world[best], gain, lift)


def home_of(now: ClimberSituation, leg: int, pose: BodyPose, *, lift: float) -> Stride:
    """Its place in the stance of a body at ``pose``."""
    place = pose.out(now.climber.stance[leg])
    place[2] = float(_ground(now, place[None])[0])
    return Stride(leg, place, float(np.linalg.norm(place - now.anchors[leg])), lift)


def _ground(now: ClimberSituation, places: Floats) -> Floats:
    """Heights of the surface there: of a plane, what the standing feet have found."""
    if now.ground.curved:
        return now.ground.heights(places)
    height = float(now.anchors[now.standing, 2].mean()) if now.standing.any() else 0.0
    return np.full(len(places), height)


def _clear(now: ClimberSituation, leg: int, q: Floats, pose: BodyPose) -> Bools:
    """Which of the joints ``q`` of a leg keep it clear of the others with the body at ``pose``;
    legs that do not stand are as they are, or may be."""
    climber = now.climber
    others = climber.legs.inverse(pose.into(now.anchors))
    others = np.where(now.standing[:, None], others, now.q)
    others[leg] = np.nan
    free = [climber.collision.free(leg, q, case, apart=APART) for case in may_be(now, others)]
    return np.asarray(np.logical_and.reduce(free))


def clear_home(now: ClimberSituation, leg: int, pose: BodyPose, *, lift: float) -> Stride | None:
    """That place, if it can be reached from where the body is and nobody is in the way; beside it
    where a cup has found no hold there."""
    legs = now.climber.legs.alone[leg]
    for aside in ASIDE if now.bad else ASIDE[:1]:
        home = home_of(now, leg, pose @ BodyPose.of((*aside, 0.0)), lift=lift)
        q = legs.inverse(now.wish.into(home.place)[None])
        if legs.margin(q)[0] < 0.0 or _bad(now, home.place[None])[0]:
            continue
        if _clear(now, leg, q, now.wish)[0]:
            return home
    return None


def _bad(now: ClimberSituation, places: Floats) -> Bools:
    """Which places are too near to where a cup found no hold."""
    near = np.zeros(len(places), dtype=bool)
    for bad in now.bad:
        near |= np.linalg.norm((places - bad)[:, :2], axis=1) < BAD
    return near
