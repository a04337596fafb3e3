"""B21: in the open a stripe is followed and a landmark reached, camera in the loop (000 §6.1.4 and
§6.1.6).

The paper lists both behaviours and shows neither.  T R R R R R R P is told to explore beside a
stripe that bends after 65 cm, by a chance angle to either side (``b21-stripe``); or to reach a
landmark, a post somewhere round it, at times behind it, as far away as its lamp reaches
(``b21-landmark``).  A stripe counts when the head comes to its end and was never far from it, a
landmark when the operator reads that it is at hand and it is.  The control: the same stripes with a
dead camera.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, inf, nan, pi, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.case import places
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, place_at, when
from annelid.trial.replay import Run
from annelid.worlds.open_air import OpenAir

REPEATS, QUICK_REPEATS = 20, 1
SAY_S: Final = 2.0
ASIDE_M: Final = 0.25
"""How far aside a stripe may end."""
OFF_M: Final = 0.10
"""Farther from the stripe the head has lost it; the robot is 27 mm thick and 24 cm long."""
NEAR_M: Final = 0.25
DISTANCES_M: Final = (0.30, 0.55)
RATE_MIN: Final = 0.8
"""Lower 95 % bound wanted of either."""

Points = NDArray[np.float64]


def bent(seed: int) -> dict[str, Any]:
    aside = RandomStreams(seed)["papers/b21/stripe"].uniform(-ASIDE_M, ASIDE_M)
    return {"world.stripes.0.points_mm.2.1": round(1000 * float(aside), 1)}


def somewhere(seed: int) -> dict[str, Any]:
    chance = RandomStreams(seed)["papers/b21/post"]
    far, angle = chance.uniform(*DISTANCES_M), chance.uniform(-pi, pi)
    at_mm = [round(1000 * float(far * part(angle)), 1) for part in (cos, sin)]
    return {"world.landmarks.0.at_mm": at_mm}


BLIND: Final = {"faults": [{"fault": "dead_sensor", "sensor": "T1.camera"}]}
STRIPES: Final = {
    "stripe": Case("b21-stripe", varied=bent),
    "blind": Case("b21-stripe", BLIND, varied=bent),
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


def reach(run: Run) -> tuple[float, float]:
    """How long it took, s, and how far from the post the nose then is, m; infinite: not told."""
    world, told = run.scenario.world, when(answers(run), "a landmark is at hand")
    assert isinstance(world, OpenAir)
    if not told:
        return nan, inf
    post = np.array(world.landmarks[0].at_mm) / 1000
    return told[0] - SAY_S, float(np.linalg.norm(place_at(run, "T1", told[0])[:2] - post))


def experiment(bench: Bench) -> Outcome:
    repeats = QUICK_REPEATS if bench.quick else REPEATS
    beside = bench.trials(STRIPES, follow, repeats=repeats)
    posts = {"post": Case("b21-landmark", varied=somewhere)}
    found = bench.trials(posts, reach, repeats=repeats)["post"]
    stripes, blind = (Rate.count(run.right for run in beside[key]) for key in STRIPES)
    landmarks = Rate.count(off <= NEAR_M for _, off in found)
    off = 1000 * float(np.median([run.off_m for run in beside["stripe"]]))
    times = [seconds for seconds, _ in found if seconds == seconds]
    took = float(np.median(times or [nan]))
    shown = beside["stripe"][:6]
    return Outcome(
        ours=(
            f"stripes followed {stripes}, with a dead camera {blind}; landmarks reached {landmarks}"
        ),
        passed=min(stripes.low, landmarks.low) >= RATE_MIN and stripes.above(blind),
        note=(
            "T R R R R R R P; pictures are taken standing, every 3 s on a straight, every 1.2 s in "
            f"a turn.  Stripes of 30 mm, 650 mm behind the bend, ending up to "
            f"{1000 * ASIDE_M:.0f} mm aside; the head at most {1000 * OFF_M:.0f} mm off, seen once "
            f"a second, {off:.0f} mm at the median.  A robot that goes straight on loses those "
            f"that end farther aside.  Posts of 60 mm, {1000 * DISTANCES_M[0]:.0f} to "
            f"{1000 * DISTANCES_M[1]:.0f} mm away in any direction (the lamp reaches no farther); "
            f"at hand is {1000 * NEAR_M:.0f} mm; {took:.0f} s at the median.  Asked for: a lower "
            f"95 % bound of {RATE_MIN:.0%} of either, and a blind robot that fails."
        ),
        values=numbers(
            {
                "stripe_rate": stripes,
                "stripe_rate_blind": blind,
                "off_median_mm": off,
                "landmark_rate": landmarks,
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
