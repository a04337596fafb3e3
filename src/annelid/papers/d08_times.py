"""D8: a cup attaches in 0.5 s and detaches in 1.5 s (003 §5), in the timeline of a walk.

The times of the vacuum are parameters of the leg.  Judged is what follows from them in a walk: the
pressure that a cup's sensor tells, and the force of the plane on its foot.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

PAPER_S: Final = {"attach": 0.5, "detach": 1.5}
NEAR_S: Final = {"pressure": 0.05, "force": 0.15}
"""A foot bears a part of the weight as well, so its force is less even than its pressure."""
FULL: Final = {"pressure": 30.0 / 0.00196, "force": 30.0}
"""Of a cup of 30 N under a lip of 19.6 cm², Pa and N."""
LOW, HIGH = 0.2, 0.8
LEAST: Final = 4
"""Cups that must be seen to attach, and to detach."""
REPEATS: Final = 5


@dataclass(frozen=True)
class CupTimes:
    times_s: dict[tuple[str, str], list[float]]
    """By what tells it, and whether the cup attaches or detaches."""
    curves: dict[str, tuple[Floats, Floats]]
    """Of the first leg that stepped: time (s) and share of the full reading."""


def judge(run: Run) -> CupTimes:
    time, table = run.time("sensors"), run["sensors"]
    found: dict[tuple[str, str], list[float]] = {}
    for what, full in FULL.items():
        for leg in range(1, 7):
            curve = table[f"L{leg}.{what}"] / full
            found.setdefault((what, "attach"), []).extend(ramps(time, curve))
            found.setdefault((what, "detach"), []).extend(ramps(-time[::-1], curve[::-1]))
    first = run.events("step")[0].detail["leg"]
    curves = {what: (time, table[f"L{first}.{what}"] / full) for what, full in FULL.items()}
    return CupTimes(found, curves)


def ramps(time: Floats, curve: Floats) -> list[float]:
    """How long each whole rise from empty to full took, s: by its middle part, because a foot that
    is being set down trembles."""
    found, began = [], None
    for (before, after), at in zip(pairwise(curve), time[1:], strict=True):
        if before < LOW <= after:
            began = at
        if began is not None and before < HIGH <= after:
            found.append(float((at - began) / (HIGH - LOW)))
            began = None
    return found


def experiment(bench: Bench) -> Outcome:
    repeats = 2 if bench.quick else REPEATS
    runs = bench.trials({"": Case("d08-cups")}, judge, repeats=repeats)[""]
    found = {key: [t for one in runs for t in one.times_s[key]] for key in runs[0].times_s}
    enough = all(len(each) >= LEAST for each in found.values())
    off = {
        key: max((abs(t - PAPER_S[key[1]]) for t in each), default=np.inf)
        for key, each in found.items()
    }
    near = all(worst <= NEAR_S[what] for (what, _), worst in off.items())
    told = {key: Interval.mean(each or [np.nan]).told() for key, each in found.items()}
    return Outcome(
        ours="; ".join(
            f"by the {what} {told[what, 'attach']} s and {told[what, 'detach']} s" for what in FULL
        ),
        passed=enough and near,
        note=(
            f"{len(found['pressure', 'attach'])} cups that attach, "
            f"{len(found['pressure', 'detach'])} that detach, {repeats} robots on a floor.  By "
            "construction: the vacuum's times are the leg's.  Each must be within "
            f"{NEAR_S['pressure']} s by the pressure that its sensor tells, and within "
            f"{NEAR_S['force']} s by the force of the plane on the foot (worst "
            f"{max(v for (what, _), v in off.items() if what == 'force'):.2f})"
        ),
        values={f"{how}_{what}_off_s": float(worst) for (what, how), worst in off.items()},
        plots=(
            Figure(
                "A cup in a walk",
                "time (s)",
                "share of a full cup's",
                tuple(Series.of(what, *curve) for what, curve in runs[0].curves.items()),
            ),
        ),
    )
