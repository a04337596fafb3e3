"""B11: an actuator fails; the robot changes its actions by itself and still gets there (000 §3.4,
§6: indicators "may vary during the development of a task").

T R S E S R H V P is told to explore a pipe (``servo-fails``).  By the rules it inches; then a servo
of the inchworm loses its strength or jams.  The module notices, tells its capabilities anew (AMC),
the central control infers anew, and what is left of the robot pushes on with the helicoidal module.
The same runs with ``adapt = false`` stay with what was inferred for the healthy robot.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.kernel import RandomStreams
from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import movements
from annelid.trial.replay import Run

SCENARIO: Final = "servo-fails"
FAULTS: Final[tuple[dict[str, Any], ...]] = (
    {"fault": "weak_servo", "servo": "S1.grip", "factor": 0.01},
    {"fault": "weak_servo", "servo": "S2.grip", "factor": 0.01},
    {"fault": "stuck_servo", "servo": "E1.extend"},
)
EARLIEST_S, LATEST_S = 5.0, 9.0
"""Between these something breaks."""
RATE_MIN: Final = 0.8
REPEATS: Final = 10


@dataclass(frozen=True)
class Went:
    arrived: bool
    pushed: bool
    noticed_s: float
    """From the fault to another movement; NaN: none."""
    path: tuple[tuple[float, float], ...]
    """Time and progress."""


def case(fault: dict[str, Any], *, adapt: bool) -> Case:
    def broken(seed: int) -> dict[str, Any]:
        draw = RandomStreams(seed)[f"papers/b11/{fault['servo']}"]
        at_s = round(float(draw.uniform(EARLIEST_S, LATEST_S)), 2)
        return {"faults": [{**fault, "at_s": at_s}]}

    return Case(SCENARIO, {"control.options.adapt": adapt}, varied=broken)


def judge(run: Run) -> Went:
    told = movements(run)
    broke = [event.time_ns * 1e-9 for event in run.events("fault")]
    after = [t - broke[0] for t, name in told if broke and t > broke[0] and name != "stop"]
    time, way = run.time("robot"), run["robot"]["progress"]
    return Went(
        run.metrics.success is True,
        "push" in (name for _, name in told),
        after[0] if after else float("nan"),
        tuple(zip(time[::25].tolist(), way[::25].tolist(), strict=True)),
    )


def experiment(bench: Bench) -> Outcome:
    cases = {
        (adapt, fault["servo"]): case(fault, adapt=adapt)
        for adapt, fault in product((True, False), FAULTS)
    }
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    runs = {
        adapt: [went for key, each in found.items() if key[0] is adapt for went in each]
        for adapt in (True, False)
    }
    rate = {adapt: Rate.count(went.arrived for went in runs[adapt]) for adapt in runs}
    with_it, without = rate[True], rate[False]
    noticed = float(np.nanmedian([went.noticed_s for went in runs[True]]))
    of = len(runs[True])
    stuck = ", ".join(
        f"{servo} {sum(went.arrived for went in each)} of {len(each)}"
        for (adapt, servo), each in found.items()
        if not adapt
    )
    return Outcome(
        ours=f"{with_it} get there after a failure; without adaptation {without}",
        passed=with_it.value >= RATE_MIN and with_it.above(without),
        note=(
            "T R S E S R H V P in a straight pipe; a grip at 1 % of its torque (front or rear) or "
            f"a jammed extension, {EARLIEST_S:g} to {LATEST_S:g} s after the start; there: 0.35 m "
            f"within 30 s.  {of} robots with adaptation and {of} without; the intervals must not "
            f"meet.  {sum(went.pushed for went in runs[True])} go on by pushing, {noticed:.1f} s "
            f"after the failure at the median.  Without: {stuck}."
        ),
        values=numbers({"rate": with_it, "rate_without": without, "noticed_s": noticed}),
        plots=(
            curves(
                "A grip fails",
                "time, s",
                "progress, m",
                {
                    "with adaptation" if adapt else "without": found[adapt, "S1.grip"][0].path
                    for adapt in (True, False)
                },
            ),
        ),
    )
