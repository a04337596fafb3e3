"""E5: noise calls modules to the line; the pull-up and the timeout each cure it (004 §2.3.1).

A floating wire gives false bytes.  Each makes a module leave its gait for the reception of a packet
that does not come: without a timeout it stays there.  Modules of the Second and Third Profile, with
and without either cure, are asked for a number of steps; counted is what they do.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.gait_steps import gait_steps, host_start_ns, options
from annelid.papers.interval import Interval, Rate
from annelid.trial.replay import Run

PULL_UP: Final = {"control.options.pull_up": True}
NO_TIMEOUT: Final = {"control.options.timeout_ms": 0}
NEITHER: Final = "neither"
CURES: Final[Mapping[str, Mapping[str, Any]]] = {
    "both": PULL_UP,
    "pull-up": {**PULL_UP, **NO_TIMEOUT},
    "timeout": {},
    NEITHER: NO_TIMEOUT,
}
PROFILES: Final = (2, 3)
REPEATS: Final = 6
CURED, STUCK = 0.95, 0.5
"""Share of the steps above which a cure works, and below which the robot does not."""


@dataclass(frozen=True)
class StepsDone:
    share: float
    """Of those that were asked for."""
    pause_s: float
    """Longest time that a module did no step, from start to stop."""
    curve: tuple[float, ...]
    """Steps of a module so far, at the end of each second."""


def judge(run: Run) -> StepsDone:
    spec = options(run)
    assert spec.stop_s is not None
    start_ns = host_start_ns(run)
    times = [[(step.time_ns - start_ns) * 1e-9 for step in each] for each in gait_steps(run)]
    inside = [[t for t in each if 0 <= t < spec.stop_s] for each in times]
    asked = round(spec.stop_s * 1000 / spec.interval_ms)
    return StepsDone(
        share=float(np.mean([min(1.0, len(each) / asked) for each in inside])),
        pause_s=max(float(np.diff([0.0, *each, spec.stop_s]).max()) for each in inside),
        curve=tuple(
            float(np.mean([sum(t < second for t in each) for each in inside]))
            for second in range(1, int(spec.stop_s) + 1)
        ),
    )


def experiment(bench: Bench) -> Outcome:
    repeats = 3 if bench.quick else REPEATS
    cases = {
        (cure, profile): Case("e05-noise", {**CURES[cure], "control.options.profile": profile})
        for cure, profile in product(CURES, PROFILES)
    }
    runs = bench.trials(cases, judge, repeats=repeats)
    found = {cure: [one for p in PROFILES for one in runs[cure, p]] for cure in CURES}
    share = {cure: Interval.mean([100 * one.share for one in each]) for cure, each in found.items()}
    well = {cure: [one.share >= CURED for one in each] for cure, each in found.items()}
    stuck = [one.share <= STUCK for one in found[NEITHER]]
    without = Rate.count(well.pop(NEITHER))
    cured = all(all(each) and Rate.count(each).above(without) for each in well.values())
    return Outcome(
        ours="steps done: " + ", ".join(f"{cure} {each.told(1)} %" for cure, each in share.items()),
        passed=cured and all(stuck),
        note=(
            f"4 modules, 12 s, profiles 2 and 3.  A cure must give {CURED:.0%} of the steps in "
            f"every run, neither at most {STUCK:.0%}: "
            + ", ".join(f"{cure} {Rate.count(each)}" for cure, each in well.items())
            + f", neither stands in {Rate.count(stuck)}.  Longest pause with neither "
            f"{max(one.pause_s for one in found[NEITHER]):.1f} s.  Proposed, because 004 gives no "
            "number: 20 false bytes a second on a floating wire, a timeout of 20 ms; set-up, start "
            "and stop said 4 times"
        ),
        values={
            f"{what}_{cure.replace('-', '_')}_{unit}": value
            for cure, each in found.items()
            for what, unit, value in (
                ("done", "percent", share[cure].value),
                ("pause", "s", max(one.pause_s for one in each)),
            )
        },
        plots=(
            Figure(
                "Steps done by a module",
                "time since the start, s",
                "steps",
                tuple(
                    Series.of(
                        cure,
                        np.arange(1, len(each[0].curve) + 1),
                        np.mean([one.curve for one in each], axis=0),
                    )
                    for cure, each in found.items()
                ),
            ),
        ),
    )
