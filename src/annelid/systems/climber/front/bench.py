"""Measures what a climber costs on one core: boards, bus, planner, force model, cups, physics.

Walking is dearer than standing, and a planner that looks for a leg to move dearer than one that has
one on its way, so a whole round of all legs is timed, on the wall.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from annelid.kernel.trace import Trace
from annelid.systems.climber.leg_positions import LegPositions
from annelid.systems.climber.model import read_robot
from annelid.systems.climber.spec import ClimberSpec
from annelid.trial.bench_row import BenchRow, Tell, timed
from annelid.trial.load import load, resolve
from annelid.trial.plugins import Plugins
from annelid.trial.run import Trial

SCENARIO = "climber-wall"
FASTER = 5.0
"""Than the clock on the wall, at least."""
EVALUATION_MS = 10.0
SPREAD_MM = 60.0
"""Of the stances that are judged, about the shipped one, as in the study."""


def bench(*, quick: bool, tell: Tell) -> list[BenchRow]:
    tell("the climber")
    return [full_stack(quick=quick), leg_position_evaluation(quick=quick)]


def full_stack(*, quick: bool) -> BenchRow:
    """Simulated seconds for each second of CPU time, recorded into memory."""
    span_s = 6.0 if quick else 24.0
    Trial(load(SCENARIO, overrides={"duration_s": 0.5})).measure()  # compiles what is compiled once
    trial = Trial(load(SCENARIO, overrides={"duration_s": span_s}))
    spent = timed(partial(trial.record_into, Trace()))
    return BenchRow(
        "climber, full stack / real time",
        span_s / spent,
        "×",
        FASTER,
        f"{SCENARIO}: boards, bus, planner, force model, physics, trace; {span_s:.0f} s, CPU time",
        above=True,
    )


def leg_position_evaluation(*, quick: bool) -> BenchRow:
    """Stances near a good one: those far from it are cheap, because they cannot walk."""
    scenario = load(SCENARIO)
    robot, _ = resolve(scenario, Plugins())
    options = scenario.control.options
    stance = options.stance_mm if isinstance(options, ClimberSpec) else ()
    climber = read_robot(robot, stance_mm=stance)
    positions = LegPositions(climber)
    chance = np.random.default_rng(0)
    genes = positions.genes(climber.stance)
    count = 50 if quick else 300
    cases = genes + chance.uniform(-SPREAD_MM / 1000, SPREAD_MM / 1000, (count, len(genes)))
    spent = timed(lambda: [positions.worth(case) for case in (genes, *cases)])
    return BenchRow(
        "judging a stance of six legs",
        1000 * spent / (count + 1),
        "ms",
        EVALUATION_MS,
        f"003 eqs 1-2, mean of {count + 1} within {SPREAD_MM:.0f} mm of the shipped one; CPU time",
    )
