"""E6: oscillators drift apart, Cristian's algorithm holds the gait together (004 §2.3.2).

Every step of a module is recorded with the gait time it believed in.  What it was ahead of the true
time, less what all are ahead, is its phase error: a gait depends on the modules' phases to each
other.  Five ways: nobody corrects; the paper's cure, by asking round a ring and by telling along a
line; and the same two with modules that also learn the rate of their oscillators (ours).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.gait_steps import gait_steps, host_start_ns
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

WORK_MS: Final = (0.3, 0.6)
"""What passing a packet on takes, drawn for each run; the modules reckon with 004's 0.452."""
SECONDS: Final = 60.0
LEARNT_S: Final = 4.0
"""After so long a module has been told the time twice and more; errors count from here."""
GRID_S: Final = 0.2
REPEATS: Final = 8
PERIOD_MS: Final = 3200
"""Of a cycle: 16 time states of 200 ms."""
HELD_DEG: Final = 10.0
"""Phase error of a cycle below which the gait holds: half a time state of 16 is 11°."""

ASK: Final = {"control.options.sync": "ask", "control.options.topology": "ring"}
TELL: Final = {"control.options.sync": "tell"}
SET_ONLY: Final = {"control.options.learns_rate": False}
FREE: Final = "no correction"
WAYS: Final[Mapping[str, Mapping[str, Any]]] = {
    FREE: {},
    "asking": {**ASK, **SET_ONLY},
    "telling": {**TELL, **SET_ONLY},
    "asking + rate": ASK,
    "telling + rate": TELL,
}


def work(seed: int) -> dict[str, float]:
    ms = float(np.random.default_rng(seed).uniform(*WORK_MS))
    return {"control.options.processing_ms": ms}


def judge(run: Run) -> Floats:
    """Phase error of each module (columns) on a grid of times (rows), ms."""
    start_ns = host_start_ns(run)
    grid = times(run.scenario.duration_s - 1)
    ahead = []
    for mine in gait_steps(run):
        t = np.array([step.time_ns - start_ns for step in mine]) / 1e6
        believed = np.array([step.detail["gait_ns"] for step in mine]) / 1e6
        ahead.append(np.interp(1000 * grid, t, believed - t))
    found = np.array(ahead).T
    errors: Floats = found - found.mean(axis=1, keepdims=True)
    return errors


def times(seconds: float) -> Floats:
    return np.arange(1.0, seconds, GRID_S)


def experiment(bench: Bench) -> Outcome:
    seconds, repeats = (15.0, 5) if bench.quick else (SECONDS, REPEATS)
    cases = {
        way: Case("e06-drift", {"duration_s": seconds + 1, **fields}, varied=work)
        for way, fields in WAYS.items()
    }
    found = bench.trials(cases, judge, repeats=repeats)
    grid = times(seconds)
    worst = {
        way: [float(np.abs(errors[grid >= LEARNT_S]).max()) for errors in each]
        for way, each in found.items()
    }
    limit_ms = HELD_DEG * PERIOD_MS / 360
    held = {way: [error <= limit_ms for error in each] for way, each in worst.items()}
    cures = [way for way in WAYS if way != FREE]
    free = Rate.count(held[FREE])
    return Outcome(
        ours=(
            f"worst phase error in {seconds:.0f} s: {max(worst[FREE]):.0f} ms without correction, "
            + ", ".join(f"{max(worst[way]):.1f} {way}" for way in cures)
        ),
        passed=all(all(held[way]) and Rate.count(held[way]).above(free) for way in cures)
        and not any(held[FREE]),
        note=(
            f"Asked for: under {HELD_DEG:.0f}° ({limit_ms:.0f} ms of {PERIOD_MS} ms) in every run "
            "with any cure, more in every run without.  The gait holds in "
            + ", ".join(f"{Rate.count(held[way])} {way}" for way in WAYS)
            + ".  Oscillators within ±3 % and constant, time set each second, errors from "
            f"{LEARNT_S:.0f} s on against the modules' mean.  Telling adds k·4.619 ms for the "
            f"line, where a hop takes 4.167 and {WORK_MS[0]} to {WORK_MS[1]} ms here.  Learning "
            "the rate is ours"
        ),
        values={
            f"worst_{way.replace(' + ', '_').replace(' ', '_')}_ms": max(each)
            for way, each in worst.items()
        },
        plots=tuple(
            Figure(
                title,
                "time since the start, s",
                "phase error, ms",
                tuple(Series.of(way, grid, np.abs(found[way]).max(axis=(0, 2))) for way in ways),
            )
            for title, ways in (
                ("Worst phase error of a module", list(WAYS)),
                ("The same, corrected", cures),
            )
        ),
    )
