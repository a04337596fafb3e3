"""B15: exploration of a pipe with an elbow and a bifurcation, and the way home (000 Fig 16).

T R R H R R V P is told to explore; nothing else is said.  Lengths, sides and first joint angles
vary.  It enters the branch, comes back, and goes on along the run.  *Out* is reached when the
operator reads that the pipe ends and the nose is at the true end of the run; *home* when the
operator reads so and the nose stands at the inlet; the launch tube is open, so nothing stops it
there but the robot's own knowledge.  The map that the robot made is laid over the true network:
bend, bifurcation, ends, and the lengths between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.kernel import to_seconds
from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.told_run import ToldRun
from annelid.systems.microtub.central.cartography import MAP
from annelid.systems.microtub.mapping import MapError, MapSpec, compare, from_spec
from annelid.trial.summary import wilson
from annelid.worlds.pipe_world import Pipe

CHAIN: Final = "TRRHRRVP"
EXPLORE_S, END_S = 2.0, 400.0
STRAIGHTS_MM: Final = (300.0, 250.0, 400.0, 100.0)
"""The last one is behind the branch."""
VARY_MM: Final = 30.0
BRANCH: Final = "branch"
NEAR_M: Final = 0.05
"""The nose counts as being at the end, or at home, within this, on either side."""
STAY_S: Final = 2.0
"""It has to stand there: what coasts on past it is not home."""
LOW_MIN: Final = 0.8
LENGTH_MAX: Final = 0.03
"""Of each length on the map."""
RUN: Final = "run"
GOING_HOME: Final = "going home"


@dataclass(frozen=True)
class Trip:
    branch: bool
    """It has been at the end of the branch."""
    out: bool
    """It has been at the end of the run."""
    home: bool
    off_m: float
    """How far from the inlet the nose stood when it said so, m, behind it less than 0; NaN: it did
    not."""
    taken_s: float
    worst_length: float
    """Share by which a length on the way to the end of the run is wrong, the worst; NaN: no map."""
    branch_length: float
    """The same of the branch; NaN: it is not on the map."""
    on_map: int
    """Of four: bend, bifurcation, two ends."""


def network(seed: int) -> Pipe:
    chance = np.random.default_rng([15, seed])
    first, second, third, fourth = (
        round(float(each + chance.uniform(-VARY_MM, VARY_MM)), 1) for each in STRAIGHTS_MM
    )
    bend, branch = (float(chance.choice([0.0, 180.0])) for _ in range(2))
    parts: list[dict[str, Any]] = [
        {"part": "straight", "length_mm": first},
        {"part": "elbow", "roll_deg": bend},
        {"part": "straight", "length_mm": second},
        {
            "part": "tee",
            "branch_angle_deg": 45.0,
            "run_mm": 200.0,
            "branch_mm": 150.0,
            "roll_deg": branch,
        },
        {"part": "straight", "length_mm": third, "name": RUN},
        {"part": "straight", "length_mm": fourth, "at": "tee1.branch", "name": BRANCH},
    ]
    return Pipe.parse({"kind": "pipe", "bore_mm": 40.0, "parts": parts}, where="world")


def explore(seed: int) -> Trip:
    world = network(seed)
    options = {"look_s": 60.0, "bifurcations": "both"}
    run = ToldRun(CHAIN, world, [(EXPLORE_S, "EXP")], seed=seed, options=options)
    branch = run.run_until_told(GOING_HOME, END_S) is not None and _at_end(run, world, BRANCH)
    again = run.run_until_told("ahead again", END_S) is not None
    out = again and _second_end(run) and _at_end(run, world, RUN)
    ended = run.run_until_told("home again", END_S)
    if ended is not None:
        run.run(to_seconds(run.kernel.now) + STAY_S)
    home = ended is not None and abs(run.sim.progress()) <= NEAR_M
    off = run.sim.progress() if ended is not None else float("nan")
    maps = run.told(MAP)
    worst, beside, on_map = float("nan"), float("nan"), 0
    if maps:
        pipes = from_spec(MapSpec.parse(dict(maps[-1][3]), where=MAP))
        error = compare(pipes, world.tubes())
        worst, beside = _lengths(error)
        on_map = len(error.matched)
    return Trip(branch, out, home, off, (ended or END_S) - EXPLORE_S, worst, beside, on_map)


def _second_end(run: ToldRun) -> bool:
    """Run until the operator has read twice that a pipe ends; whether that was so."""
    while sum(GOING_HOME in words for _, words in run.answers) < 2:
        now_s = to_seconds(run.kernel.now)
        if now_s >= END_S or any("home again" in words for _, words in run.answers):
            return False
        run.run(now_s + 1.0)
    return True


def _at_end(run: ToldRun, world: Pipe, part: str) -> bool:
    """Whether the nose is at the end of that part."""
    tube = world.tubes().tube(part)
    away = run.sim.poses()[0, :3] - tube.frame(tube.length)[0]
    return float(np.linalg.norm(away)) <= NEAR_M


def _lengths(error: MapError) -> tuple[float, float]:
    """The worst share on the way to the end of the run, and that of the branch."""
    wrong = {
        each.name: abs(each.mapped_length_m / each.true_length_m - 1)
        for each in error.matched
        if each.true_length_m and each.mapped_length_m
    }
    beside = wrong.pop(BRANCH, float("nan"))
    return max(wrong.values(), default=float("nan")), beside


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (2 if bench.quick else 50))
    trips = bench.map(explore, seeds, what="explorations")
    out, home = sum(trip.out for trip in trips), sum(trip.home for trip in trips)
    low_out, low_home = wilson(out, len(trips))[0], wilson(home, len(trips))[0]
    branch = sum(trip.branch for trip in trips)
    whole = [trip for trip in trips if trip.on_map == 4]
    beside = [trip.branch_length for trip in whole] or [np.nan]
    worst = np.array([trip.worst_length for trip in whole]) if whole else np.array([np.nan])
    within = sum(trip.worst_length <= LENGTH_MAX for trip in whole)
    apart = float(np.median([abs(trip.off_m) for trip in trips if trip.home] or [np.nan]))
    taken = float(np.median([trip.taken_s for trip in trips if trip.home] or [np.nan]))
    return Outcome(
        ours=(
            f"out {out} of {len(trips)} (at least {low_out:.0%} at 95 %), home {home} "
            f"(at least {low_home:.0%}; {1000 * apart:.0f} mm off at the median), into the branch "
            f"first {branch}; {taken:.0f} s for all; "
            f"bend, bifurcation and both ends on the map in {len(whole)}, every length of the way "
            f"within 3 % in {within}, the worst of a map {100 * float(np.median(worst)):.1f} % at "
            f"the median, {100 * float(worst.max()):.1f} % in all; the branch's "
            f"{100 * float(np.median(beside)):.1f} % at the median"
        ),
        passed=(
            low_out >= LOW_MIN
            and low_home >= LOW_MIN
            and bool(whole)
            and float(np.median(worst)) <= LENGTH_MAX
        ),
        note=(
            f"{CHAIN}; elbow of 90° to either side, bifurcation of 45°, straights varied by "
            f"{VARY_MM:g} mm, joints by chance. Home: the nose within "
            f"{1000 * NEAR_M:.0f} mm of the inlet; the launch tube is open behind the robot. The "
            "map must have each length of the way to the end of the run within 3 % at the median "
            "of the runs; in the branch the "
            "robot rocks all the time, and its traveller miscounts."
        ),
        values={
            "rate_out": out / len(trips),
            "rate_out_low": low_out,
            "rate_home": home / len(trips),
            "rate_home_low": low_home,
            "home_off_median_m": apart,
            "rate_branch": branch / len(trips),
            "time_s": taken,
            "branch_length_median": float(np.median(beside)),
            "worst_length_median": float(np.median(worst)),
            "worst_length_max": float(worst.max()),
            "maps_within_3_percent": float(within),
        },
        plots=(
            Figure(
                "The worst length of each map",
                "run",
                "error, %",
                (
                    Series.of(
                        "worst length",
                        [k for k, trip in enumerate(trips) if trip.on_map == 4],
                        100 * worst,
                        style="points",
                    ),
                ),
            ),
        ),
    )
