"""B11: an actuator fails; the robot changes its actions by itself and still gets there (000 §3.4,
§6: indicators "may vary during the development of a task").

T R S E S R H V P is told to explore a pipe.  By the rules it inches; then a servo of the inchworm
loses its strength or jams.  The module notices, tells its capabilities anew (AMC), the central
control infers anew, and what is left of the robot pushes on with the helicoidal module.  The same
runs with ``adapt = false`` stay with what was inferred for the healthy robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import straight_pipe
from annelid.papers.told_run import ToldRun
from annelid.trial.summary import wilson

CHAIN: Final = "TRSESRHVP"
FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"fault": "weak_servo", "servo": "S1.grip", "factor": 0.01},
    {"fault": "weak_servo", "servo": "S2.grip", "factor": 0.01},
    {"fault": "stuck_servo", "servo": "E1.extend"},
)
EXPLORE_S, END_S = 3.0, 30.0
GOAL_M: Final = 0.35
EARLIEST_S, LATEST_S = 5.0, 9.0
"""Between these something breaks."""
RATE_MIN: Final = 0.8


@dataclass(frozen=True)
class Case:
    fault: int
    seed: int
    adapt: bool


@dataclass(frozen=True)
class Went:
    movements: tuple[str, ...]
    noticed_s: float
    """From the fault to another movement; NaN: none."""
    path: tuple[float, ...]
    """Progress every second, m."""


def explore(case: Case) -> Went:
    chance = np.random.default_rng([case.seed, case.fault])
    at_s = float(chance.uniform(EARLIEST_S, LATEST_S))
    run = ToldRun(
        CHAIN,
        straight_pipe(length_mm=700.0),
        [(EXPLORE_S, "EXP")],
        seed=case.seed,
        options={"adapt": case.adapt},
        faults=[{**FAULTS[case.fault], "at_s": at_s}],
    )
    path = []
    for second in range(1, int(END_S) + 1):
        run.run(second)
        path.append(run.sim.progress())
        if path[-1] >= GOAL_M:
            break
    after = [t for t, name in run.movements if t > at_s and name != "stop"]
    return Went(
        tuple(name for _, name in run.movements),
        after[0] - at_s if after else float("nan"),
        tuple(path),
    )


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    cases = [
        Case(fault, seed, adapt)
        for adapt in (True, False)
        for fault in range(len(FAULTS))
        for seed in seeds
    ]
    found = dict(zip(cases, bench.map(explore, cases, what="failures"), strict=True))
    arrived = {
        adapt: [went.path[-1] >= GOAL_M for case, went in found.items() if case.adapt is adapt]
        for adapt in (True, False)
    }
    rate = {adapt: float(np.mean(each)) for adapt, each in arrived.items()}
    low, _ = wilson(sum(arrived[True]), len(arrived[True]))
    noticed = np.array([went.noticed_s for case, went in found.items() if case.adapt])
    changed = sum("push" in went.movements for case, went in found.items() if case.adapt)
    shown = {adapt: found[Case(0, seeds[0], adapt)].path for adapt in (True, False)}
    return Outcome(
        ours=(
            f"{sum(arrived[True])} of {len(arrived[True])} get there after a failure "
            f"({changed} by another movement, {np.nanmedian(noticed):.1f} s after it at the "
            f"median); without adaptation {sum(arrived[False])} of {len(arrived[False])}"
        ),
        passed=rate[True] >= RATE_MIN and rate[True] > rate[False],
        note=(
            f"{CHAIN} in a straight pipe; a grip at 1 % of its torque (front or rear) or a jammed "
            f"extension, {EARLIEST_S:g} to {LATEST_S:g} s after the start; there: {GOAL_M:g} m "
            f"within {END_S:g} s."
        ),
        values={
            "rate": rate[True],
            "rate_low": low,
            "rate_without": rate[False],
            "noticed_s": float(np.nanmedian(noticed)),
        },
        plots=(
            Figure(
                "A grip fails",
                "time, s",
                "progress, m",
                tuple(
                    Series.of(
                        "with adaptation" if adapt else "without",
                        range(1, len(shown[adapt]) + 1),
                        shown[adapt],
                    )
                    for adapt in (True, False)
                ),
            ),
        ),
    )
