"""A8: a support holds the robot while rotation modules turn at a bifurcation (001 §6.6).

In the mouth of a branch the helicoidal module loses the grip of some wheels; the rotation modules
turn an arch over it until other wheels are pressed to the wall (``annelid.motion.bifurcation``).
Uphill, because on the level nothing pulls the robot back.

The central control leaves the support folded: what was tried to make it hold helped in no way
(``docs/elbow-study.md``).  So that the claim is tested all the same, the support is told to grip by
hand, on the bus: from the time when robots come to the bifurcation it holds for half a turn of the
arch and lets go for the other half, in which the pusher can move on.  The control is the same robot
with the same seed without these commands: its support stays folded.  Whether a support gripped
while rotation modules turned is read from the recorded run: one that pushes against the wall draws
ten times the current of a folded one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, radians
from statistics import median
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
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
AT_S, HALF_S = 36.0, 2.1
"""From when on the support is told to grip; half a turn of the arch, which turns at 1.5 rad/s."""
PUSHES_A: Final = 0.1
"""What a support at the wall draws at least; a folded one draws 0.016 A."""
TURNS: Final = radians(5)
"""Of a joint, rad/s: it turns."""
GRIPPED_MIN_S: Final = 1.0
"""A run in which the support gripped for less, while joints turned, has not tried what 001 says."""
GRIPS, FOLDED, LEVEL = "the support grips", "the support folded", "folded, on the level"


def either_side(seed: int) -> dict[str, Any]:
    side = RandomStreams(seed)["papers/a08"].choice((0.0, 180.0))
    return {"world.parts.1.roll_deg": float(side)}


def case(slope_deg: int, **fields: Any) -> Case:
    climb = {"world.slope_deg": slope_deg, "world.launch": "closed", "record.state_hz": 0}
    return Case("support-bifurcation", {**climb, **fields}, either_side)


def grips() -> list[dict[str, Any]]:
    """Commands that somebody puts on the bus: expand, contract, and again."""
    told = np.arange(AT_S, LIMIT_S - HALF_S, HALF_S).round(2).tolist()
    return [{"at_s": t, "say": ("EX", "CT")[k % 2], "to": "S1"} for k, t in enumerate(told)]


def cases(**fields: Any) -> dict[str, Case]:
    return {
        GRIPS: case(SLOPE_DEG, **{"control.options.orders": grips()}, **fields),
        FOLDED: case(SLOPE_DEG, **fields),
        LEVEL: case(0, **fields),
    }


@dataclass(frozen=True)
class Went:
    took_s: float
    """Until the last module was through into the branch; infinite: never."""
    gripped_s: float
    """How long the support pushed against the wall while a rotation module turned."""


def judge(run: Run) -> Went:
    aside = abs(places(run, "T1")[-1, 1])
    done = run.metrics.time_to_goal_s
    motors, time = run["actuators"], run.time("actuators")
    joints = [motors[name] for name in motors if name.startswith("position[R")]
    turns = np.abs(np.gradient(np.array(joints), time, axis=1)).max(axis=0) > TURNS
    pushes = np.abs(motors["current[S1.grip]"]) > PUSHES_A
    return Went(
        took_s=inf if done is None or aside < OFF_THE_RUN else done,
        gripped_s=float((turns & pushes).mean() * (time[-1] - time[0])),
    )


def tested(found: Mapping[str, Sequence[Went]]) -> bool:
    """Whether the support gripped in every run that is to show it, and never in the control."""
    return all(went.gripped_s >= GRIPPED_MIN_S for went in found[GRIPS]) and not any(
        went.gripped_s for went in found[FOLDED]
    )


def experiment(bench: Bench) -> Outcome:
    repeats, limit_s = (1, 50.0) if bench.quick else (REPEATS, LIMIT_S)
    return outcome(bench.trials(cases(duration_s=limit_s), judge, repeats=repeats), limit_s)


def outcome(found: Mapping[str, Sequence[Went]], limit_s: float) -> Outcome:
    took = {name: [went.took_s for went in each] for name, each in found.items()}
    rate = {name: Rate.count(one < inf for one in each) for name, each in took.items()}
    gripped = [went.gripped_s for went in found[GRIPS]]
    control = max(went.gripped_s for went in found[FOLDED])
    span = range(0, int(LIMIT_S) + 5, 5)
    return Outcome(
        ours=f"into a branch {SLOPE_DEG}° uphill: "
        + ", ".join(f"{name} {rate[name].value:.0%} ({_within(rate[name])})" for name in found)
        + f"; the support gripped while joints turned for {min(gripped):.0f} to "
        f"{max(gripped):.0f} s of a run, in the control {control:.0f} s",
        passed=tested(found) and rate[GRIPS].above(rate[FOLDED]),
        note=(
            f"Branch of 45° to either side, {len(gripped)} robots each, told EXP on boards, within "
            f"{limit_s:g} s; median times: "
            + ", ".join(f"{name} {_seconds(each)}" for name, each in took.items())
            + ".  A pass needs 95 % intervals that do not meet, and a support that gripped for "
            f"{GRIPPED_MIN_S:g} s or more in every run and never in the control.  It is told to "
            f"grip on the bus, by hand, for {HALF_S:g} of every {2 * HALF_S:g} s from {AT_S:g} s "
            "on: the central control leaves it folded, since held or not the pusher lacks thrust "
            "(docs/elbow-study.md).  Grips: draws more than "
            f"{1000 * PUSHES_A:.0f} mA; folded it draws 16 mA."
        ),
        values={
            key: value
            for name, each in rate.items()
            for key, value in ((name, each.value), (f"{name}, low", each.low))
        }
        | {"gripped_s_least": min(gripped), "gripped_s_most": max(gripped)}
        | {"gripped_s_in_the_control": control},
        plots=(
            Figure(
                f"Into a branch, {SLOPE_DEG}° uphill",
                "time (s)",
                "share of runs that have passed",
                tuple(
                    Series.of(name, span, [sum(t <= s for t in each) / len(each) for s in span])
                    for name, each in took.items()
                ),
            ),
        ),
    )


def _within(rate: Interval) -> str:
    return f"{rate.low:.0%} to {rate.high:.0%}"


def _seconds(took: Sequence[float]) -> str:
    middle = median(took)
    return f"{middle:.0f} s" if middle < inf else "none in most"
