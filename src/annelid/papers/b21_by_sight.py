"""B21: in the open a stripe is followed and a landmark reached, camera in the loop (000 §6.1.4 and
§6.1.6).

The paper lists both behaviours and shows neither.  T R R R R R R P is told to explore beside a
stripe that bends after 65 cm, by a chance angle to either side (``b21-stripe``); or to reach a
landmark, a post somewhere round it, at times behind it, as far away as its lamp reaches
(``b21-landmark``).  Where the robot starts, where it looks, and how it lies beside the stripe are
of chance, too.  A stripe counts when the head comes to its end and was never far from it, a
landmark when the nose comes within 60 mm of its surface and the operator reads then that it is at
hand.  The control: the same stripes and posts with a dead camera; a blind robot need not say
anything, coming near is enough.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, degrees, inf, nan, pi, radians, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import places
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, when
from annelid.trial.replay import Run
from annelid.worlds.open_air import OpenAir

REPEATS, QUICK_REPEATS = 20, 1
SAY_S: Final = 2.0
BEND_M, END_M = 0.25, 0.9
"""Along the first stretch of the stripe, from beside the nose: where it bends and ends."""
ASIDE_M: Final = 0.25
"""How far aside a stripe may end."""
OFF_M: Final = 0.10
"""Farther from the stripe the head has lost it; the robot is 27 mm thick and 24 cm long."""
BESIDE_M, ASLANT_DEG = 0.03, 10.0
"""How far from the stripe the nose may start, and how far aside it may look."""
NEAR_M: Final = 0.06
"""From the nose to the surface of the post."""
DISTANCES_M: Final = (0.30, 0.55)
"""From the nose to the middle of the post, at the start."""
ROOM_M: Final = 1.0
RATE_MIN: Final = 0.8
"""Lower 95 % bound wanted of either."""

Points = NDArray[np.float64]


def bent(seed: int) -> dict[str, Any]:
    """The stripe as it lies in the world, and a robot beside its beginning."""
    draw = RandomStreams(seed)["papers/b21/stripe"]
    aside, turn = draw.uniform(-ASIDE_M, ASIDE_M), draw.uniform(-pi, pi)
    corner = draw.uniform(-ROOM_M, ROOM_M, 2)
    beside = (0.0, draw.uniform(-BESIDE_M, BESIDE_M))
    heading = turn + radians(draw.uniform(-ASLANT_DEG, ASLANT_DEG))
    start, end = (corner + _turned(turn) @ point for point in (beside, (END_M, aside)))
    ahead = (end - start) @ (cos(heading), sin(heading))
    points = [corner + _turned(turn) @ point for point in ((-0.4, 0.0), (BEND_M, 0.0))]
    return {
        "world.stripes.0.points_mm": [_mm(point) for point in (*points, end)],
        "world.start_mm": _mm(start),
        "world.heading_deg": round(degrees(heading), 1),
        "world.goal_mm": round(1000 * float(ahead), 1),
    }


def somewhere(seed: int) -> dict[str, Any]:
    draw = RandomStreams(seed)["papers/b21/post"]
    far, towards, heading = draw.uniform(*DISTANCES_M), *draw.uniform(-pi, pi, 2)
    start = draw.uniform(-ROOM_M, ROOM_M, 2)
    return {
        "world.start_mm": _mm(start),
        "world.heading_deg": round(degrees(heading), 1),
        "world.landmarks.0.at_mm": _mm(start + far * np.array([cos(towards), sin(towards)])),
    }


def _turned(angle: float) -> Points:
    return np.array([[cos(angle), -sin(angle)], [sin(angle), cos(angle)]])


def _mm(point: Points) -> list[float]:
    return [round(1000 * float(each), 1) for each in point]


BLIND: Final = {"faults": [{"fault": "dead_sensor", "sensor": "T1.camera"}]}
STRIPES: Final = {
    "stripe": Case("b21-stripe", varied=bent),
    "blind": Case("b21-stripe", BLIND, varied=bent),
}
POSTS: Final = {
    "post": Case("b21-landmark", varied=somewhere),
    "blind": Case("b21-landmark", BLIND, varied=somewhere),
}


@dataclass(frozen=True)
class Followed:
    """A run beside a stripe: once a second, in metres."""

    path: tuple[tuple[float, float], ...]
    stripe: tuple[tuple[float, float], ...]
    off_m: float
    """Of the head, at most."""
    arrived: bool

    @property
    def right(self) -> bool:
        return self.arrived and self.off_m <= OFF_M


def follow(run: Run) -> Followed:
    world = run.scenario.world
    assert isinstance(world, OpenAir)
    stripe = np.array(world.stripes[0].points_mm) / 1000
    seconds = np.arange(SAY_S, run.metrics.time_s)
    time, head = run.time("modules"), places(run, "T1")
    path = np.column_stack([np.interp(seconds, time, head[:, axis]) for axis in (0, 1)])
    off = max(_from_line(point, stripe) for point in path)
    return Followed(_points(path), _points(stripe), off, run.metrics.success is True)


def _points(rows: Points) -> tuple[tuple[float, float], ...]:
    return tuple((float(x), float(y)) for x, y in rows)


def _from_line(point: Points, line: Points) -> float:
    starts, along = line[:-1], np.diff(line, axis=0)
    share = ((point - starts) * along).sum(axis=1) / (along**2).sum(axis=1)
    nearest = starts + np.clip(share, 0.0, 1.0)[:, None] * along
    return float(np.linalg.norm(point - nearest, axis=1).min())


@dataclass(frozen=True)
class Reached:
    """A run to a post: distances from the nose to its surface."""

    nearest_m: float
    """In the whole run."""
    took_s: float = inf
    """Until the operator read that it is at hand; infinite: never."""
    told_m: float = inf
    """How far it was then."""

    @property
    def near(self) -> bool:
        return self.nearest_m <= NEAR_M

    @property
    def right(self) -> bool:
        return self.told_m <= NEAR_M


def reach(run: Run) -> Reached:
    world, told = run.scenario.world, when(answers(run), "a landmark is at hand")
    assert isinstance(world, OpenAir)
    post, noses = world.landmarks[0], places(run, "T1")[:, :2]
    off = np.linalg.norm(noses - np.array(post.at_mm) / 1000, axis=1) - post.width_mm / 2000
    nearest = float(off.min())
    if not told:
        return Reached(nearest)
    return Reached(nearest, told[0] - SAY_S, float(np.interp(told[0], run.time("modules"), off)))


def experiment(bench: Bench) -> Outcome:
    repeats = QUICK_REPEATS if bench.quick else REPEATS
    beside = bench.trials(STRIPES, follow, repeats=repeats)
    found = bench.trials(POSTS, reach, repeats=repeats)
    stripes, blind = (Rate.count(run.right for run in beside[key]) for key in STRIPES)
    landmarks = Rate.count(run.right for run in found["post"])
    chance = Rate.count(run.near for run in found["blind"])
    off = 1000 * float(np.median([run.off_m for run in beside["stripe"]]))
    told = [run for run in found["post"] if run.told_m < inf]
    took = float(np.median([run.took_s for run in told] or [nan]))
    far = 1000 * max((run.told_m for run in told), default=nan)
    shown = beside["stripe"][:6]
    return Outcome(
        ours=(
            f"stripes followed {stripes}, with a dead camera {blind}; "
            f"landmarks reached {landmarks}, with a dead camera {chance}"
        ),
        passed=(
            min(stripes.low, landmarks.low) >= RATE_MIN
            and stripes.above(blind)
            and landmarks.above(chance)
        ),
        note=(
            "T R R R R R R P, started anywhere, looking anywhere; pictures are taken standing, "
            "every 3 s on a straight, every 1.2 s in a turn.  Stripes of 30 mm, 650 mm behind the "
            f"bend, ending up to {1000 * ASIDE_M:.0f} mm aside, the robot at most "
            f"{1000 * BESIDE_M:.0f} mm and {ASLANT_DEG:.0f}° off at the start; the head at most "
            f"{1000 * OFF_M:.0f} mm off, seen once a second, {off:.0f} mm at the median.  A robot "
            "that goes straight on loses those that end farther aside.  Posts of 60 mm, their "
            f"middle {1000 * DISTANCES_M[0]:.0f} to {1000 * DISTANCES_M[1]:.0f} mm from the nose "
            "in any direction (the lamp reaches no farther).  Reached: told at hand, and the nose "
            f"then within {1000 * NEAR_M:.0f} mm of the surface; {len(told)} told it, {far:.0f} mm "
            f"away at most, after {took:.0f} s at the median.  A blind robot reaches a post by "
            "coming as near at any time, and must fail.  Asked for: a lower 95 % bound of "
            f"{RATE_MIN:.0%} of either."
        ),
        values=numbers(
            {
                "stripe_rate": stripes,
                "stripe_rate_blind": blind,
                "off_median_mm": off,
                "landmark_rate": landmarks,
                "landmark_rate_blind": chance,
                "landmark_told_at_most_mm": far,
                "landmark_median_s": took,
            }
        ),
        plots=(
            curves(
                "The head beside bent stripes",
                "x, m",
                "y, m",
                {f"run {k}": run.path for k, run in enumerate(shown)}
                | {f"stripe {k}": run.stripe for k, run in enumerate(shown)},
            ),
        ),
    )
