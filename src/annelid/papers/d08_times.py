"""D8: a cup attaches in 0.5 s and detaches in 1.5 s (003 §5), in the timeline of a walk."""

from __future__ import annotations

from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import ClimbRun

ATTACH_S, DETACH_S = 0.5, 1.5
NEAR_S: Final = 0.05
SECONDS: Final = 26.0
LOOK_S: Final = 0.01


def experiment(bench: Bench) -> Outcome:
    run = ClimbRun({"way": [{"x_mm": 200}]}, seed=bench.seed)
    times, vacuums = [], []
    while run.time_s < SECONDS:
        run.run(run.time_s + LOOK_S)
        times.append(run.time_s)
        vacuums.append(run.sim.cups.vacuums())
    seen = np.array(vacuums)
    ups, downs = [], []
    for leg in range(seen.shape[1]):
        curve = seen[:, leg]
        ups += ramps(np.array(times), curve, rising=True)
        downs += ramps(np.array(times), curve, rising=False)
    steps = [at_s for at_s, _ in run.told("step")]
    apart = float(np.median(np.diff(steps)))
    attach, detach = float(np.median(ups)), float(np.median(downs))
    off = [*(abs(t - ATTACH_S) for t in ups), *(abs(t - DETACH_S) for t in downs)]
    leg = int(np.argmin(seen[times.index(max(times[: len(times) // 2])) :].mean(axis=0)))
    return Outcome(
        ours=f"{attach:.2f} s and {detach:.2f} s over {len(ups)} and {len(downs)} cups; "
        f"a step every {apart:.1f} s",
        passed=len(ups) >= 4 and len(downs) >= 4 and max(off) <= NEAR_S,
        note="From the vacuum in the engine, empty to full and back, while it walks on a floor",
        values={"attach_s": attach, "detach_s": detach, "worst_s": max(off), "step_s": apart},
        plots=(
            Figure(
                f"Vacuum of leg {leg + 1}",
                "time (s)",
                "share of a full vacuum",
                (Series.of("in the engine", times, seen[:, leg]),),
            ),
        ),
    )


def ramps(times: np.ndarray, curve: np.ndarray, *, rising: bool) -> list[float]:
    """How long each whole way from empty to full (or back) took, s: by its middle part, because
    a foot that is being set down trembles."""
    low, high = 0.2, 0.8
    first, last = (low, high) if rising else (high, low)
    found, began = [], None
    for before, after, at in zip(curve, curve[1:], times[1:], strict=False):
        if (before < first <= after) if rising else (before > first >= after):
            began = at
        if began is not None and ((before < last <= after) if rising else (before > last >= after)):
            found.append(float((at - began) / (high - low)))
            began = None
    return found
