"""B21: in the open a stripe is followed and a landmark reached, camera in the loop (000 §6.1.4 and
§6.1.6).

The paper lists both behaviours and shows neither.  T R R R R R R P is told to explore beside a
stripe that bends after 65 cm, by a chance angle to either side; or to reach a landmark, a post
somewhere round it, at times behind it, as far away as its lamp reaches.  A stripe counts when the
head comes to its end and was never far from it, a landmark when the operator reads that it is at
hand and it is.  For comparison: how many of these stripes a robot would lose that goes straight on.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, hypot, pi, sin
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.told_run import ToldRun
from annelid.trial.summary import wilson
from annelid.worlds import World, parse_world, worlds

CHAIN: Final = "TRRRRRRP"
RUNS, QUICK_RUNS = 20, 2
SAY_S, STRIPE_S, LANDMARK_S = 2.0, 60, 90
BEND_M, END_M, ASIDE_M = 0.25, 0.90, 0.25
"""Where the stripe bends and ends, and how far aside it may end."""
OFF_M: Final = 0.10
"""Farther from the stripe the head has lost it; the robot is 27 mm thick and 24 cm long."""
NEAR_M: Final = 0.25
DISTANCES_M: Final = (0.30, 0.55)
RATE_MIN: Final = 0.8
"""Lower 95 % bound wanted of either."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    seed: int

    @property
    def aside_m(self) -> float:
        return float(np.random.default_rng([21, self.seed]).uniform(-ASIDE_M, ASIDE_M))

    @property
    def post_m(self) -> tuple[float, float]:
        chance = np.random.default_rng([22, self.seed])
        far, angle = chance.uniform(*DISTANCES_M), chance.uniform(-pi, pi)
        return float(far * cos(angle)), float(far * sin(angle))


def follow(case: Case) -> Points:
    """Seconds, x, y and the distance from the stripe, of the head, once a second to the end."""
    points = np.array([[-0.4, 0.0], [BEND_M, 0.0], [END_M, case.aside_m]])
    stripe = {"points_mm": (1000 * points).tolist(), "width_mm": 30, "grey": 0.05}
    run = ToldRun(CHAIN, _open(stripes=[stripe]), [(SAY_S, "EXP")], seed=case.seed)
    rows = []
    for second in range(round(SAY_S), STRIPE_S + 1):
        run.run(second)
        x, y, _ = run.sim.head()
        rows.append((float(second), x, y, _from_line(np.array([x, y]), points)))
        if x >= END_M:
            break
    return np.array(rows)


def reach(case: Case) -> tuple[float, float] | None:
    """How long it took, s, and how far from the post the nose then is, m; None: not told."""
    x, y = case.post_m
    post = {"name": "post", "at_mm": [1000 * x, 1000 * y], "grey": 0.9}
    world = _open(landmarks=[post], start_mm=(0.0, 0.0))
    run = ToldRun(CHAIN, world, [(SAY_S, "RPL landmark")], seed=case.seed)
    told_s = run.run_until_told("a landmark is at hand", LANDMARK_S)
    if told_s is None:
        return None
    nose = run.sim.head()
    return told_s - SAY_S, hypot(nose[0] - x, nose[1] - y)


def _open(**fields: Any) -> World:
    return parse_world({"kind": "open-air", **fields}, worlds())


def _from_line(point: Points, line: Points) -> float:
    starts, along = line[:-1], np.diff(line, axis=0)
    share = ((point - starts) * along).sum(axis=1) / (along**2).sum(axis=1)
    nearest = starts + np.clip(share, 0.0, 1.0)[:, None] * along
    return float(np.linalg.norm(point - nearest, axis=1).min())


def followed(rows: Points) -> bool:
    return bool(rows[-1, 1] >= END_M and rows[:, 3].max() <= OFF_M)


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (QUICK_RUNS if bench.quick else RUNS))
    sighted = bench.map(follow, [Case(seed) for seed in seeds], what="stripes")
    found = bench.map(reach, [Case(seed) for seed in seeds], what="landmarks")
    stripes = sum(map(followed, sighted))
    straight_on = sum(abs(Case(seed).aside_m) > OFF_M for seed in seeds)
    at_hand = [each for each in found if each is not None]
    landmarks = sum(off <= NEAR_M for _, off in at_hand)
    runs = len(seeds)
    lows = [wilson(good, runs)[0] for good in (stripes, landmarks)]
    off = [float(rows[:, 3].max()) for rows in sighted]
    took = float(np.median([seconds for seconds, _ in at_hand] or [np.nan]))
    return Outcome(
        ours=(
            f"stripes followed {stripes} of {runs} (at least {lows[0]:.0%} at 95 %), at most "
            f"{1000 * float(np.median(off)):.0f} mm off at the median, where going "
            f"straight on would lose {straight_on}; landmarks reached {landmarks} of {runs} "
            f"(at least {lows[1]:.0%}), {took:.0f} s at the median"
        ),
        passed=min(lows) >= RATE_MIN,
        note=(
            f"{CHAIN}; pictures are taken standing, every 3 s on a straight, every 1.2 s in a "
            f"turn. Stripes of 30 mm, {1000 * (END_M - BEND_M):.0f} mm behind the bend, ending up "
            f"to {1000 * ASIDE_M:.0f} mm aside; posts of 60 mm, "
            f"{1000 * DISTANCES_M[0]:.0f} to {1000 * DISTANCES_M[1]:.0f} mm away in any direction:"
            " the lamp reaches no farther."
        ),
        values={
            "stripe_rate": stripes / runs,
            "stripe_rate_low": lows[0],
            "lost_going_straight": straight_on / runs,
            "off_median_mm": 1000 * float(np.median(off)),
            "landmark_rate": landmarks / runs,
            "landmark_rate_low": lows[1],
            "landmark_median_s": took,
        },
        plots=(
            Figure(
                "The head beside bent stripes",
                "x, m",
                "y, m",
                (
                    *(
                        Series.of(f"run {k}", rows[:, 1], rows[:, 2])
                        for k, rows in enumerate(sighted[:6])
                    ),
                    *(
                        Series.of(
                            f"stripe {k}",
                            [0.0, BEND_M, END_M],
                            [0.0, 0.0, Case(seed).aside_m],
                            style="dashed",
                        )
                        for k, seed in enumerate(list(seeds)[:6])
                    ),
                ),
            ),
        ),
    )
