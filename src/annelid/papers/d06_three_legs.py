"""D6: with three legs left the robot stays put, safe, and tells the user (003 §5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.climb_run import ClimbRun
from annelid.systems.climber.executive.pose import apart

SLOPES: Final = (0.0, 45.0, 90.0, 180.0)
STAYS_S: Final = 20.0
STILL_MM: Final = 5.0
TRIPODS: Final = (("L2", "L4", "L6"), ("L1", "L3", "L5"))


@dataclass(frozen=True)
class Loss:
    slope_deg: float
    legs: tuple[str, ...]
    at_s: tuple[float, ...]
    seed: int


@dataclass(frozen=True)
class Stayed:
    told: str
    fallen: bool
    moved_mm: float
    """After the stop, in the engine."""
    released_early: bool


def lose(given: Loss) -> Stayed:
    run = ClimbRun({"way": [{"x_mm": 400}]}, slope_deg=given.slope_deg, seed=given.seed)
    for leg, at_s in zip(given.legs, given.at_s, strict=True):
        run.fault(fault="dead_board", board=leg, at_s=at_s, servos="freeze")
    run.walk(max(given.at_s) + 1.0, every_s=0.1)
    if run.fallen:
        return Stayed("", True, float("inf"), False)
    run.run(run.time_s + 2.0)  # a foot in the air is put down
    before, told = run.true_pose(), run.now.critical
    moved, released = 0.0, False
    for _ in range(int(STAYS_S)):
        run.run(run.time_s + 1.0)
        moved = max(moved, apart(before, run.true_pose())[0])
        released |= not run.now.critical
        if run.fallen:
            break
    return Stayed(told, run.fallen, 1000 * moved, released)


def experiment(bench: Bench) -> Outcome:
    rng = np.random.default_rng(bench.seed)
    todo = [
        Loss(slope, legs, tuple(np.round(rng.uniform((4, 9, 14), (8, 13, 18)), 2).tolist()), number)
        for slope in SLOPES
        for number, legs in enumerate(TRIPODS[:1] if bench.quick else TRIPODS)
    ]
    done = bench.map(lose, todo, what="D6")
    still = [
        not run.fallen
        and run.moved_mm <= STILL_MM
        and run.told.startswith("3 legs left")
        and not run.released_early
        for run in done
    ]
    by_slope = {
        slope: sum(ok for ok, one in zip(still, todo, strict=True) if one.slope_deg == slope)
        for slope in SLOPES
    }
    each = len(todo) // len(SLOPES)
    finite = [run.moved_mm for run in done if np.isfinite(run.moved_mm)]
    return Outcome(
        ours=(
            f"{sum(still)} of {len(still)} stayed put for {STAYS_S:.0f} s (at most "
            f"{max(finite, default=0.0):.1f} mm) and said why: "
            + ", ".join(f"{slope:.0f}° {ok}/{each}" for slope, ok in by_slope.items())
        ),
        passed=all(still),
        note=(
            "Three boards die at chance times while it walks, so that a leg may be in the air when "
            "the third does; that foot is put down, everything else stands. Only the operator "
            "releases the stop. The servos have controllers of their own and hold their last "
            "command; a limp leg that swings against its stop can jerk three cups off a wall"
        ),
        values={f"stayed_{slope:.0f}": float(ok) for slope, ok in by_slope.items()},
    )
