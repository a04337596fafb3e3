"""A8: a support holds the robot while rotation modules turn at a bifurcation (001 §6.6).

In the mouth of a branch the helicoidal module loses the grip of some wheels; the rotation modules
turn an arch over it until other wheels are pressed to the wall (``annelid.motion.bifurcation``).
Uphill, because on the level nothing pulls the robot back.  The control has a passive module of the
same mass and length in place of the support.  What was tried to make a support hold meanwhile is in
``docs/elbow-study.md``; it helped in no way, so the central control leaves it folded.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from statistics import median
from typing import Any, Final

from annelid.kernel import RandomStreams
from annelid.modules.support import Support
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.case import places
from annelid.papers.interval import Interval, Rate
from annelid.trial.replay import Run

LIMIT_S: Final = 90.0
SLOPE_DEG: Final = 13
"""Steep: by stall force, weight and friction the pusher climbs 19° with a chain of seven."""
REPEATS: Final = 20
OFF_THE_RUN: Final = 0.03
"""The run is straight and the branch leaves level with it: so far aside the head is in it, m."""
STAND_IN: Final[dict[str, Any]] = {
    "robot.chain": "TRRHRRPV",
    "robot.each.P.mass_g": Support().mass_g,
    "robot.each.P.length_mm": Support().length_mm,
}
HELD, ALONE, LEVEL = "with a support", "without", "with a support on the level"


def either_side(seed: int) -> dict[str, Any]:
    side = RandomStreams(seed)["papers/a08"].choice((0.0, 180.0))
    return {"world.parts.1.roll_deg": float(side)}


def case(slope_deg: int, **fields: Any) -> Case:
    climb = {"world.slope_deg": slope_deg, "world.launch": "closed", "record.state_hz": 0}
    return Case("support-bifurcation", {**climb, **fields}, either_side)


def cases(**fields: Any) -> dict[str, Case]:
    return {
        HELD: case(SLOPE_DEG, **fields),
        ALONE: case(SLOPE_DEG, **STAND_IN, **fields),
        LEVEL: case(0, **fields),
    }


def judge(run: Run) -> float:
    """When the last module was through into the branch, s; infinite: never."""
    aside = abs(places(run, "T1")[-1, 1])
    done = run.metrics.time_to_goal_s
    return inf if done is None or aside < OFF_THE_RUN else done


def experiment(bench: Bench) -> Outcome:
    repeats, limit_s = (1, 30.0) if bench.quick else (REPEATS, LIMIT_S)
    found = bench.trials(cases(duration_s=limit_s), judge, repeats=repeats)
    rate = {name: Rate.count(took < inf for took in each) for name, each in found.items()}
    span = range(0, int(LIMIT_S) + 5, 5)
    return Outcome(
        ours=f"into a branch {SLOPE_DEG}° uphill: "
        + ", ".join(f"{name} {rate[name].value:.0%} ({_within(rate[name])})" for name in found),
        passed=rate[HELD].above(rate[ALONE]),
        note=(
            f"Branch of 45° to either side, {repeats} robots each, told EXP on boards, within "
            f"{limit_s:g} s; median times: "
            + ", ".join(f"{name} {_seconds(found[name])}" for name in found)
            + ".  A pass needs 95 % intervals that do not meet.  The central control leaves the "
            "support folded there: held, the pusher lacks thrust all the same "
            "(docs/elbow-study.md)."
        ),
        values={
            key: value
            for name, each in rate.items()
            for key, value in ((name, each.value), (f"{name}, low", each.low))
        },
        plots=(
            Figure(
                f"Into a branch, {SLOPE_DEG}° uphill",
                "time (s)",
                "share of runs that have passed",
                tuple(
                    Series.of(name, span, [sum(t <= s for t in took) / repeats for s in span])
                    for name, took in found.items()
                ),
            ),
        ),
    )


def _within(rate: Interval) -> str:
    return f"{rate.low:.0%} to {rate.high:.0%}"


def _seconds(took: Sequence[float]) -> str:
    middle = median(took)
    return f"{middle:.0f} s" if middle < inf else "none in most"
