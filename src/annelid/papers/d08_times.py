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

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

PAPER_S: Final = {"attach": 0.5, "detach": 1.5}
PRESSURE, FORCE = "pressure", "force"
EACH_S, MEDIAN_S = 0.05, 0.15
"""How near every cup must be by its pressure, and the median of all by their force: a foot bears a
part of the weight as well, which goes over to others."""
FULL_PA: Final = 30.0 / 0.00196
"""Of a cup of 30 N under a lip of 19.6 cm²."""
LOW, HIGH = 0.2, 0.8
LEAST: Final = 4
"""Cups that must be seen to attach, and to detach."""
REPEATS: Final = 5


@dataclass(frozen=True)
class CupTimes:
    times_s: dict[tuple[str, str], list[float]]
    """By what tells it, and whether the cup attaches or detaches."""
    curves: dict[str, tuple[Floats, Floats]]
    """Of the first leg that stepped: time (s) and share of what is read of a cup that holds."""


def judge(run: Run) -> CupTimes:
    time, table = run.time("sensors"), run["sensors"]
    found: dict[tuple[str, str], list[float]] = {
        (what, how): [] for what in (PRESSURE, FORCE) for how in PAPER_S
    }
    steps, curves = run.events("step"), {}
    first = steps[0].detail["leg"] if steps else 1
    for leg in range(1, 7):
        vacuum, force = table[f"L{leg}.{PRESSURE}"] / FULL_PA, table[f"L{leg}.{FORCE}"]
        held = float(np.median(force[vacuum > HIGH]))
        for what, curve in ((PRESSURE, vacuum), (FORCE, force / held)):
            found[what, "attach"] += ramps(time, curve)
            found[what, "detach"] += ramps(-time[::-1], curve[::-1])
            if leg == first:
                curves[what] = (time, curve)
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
    median = {key: float(np.median(each or [np.inf])) for key, each in found.items()}
    worst = {
        what: max(
            (abs(t - PAPER_S[how]) for how in PAPER_S for t in found[what, how]), default=np.inf
        )
        for what in (PRESSURE, FORCE)
    }
    near = worst[PRESSURE] <= EACH_S and all(
        abs(median[FORCE, how] - wanted) <= MEDIAN_S for how, wanted in PAPER_S.items()
    )
    return Outcome(
        ours="; ".join(
            f"by the {what} {median[what, 'attach']:.2f} s and {median[what, 'detach']:.2f} s"
            for what in (PRESSURE, FORCE)
        ),
        passed=enough and near,
        note=(
            f"{len(found['pressure', 'attach'])} cups that attach, "
            f"{len(found['pressure', 'detach'])} that detach, {repeats} robots on a floor.  By "
            f"construction: the vacuum's times are the leg's.  Each must be within {EACH_S} s by "
            f"the pressure that its sensor tells (worst {worst[PRESSURE]:.2f}), and their median "
            f"within {MEDIAN_S} s by the force of the plane on the foot; a foot bears weight too, "
            f"which shifts while others step, so a single one is off by {worst[FORCE]:.2f} s"
        ),
        values={f"{how}_by_{what}_s": each for (what, how), each in median.items()},
        plots=(
            Figure(
                "A cup in a walk",
                "time (s)",
                "share of what holds",
                tuple(Series.of(what, *curve) for what, curve in runs[0].curves.items()),
            ),
        ),
    )
