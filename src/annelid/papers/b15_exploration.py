"""B15: exploration of a pipe with an elbow and a bifurcation, and the way home (000 Fig 16).

T R R H R R V P is told to explore; nothing else is said (scenario ``default``, its lengths and
sides varied).  It enters the branch, comes back, and goes on along the run.  *Out* is reached when
the operator reads that the pipe ends and the nose is at the true end of the run; *home* when the
operator reads so and the nose stands at the inlet; the launch tube is open, so nothing stops it
there but the robot's own knowledge.  The map that the robot made is laid over the true network:
bend, bifurcation, ends, and the lengths between them.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, nan
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import answers, place_at, when
from annelid.systems.microtub.central.cartography import MAP
from annelid.systems.microtub.mapping import MapSpec, compare, from_spec
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

STRAIGHTS_MM: Final = {0: 300.0, 2: 250.0, 4: 400.0, 5: 100.0}
"""Those of the file, by their place; the last one is behind the branch."""
VARY_MM: Final = 30.0
RUN, BRANCH = "straight3", "straight4"
"""The parts at whose ends the two legs end."""
NEAR_M: Final = 0.05
"""The nose counts as being at the end, or at home, within this, on either side."""
LOW_MIN: Final = 0.8
LENGTH_MAX: Final = 0.03
"""Of each length on the map."""
WHOLE: Final = 4
"""Places on a whole map: bend, bifurcation, two ends."""
REPEATS: Final = 50
FIELDS: Final = {
    "duration_s": 400.0,
    "world.breaks": [],
    "control.options.look_s": 60.0,
    "success.progress_m": 1.0,
}
"""Nothing is looked for, so few pictures are taken; the shortest way out is 1.15 m."""


def varied(seed: int) -> dict[str, Any]:
    chance = RandomStreams(seed)["papers/b15"]
    lengths = {
        f"world.parts.{k}.length_mm": round(float(mm + chance.uniform(-VARY_MM, VARY_MM)), 1)
        for k, mm in STRAIGHTS_MM.items()
    }
    sides = {f"world.parts.{k}.roll_deg": float(chance.choice((0.0, 180.0))) for k in (1, 3)}
    return {**lengths, **sides}


@dataclass(frozen=True)
class Trip:
    branch: bool
    """It has been at the end of the branch."""
    out: bool
    """It has been at the end of the run."""
    off_m: float
    """How far from the inlet the nose stood after it said home; infinite: it did not."""
    taken_s: float
    worst_length: float
    """Share by which a length on the way to the end of the run is wrong, the worst; NaN: no map."""
    branch_length: float
    """The same of the branch; NaN: it is not on the map."""
    on_map: int

    @property
    def home(self) -> bool:
        return self.off_m <= NEAR_M


def judge(run: Run) -> Trip:
    told = answers(run)
    turned, again, home = (
        when(told, words) for words in ("going home", "ahead again", "home again")
    )
    branch = bool(turned) and _at_end(run, BRANCH, turned[0])
    second = [at for at in turned[1:] if again and at > again[0]]
    out = bool(second) and _at_end(run, RUN, second[0])
    off = abs(float(run["robot"]["progress"][-1])) if home else inf
    return Trip(branch, out, off, home[0] if home else inf, *_on_map(run))


def _at_end(run: Run, part: str, time_s: float) -> bool:
    """Whether the nose was at the end of that part."""
    world = run.scenario.world
    assert isinstance(world, Pipe)
    tube = world.tubes().tube(part)
    away = place_at(run, "T1", time_s) - tube.frame(tube.length)[0]
    return float(np.linalg.norm(away)) <= NEAR_M


def _on_map(run: Run) -> tuple[float, float, int]:
    """Of the last map: its worst length on the way out, the branch's, and how many places."""
    world, maps = run.scenario.world, run.events(MAP)
    assert isinstance(world, Pipe)
    if not maps:
        return nan, nan, 0
    error = compare(from_spec(MapSpec.parse(maps[-1].detail, where=MAP)), world.tubes())
    wrong = {
        each.name: abs(each.mapped_length_m / each.true_length_m - 1)
        for each in error.matched
        if each.true_length_m and each.mapped_length_m
    }
    beside = wrong.pop(BRANCH, nan)
    return max(wrong.values(), default=nan), beside, len(error.matched)


def experiment(bench: Bench) -> Outcome:
    cases = {"": Case("default", FIELDS, varied=varied)}
    trips = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)[""]
    branch, out, home = (
        Rate.count(getattr(trip, leg) for trip in trips) for leg in ("branch", "out", "home")
    )
    whole = [(k, trip) for k, trip in enumerate(trips) if trip.on_map == WHOLE]
    worst = [100 * trip.worst_length for _, trip in whole] or [nan]
    median = float(np.median(worst))
    beside = 100 * float(np.median([trip.branch_length for _, trip in whole] or [nan]))
    taken = float(np.median([trip.taken_s for trip in trips]))
    return Outcome(
        ours=(
            f"out {out}, home {home}, into the branch first {branch}; the worst length of a map "
            f"{median:.1f} % off at the median"
        ),
        passed=min(out.low, home.low) >= LOW_MIN and median <= 100 * LENGTH_MAX,
        note=(
            f"Elbow of 90° to either side, bifurcation of 45°, straights varied by {VARY_MM:g} mm. "
            f"Home: the nose within {1000 * NEAR_M:.0f} mm of the inlet; the launch tube is open "
            f"behind the robot.  Asked for: lower 95 % bounds of {LOW_MIN:.0%}, and over the "
            f"{len(whole)} maps with bend, bifurcation and both ends each length of the way to the "
            f"end of the run within {LENGTH_MAX:.0%} at the median (at worst {max(worst):.1f} %).  "
            f"The branch's is {beside:.1f} % off at the median: the robot rocks there all the time "
            f"and its traveller miscounts.  Home after {taken:.0f} s at the median."
        ),
        values=numbers(
            {
                "rate_out": out,
                "rate_home": home,
                "rate_branch": branch,
                "time_s": taken,
                "whole_maps": len(whole),
                "worst_length_median_percent": median,
                "worst_length_max_percent": max(worst),
                "branch_length_median_percent": beside,
            }
        ),
        plots=(
            curves(
                "The worst length of each map",
                "run",
                "error, %",
                {"worst length": enumerate(worst)},
                style="points",
            ),
        ),
    )
