"""B15: exploration of a pipe with an elbow and a bifurcation, and the way home (000 Fig 16).

T R R H R R V P is told to explore; nothing else is said.  Lengths, sides and first joint angles
vary.  *Out* is reached when the operator reads that the pipe ends and the nose is at the true end;
*home* when the operator reads so and the nose is back at the inlet.  The map that the robot made is
laid over the true network: bends, bifurcation, end, and the lengths between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.told_run import ToldRun
from annelid.systems.microtub.central.cartography import MAP
from annelid.systems.microtub.mapping import MapSpec, compare, from_spec
from annelid.trial.summary import wilson
from annelid.worlds.pipe_world import Pipe

CHAIN: Final = "TRRHRRVP"
EXPLORE_S, OUT_S, END_S = 2.0, 150.0, 300.0
STRAIGHTS_MM: Final = (300.0, 250.0, 400.0)
VARY_MM: Final = 30.0
NEAR_M: Final = 0.05
"""The nose counts as being at the end, or at home, within this."""
LOW_MIN: Final = 0.8
LENGTH_MAX: Final = 0.03
"""Of each length on the map."""


@dataclass(frozen=True)
class Trip:
    out: bool
    home: bool
    taken_s: float
    worst_length: float
    """Share by which a length of the map is wrong, the worst; NaN: no map."""
    on_map: int
    """Of three: bend, bifurcation, end."""


def network(seed: int) -> Pipe:
    chance = np.random.default_rng([15, seed])
    first, second, third = (
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
        {"part": "straight", "length_mm": third},
    ]
    return Pipe.parse({"kind": "pipe", "bore_mm": 40.0, "parts": parts}, where="world")


def explore(seed: int) -> Trip:
    world = network(seed)
    run = ToldRun(CHAIN, world, [(EXPLORE_S, "EXP")], seed=seed, options={"look_s": 60.0})
    told = run.run_until_told("going home", OUT_S)
    out = told is not None and run.sim.progress() >= world.goal - NEAR_M
    ended = None if told is None else run.run_until_told("home again", END_S)
    home = ended is not None and run.sim.progress() <= NEAR_M
    maps = run.told(MAP)
    worst, on_map = float("nan"), 0
    if maps:
        pipes = from_spec(MapSpec.parse(dict(maps[-1][3]), where=MAP))
        error = compare(pipes, world.tubes())
        worst, on_map = error.worst_length_error, len(error.matched)
    return Trip(out, home, (ended or END_S) - EXPLORE_S, worst, on_map)


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (2 if bench.quick else 50))
    trips = bench.map(explore, seeds, what="explorations")
    out, home = sum(trip.out for trip in trips), sum(trip.home for trip in trips)
    low_out, low_home = wilson(out, len(trips))[0], wilson(home, len(trips))[0]
    whole = [trip for trip in trips if trip.on_map == 3]
    worst = np.array([trip.worst_length for trip in whole]) if whole else np.array([np.nan])
    within = sum(trip.worst_length <= LENGTH_MAX for trip in whole)
    taken = float(np.median([trip.taken_s for trip in trips if trip.home] or [np.nan]))
    return Outcome(
        ours=(
            f"out {out} of {len(trips)} (at least {low_out:.0%} at 95 %), home {home} "
            f"(at least {low_home:.0%}), {taken:.0f} s for both; bend, bifurcation and end on the "
            f"map in {len(whole)}, every length within 3 % in {within}, the worst of a map "
            f"{100 * float(np.median(worst)):.1f} % at the median, "
            f"{100 * float(worst.max()):.1f} % in all"
        ),
        passed=(
            low_out >= LOW_MIN
            and low_home >= LOW_MIN
            and bool(whole)
            and float(np.median(worst)) <= LENGTH_MAX
        ),
        note=(
            f"{CHAIN}; elbow of 90° to either side, bifurcation of 45° passed straight on, "
            f"straights varied by {VARY_MM:g} mm, joints by chance. Home: the nose within "
            f"{1000 * NEAR_M:.0f} mm of the inlet, or behind it. The map must have each length "
            "within 3 % at the median of the runs."
        ),
        values={
            "rate_out": out / len(trips),
            "rate_out_low": low_out,
            "rate_home": home / len(trips),
            "rate_home_low": low_home,
            "time_s": taken,
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
                        [k for k, trip in enumerate(trips) if trip.on_map == 3],
                        100 * worst,
                        style="points",
                    ),
                ),
            ),
        ),
    )
