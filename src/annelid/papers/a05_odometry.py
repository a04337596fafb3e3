"""A5: the traveller's odometry behind three drives (001 §3.3.6, Fig 6).

Every 15 ms the module adds the largest advance of its three encoders.  Where all wheels touch
and the module only goes ahead, that is the way.  An inchworm takes it back a little at every
stroke: a wheel in the air stands still while those on the wall turn back, and the largest of the
three does not see the step back.  A wave rocks it: the wheels on one side roll ahead while those
on the other roll back, and the largest counts the former every time.  Both make the sum run ahead
in proportion to the way, so one factor per movement corrects it (``calibrate``).
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from annelid.motion.odometry import LOOP_S, advance, calibrate
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.case import along
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

Floats = NDArray[np.float64]

DRIVES: Final = ("helicoidal", "snake", "inchworm")
DRIFTING: Final = DRIVES[1:]
SETTLE_S: Final = 1.0
SLOPE_DEG: Final = 5
"""Of one more check: does the filter of the level pipe still hold here?"""
CALIBRATED, CHECKED = 3, 6
"""Robots from which the factor comes, and others on which it is checked."""

EXACT, DRIFT_MIN, CORRECTED_MAX, LINEAR = 0.02, 0.05, 0.05, 0.99
"""Error of the helicoidal; drift of the others; what the filter may leave; least correlation."""


@dataclass(frozen=True)
class Way:
    """What one run saw once it had settled; m, at every pass of the traveller's loop."""

    true: Floats
    measured: Floats

    @property
    def drift(self) -> float:
        return float(self.measured[-1] / self.true[-1] - 1)

    @property
    def linear(self) -> float:
        return float(np.corrcoef(self.true, self.measured)[0, 1])

    def left_by(self, factor: float) -> float:
        """Error at the end of the way after the filter."""
        return abs(float(factor * self.measured[-1] / self.true[-1] - 1))


def judge(run: Run) -> Way:
    every = round(LOOP_S * run.scenario.record.rate_hz)
    settled = slice(round(SETTLE_S * run.scenario.record.rate_hz), None, every)
    sensors = run["sensors"]
    readings = np.column_stack([sensors[f"V1.encoder{k}"][settled] for k in range(3)]).tolist()
    measured = [0.0]
    for before, now in pairwise(readings):
        measured.append(advance(measured[-1], before, now))
    true = along(run, "V1")[settled]
    return Way(true - true[0], np.array(measured))


def experiment(bench: Bench) -> Outcome:
    calibrated, checked = (1, 2) if bench.quick else (CALIBRATED, CHECKED)
    level = bench.trials(
        {name: Case(f"a05-{name}") for name in DRIVES}, judge, repeats=calibrated + checked
    )
    climbs = {name: Case(f"a05-{name}", {"world.slope_deg": SLOPE_DEG}) for name in DRIVES}
    uphill = bench.trials(climbs, judge)
    values: dict[str, float] = {}
    drift, plots = {}, []
    for name, ways in level.items():
        first, fresh = ways[:calibrated], ways[calibrated:]
        factor = calibrate(
            np.concatenate([way.measured for way in first]),
            np.concatenate([way.true for way in first]),
        )
        drift[name] = Interval.mean([100 * way.drift for way in fresh])
        values |= {
            f"{name}_drift_percent": drift[name].value,
            f"{name}_drift_percent_half_interval": drift[name].half,
            f"{name}_drift_least": min(abs(way.drift) for way in fresh),
            f"{name}_drift_most": max(abs(way.drift) for way in fresh),
            f"{name}_linear": min(way.linear for way in fresh),
            f"{name}_factor": factor,
            f"{name}_left": max(way.left_by(factor) for way in fresh),
            f"{name}_left_uphill": uphill[name][0].left_by(factor),
        }
        plots.append(_figure(name, fresh[0], factor))
    passed = (
        values["helicoidal_drift_most"] <= EXACT
        and all(values[f"{name}_drift_least"] >= DRIFT_MIN for name in DRIFTING)
        and all(values[f"{name}_linear"] >= LINEAR for name in DRIVES)
        and all(values[f"{name}_left"] <= CORRECTED_MAX for name in DRIVES)
    )
    return Outcome(
        ours=(
            "drift "
            + ", ".join(f"{name} {drift[name].told(1)} %" for name in DRIVES)
            + "; left by the filter at most "
            + ", ".join(f"{values[f'{name}_left']:.1%}" for name in DRIVES)
        ),
        passed=passed,
        note=(
            f"A factor per movement from {calibrated} robots, checked on {checked} others in a "
            f"level pipe, every one of which must keep the bars: {EXACT:.0%} helicoidal, at least "
            f"{DRIFT_MIN:.0%} the others, {CORRECTED_MAX:.0%} left by the filter.  The "
            f"factor belongs to the slope as well as to the movement: at {SLOPE_DEG}° it leaves "
            + ", ".join(f"{values[f'{name}_left_uphill']:.0%} ({name})" for name in DRIVES)
            + f".  From robot to robot a snake drifts by {values['snake_drift_least']:.0%} to "
            f"{values['snake_drift_most']:.0%}."
        ),
        values=values,
        plots=plots,
    )


def _figure(name: str, way: Way, factor: float) -> Figure:
    t = np.arange(len(way.true)) * LOOP_S
    return Figure(
        f"Traveller behind a {name} drive",
        "time (s)",
        "way (m)",
        (
            Series.of("true", t, way.true),
            Series.of("measured", t, way.measured, style="dashed"),
            Series.of("corrected", t, factor * way.measured),
        ),
    )
