"""B15: exploration of a pipe with elbows and a bifurcation, and the way home (000 Fig 16).

T R R H R R V P is told to explore; nothing else is said (scenario ``default`` with a second elbow;
bore, lengths and sides are drawn).  It enters the branch, comes back, and goes on along the run.
*Out* is reached when the operator reads that the pipe ends and the nose is at the true end of the
run; *home* when the operator reads so and the nose stands at the inlet; the launch tube is open, so
nothing stops it there but the robot's own knowledge.  The map that the robot made is laid over the
true network: bends, bifurcation, ends, and the lengths between them.  A map that lacks one of them
or has a place that is not there has failed.
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
from annelid.systems.microtub.mapping import MapError, MapSpec, compare, from_spec
from annelid.trial.replay import Run
from annelid.worlds.pipe_world import Pipe

BORES_MM: Final = (39.0, 42.0)
STRAIGHTS_MM: Final = (300.0, 250.0, 250.0, 400.0, 100.0)
"""The last one is behind the branch."""
VARY_MM: Final = 30.0
RUN, BRANCH = "straight4", "straight5"
"""The parts at whose ends the two legs end."""
NEAR_M: Final = 0.05
"""The nose counts as being at the end, or at home, within this, on either side."""
LOW_MIN: Final = 0.8
MEDIAN_MAX, WORST_MAX = 0.03, 0.08
"""Of the worst length on a map: over all runs at the median, and in any of them."""
WHOLE: Final = 5
"""Places on a whole map: two bends, bifurcation, two ends."""
REPEATS: Final = 50
FIELDS: Final = {
    "duration_s": 500.0,
    "world.breaks": [],
    "control.options.look_s": 60.0,
    "success.progress_m": 1.3,
}
"""Nothing is looked for, so few pictures are taken; the shortest way out is 1.4 m."""


def varied(seed: int) -> dict[str, Any]:
    chance = RandomStreams(seed)["papers/b15"]
    straights: list[dict[str, Any]] = [
        {"part": "straight", "length_mm": round(float(mm + chance.uniform(-VARY_MM, VARY_MM)), 1)}
        for mm in STRAIGHTS_MM
    ]
    first, second, branch = ({"roll_deg": float(chance.choice((0.0, 180.0)))} for _ in range(3))
    elbow: dict[str, Any] = {"part": "elbow", "angle_deg": 90, "radius_mm": 60}
    tee = {"part": "tee", "run_mm": 200, "branch_mm": 150, "branch_angle_deg": 45}
    parts = [
        straights[0],
        elbow | first,
        straights[1],
        elbow | second,
        straights[2],
        tee | branch,
        straights[3],
        straights[4] | {"at": "tee1.branch"},
    ]
    return {"world.parts": parts, "world.bore_mm": round(float(chance.uniform(*BORES_MM)), 2)}


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
    """Share by which a length on the map is wrong, the worst; infinite: the map is not right."""
    branch_length: float
    """The same of the branch; NaN: it is not on the map."""
    on_map: int
    """Places that are there."""
    ghosts: int = 0
    """Places on the map that are not."""

    @property
    def whole(self) -> bool:
        """All places are on the map, and no others."""
        return self.on_map == WHOLE and not self.ghosts

    @property
    def home(self) -> bool:
        return self.off_m <= NEAR_M


def judge(run: Run) -> Trip:
    told = answers(run)
    turned, home = (when(told, words) for words in ("going home", "home again"))
    branch, out = (any(_at_end(run, leg, at) for at in turned) for leg in (BRANCH, RUN))
    off = abs(float(run["robot"]["progress"][-1])) if home else inf
    return Trip(branch, out, off, home[0] if home else inf, *_on_map(run))


def _at_end(run: Run, part: str, time_s: float) -> bool:
    """Whether the nose was at the end of that part."""
    world = run.scenario.world
    assert isinstance(world, Pipe)
    tube = world.tubes().tube(part)
    away = place_at(run, "T1", time_s) - tube.frame(tube.length)[0]
    return float(np.linalg.norm(away)) <= NEAR_M


def _on_map(run: Run) -> tuple[float, float, int, int]:
    """Of the last map: its worst length, the branch's, how many places, and how many ghosts."""
    world, maps = run.scenario.world, run.events(MAP)
    assert isinstance(world, Pipe)
    if not maps:
        return inf, nan, 0, 0
    return lengths(compare(from_spec(MapSpec.parse(maps[-1].detail, where=MAP)), world.tubes()))


def lengths(error: MapError) -> tuple[float, float, int, int]:
    """A length of zero on the map is wrong by all of it."""
    wrong = {
        each.name: abs(each.mapped_length_m / each.true_length_m - 1)
        for each in error.matched
        if each.true_length_m and each.mapped_length_m is not None
    }
    found, ghosts = len(error.matched), len(error.extra)
    right = found == WHOLE and not ghosts
    return max(wrong.values()) if right else inf, wrong.get(BRANCH, nan), found, ghosts


def experiment(bench: Bench) -> Outcome:
    cases = {"": Case("default", FIELDS, varied=varied)}
    trips = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)[""]
    branch, out, home = (
        Rate.count(getattr(trip, leg) for trip in trips) for leg in ("branch", "out", "home")
    )
    whole = Rate.count(trip.whole for trip in trips)
    ghosts = sum(trip.ghosts for trip in trips)
    worst = [100 * trip.worst_length for trip in trips]
    median = float(np.median(worst))
    on_map = [each for each in worst if each < inf]
    branches = [trip.branch_length for trip in trips if trip.branch_length == trip.branch_length]
    beside = 100 * float(np.median(branches or [nan]))
    taken = float(np.median([trip.taken_s for trip in trips]))
    return Outcome(
        ours=(
            f"into the branch {branch}, out {out}, home {home}; {whole} maps whole, "
            f"{ghosts} places on maps that are not there; the worst "
            f"length of a map {median:.1f} % off at the median, {max(worst):.1f} % at worst"
        ),
        passed=(
            min(branch.low, out.low, home.low) >= LOW_MIN
            and median <= 100 * MEDIAN_MAX
            and max(worst) <= 100 * WORST_MAX
        ),
        note=(
            f"Bores of {BORES_MM[0]:g} to {BORES_MM[1]:g} mm, two elbows of 90° and a bifurcation "
            f"of 45°, each to either side, straights varied by {VARY_MM:g} mm.  Home: the nose "
            f"within {1000 * NEAR_M:.0f} mm of the inlet; the launch tube is open behind the "
            f"robot.  Asked for: lower 95 % bounds of {LOW_MIN:.0%}, and the worst length of a map "
            f"{MEDIAN_MAX:.0%} off at the median and {WORST_MAX:.0%} at worst; a map without both "
            "bends, the bifurcation and both ends, or with a place that is not there, counts as "
            "infinitely wrong.  Of the whole maps "
            f"the worst is {max(on_map, default=nan):.1f} % off.  The branch's length is "
            f"{beside:.1f} % off at the median.  Home after {taken:.0f} s at the median."
        ),
        values=numbers(
            {
                "rate_out": out,
                "rate_home": home,
                "rate_branch": branch,
                "time_s": taken,
                "whole_maps": whole,
                "ghosts": ghosts,
                "worst_length_median_percent": median,
                "worst_length_max_percent": max(on_map, default=nan),
                "branch_length_median_percent": beside,
            }
        ),
        plots=(
            curves(
                "The worst length of each map",
                "run",
                "error, %",
                {"worst length": [(k, each) for k, each in enumerate(worst) if each < inf]},
                style="points",
            ),
        ),
    )
