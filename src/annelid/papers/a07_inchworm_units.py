"""A7: units of several supports and extensions (001 §6.5, 000 Fig 20).

Three statements, three measurements.  Extensions in a row add their strokes: speed against the
number of E.  Supports in a row add their grip: the slope that a chain holds in a slippery pipe
against the number of S.  Two inchworms in one chain, each with its own cycle (Fig 20 g), do not
work, because the supports of one hold what the other wants to move: speed against the shift between
the two cycles.
"""

from __future__ import annotations

from itertools import takewhile
from typing import Any, Final

import numpy as np

from annelid.motion.inchworm import PHASE_S, PHASES
from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.interval import Interval
from annelid.trial.replay import Run

PERIOD: Final = PHASE_S * len(PHASES)
BEGIN, CYCLES = 0.2 + 2 * PERIOD, 8
"""Measured after the gait has faded in and two cycles have passed, s; over so many cycles."""

SPEED_CHAINS: Final = ("SES", "SEES", "SEEES", "SEEEES")
GRIP_CHAINS: Final = ("SES", "SSESS", "SSSESSS")
SLOPES: Final = range(12, 52, 3)

SLIPPED, SPREAD_S = 0.002, 1.0
"""A chain that moves so far (m) after its supports have spread (s) does not hold."""

BLOCKED: Final = 0.1
"""Below this share of the single unit's speed nothing moves."""

SHIFTS: Final = tuple(k * PHASE_S for k in range(len(PHASES)))
REPEATS, HELD_REPEATS = 5, 20
"""Friction differs from robot to robot, so the slopes that they hold differ by many degrees."""


def unit(letters: str) -> Case:
    return Case("a07-units", {"robot.chain": letters})


def two_units(shift: float) -> Case:
    """S E S S E S as two inchworms, the second ``shift`` seconds behind the first."""
    gaits: list[dict[str, Any]] = [
        {"gait": "inchworm", "front": "S1", "extend": "E1", "rear": "S2"},
        {"gait": "inchworm", "front": "S3", "extend": "E2", "rear": "S4", "from_s": shift},
    ]
    return Case("a07-units", {"robot.chain": "SESSES", "control.gaits": gaits})


def on_slope(letters: str, slope: int) -> Case:
    return Case("a07-hold", {"robot.chain": letters, "world.slope_deg": slope})


def speed(run: Run) -> float:
    """Over whole cycles, cm/s."""
    ends = (BEGIN, BEGIN + CYCLES * PERIOD)
    first, last = np.interp(ends, run.time("robot"), run["robot"]["progress"])
    return 100 * float(last - first) / (CYCLES * PERIOD)


def holds(run: Run) -> bool:
    way = run["robot"]["progress"][run.time("robot") >= SPREAD_S]
    return bool(abs(way[-1] - way[0]) < SLIPPED)


def held(bench: Bench, letters: str, repeats: int) -> Interval:
    """The steepest slope up to which each robot holds, degrees."""
    cases = {slope: on_slope(letters, slope) for slope in SLOPES}
    robots = zip(*bench.trials(cases, holds, repeats=repeats).values(), strict=True)
    return Interval.mean([_steepest(robot) for robot in robots])


def _steepest(robot: tuple[bool, ...]) -> float:
    """Before the first slope that it does not hold."""
    good = len(list(takewhile(bool, robot)))
    return float(SLOPES[good - 1]) if good else 0.0


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    chains = bench.trials(
        {letters: unit(letters) for letters in SPEED_CHAINS}, speed, repeats=repeats
    )
    speeds = {letters: Interval.mean(found) for letters, found in chains.items()}
    late = bench.trials({shift: two_units(shift) for shift in SHIFTS}, speed, repeats=repeats)
    shifted = [Interval.mean(found) for found in late.values()]
    robots = 1 if bench.quick else HELD_REPEATS
    slopes = {letters: held(bench, letters, robots) for letters in GRIP_CHAINS}
    one, two, three, four = speeds.values()
    faster = _rises([one, two, three], bench)
    firmer = _rises([*slopes.values()], bench)
    blocked = max(abs(found) for found in late[SHIFTS[0]]) < BLOCKED * one.value
    best = max(shifted, key=lambda found: found.value)
    return Outcome(
        ours=(
            f"1/2/3 E: {'/'.join(each.told(1) for each in (one, two, three))} cm/s; 2/4/6 S hold "
            f"{'/'.join(each.told(0) for each in slopes.values())}°; (g): {shifted[0].told()} cm/s"
        ),
        passed=faster and firmer and blocked,
        note=(
            "(g) is blocked when both units walk in step, as modules on one clock do; the second "
            f"unit half a period late reaches {best.told(1)} cm/s, because the supports that stand "
            "side by side then hold together.  Slopes are held in a pipe of 0.05 of dry friction, "
            f"tried every {SLOPES.step}°.  Four E: {four.told(1)} cm/s: a longer unit is heavier "
            f"to push.  {repeats} robots each, {robots} on slopes, mean and 95 % interval; where "
            "more is better the intervals must not meet.  dcmotor servos, 0.5 ms"
        ),
        values={
            **{f"speed_{letters}_cm_s": each.value for letters, each in speeds.items()},
            **{f"slope_{letters}_deg": each.value for letters, each in slopes.items()},
            "speed_g_in_step_cm_s": shifted[0].value,
            "speed_g_best_cm_s": best.value,
        },
        plots=(
            Figure(
                "Extensions add speed",
                "extension modules",
                "speed (cm/s)",
                (Series.of("level pipe", range(1, 5), [each.value for each in speeds.values()]),),
            ),
            Figure(
                "Supports add grip",
                "support modules",
                "slope held (°)",
                (Series.of("slippery pipe", (2, 4, 6), [each.value for each in slopes.values()]),),
            ),
            Figure(
                "Two inchworms in one chain (000 Fig 20 g)",
                "second unit late by (s)",
                "speed (cm/s)",
                (Series.of("S E S S E S", SHIFTS, [each.value for each in shifted]),),
            ),
        ),
    )


def _rises(found: list[Interval], bench: Bench) -> bool:
    """Each above the one before; single runs have no intervals."""
    pairs = zip(found[1:], found[:-1], strict=True)
    return all(more.value > less.value if bench.quick else more.above(less) for more, less in pairs)
