"""D6: with three legs left the robot stays put, safe, and tells the user (003 §5).

Three boards die one after the other while it walks, and take their servos with them: half of the
robots have servos that hold their last command, as smart ones with controllers of their own do and
as the claim is judged by, half have servos that go limp.  Beside the two tripods any three legs may
be lost.  Some three cannot hold a robot whatever it does (all on one side of it, on a ceiling); the
force model says which, and whether it is right is measured, too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.climb_run import ClimbRun, hexapod
from annelid.systems.climber.executive.pose import apart
from annelid.systems.climber.model import Climber, read_robot

SLOPES: Final = (0.0, 45.0, 90.0, 180.0)
STAYS_S: Final = 20.0
STILL_MM: Final = 5.0
TRIPODS: Final = ((2, 4, 6), (1, 3, 5))
SERVOS: Final[tuple[Literal["freeze", "release"], ...]] = ("freeze", "release")
BY_CHANCE: Final = 2
"""Sets of lost legs a slope, for each kind of servo, beside the tripods."""


@dataclass(frozen=True)
class Loss:
    slope_deg: float
    legs: tuple[int, ...]
    at_s: tuple[float, ...]
    servos: Literal["freeze", "release"]
    seed: int

    @property
    def tripod(self) -> bool:
        return tuple(sorted(self.legs)) in TRIPODS


@dataclass(frozen=True)
class Stayed:
    told: str
    fallen: bool
    moved_mm: float
    """After the stop, in the engine."""
    released_early: bool

    @property
    def well(self) -> bool:
        return (
            not self.fallen
            and self.moved_mm <= STILL_MM
            and self.told.startswith("3 legs left")
            and not self.released_early
        )


def lose(given: Loss) -> Stayed:
    run = ClimbRun({"way": [{"x_mm": 400}]}, slope_deg=given.slope_deg, seed=given.seed)
    for leg, at_s in zip(given.legs, given.at_s, strict=True):
        run.fault(fault="dead_board", board=f"L{leg}", at_s=at_s, servos=given.servos)
    while run.time_s < max(given.at_s) + 1.0 and not run.fallen:
        run.run(run.time_s + 0.1)
    if not run.fallen:
        run.run(run.time_s + 2.0)  # a foot in the air is put down
    if run.fallen:
        return Stayed(run.now.critical, True, float("inf"), False)
    before, told = run.true_pose(), run.now.critical
    moved, released = 0.0, False
    for _ in range(int(STAYS_S)):
        run.run(run.time_s + 1.0)
        moved = max(moved, apart(before, run.true_pose())[0])
        released |= not run.now.critical
        if run.fallen:
            break
    return Stayed(told, run.fallen, 1000 * moved, released)


def use_without(climber: Climber, legs: tuple[int, ...], slope_deg: float) -> float:
    """The largest use of what cups and servos can bear by those that are left, in the stance; from
    1 on they cannot hold the robot."""
    slope = np.radians(slope_deg)
    vacuum = np.ones(climber.count)
    vacuum[[leg - 1 for leg in legs]] = 0.0
    loads = climber.forces.loads(
        climber.legs.inverse(climber.stance),
        9.81 * np.array([-np.sin(slope), 0.0, -np.cos(slope)]),
        vacuum,
    )
    return float(max(loads.pull_use.max(), loads.shear_use.max(), loads.torque_use.max()))


def experiment(bench: Bench) -> Outcome:
    rng = np.random.default_rng(bench.seed)
    todo: list[Loss] = []
    for slope in SLOPES:
        for servos in SERVOS[:1] if bench.quick else SERVOS:
            chance = [
                tuple(int(leg) + 1 for leg in rng.permutation(6)[:3]) for _ in range(BY_CHANCE)
            ]
            for legs in TRIPODS[:1] if bench.quick else (*TRIPODS, *chance):
                times = np.round(rng.uniform((4, 9, 14), (8, 13, 18)), 2).tolist()
                todo.append(Loss(slope, legs, tuple(times), servos, len(todo)))
    done = dict(zip(todo, bench.map(lose, todo, what="D6"), strict=True))
    climber = read_robot(hexapod())
    held = {one: use_without(climber, one.legs, one.slope_deg) < 1.0 for one in todo}
    holding, limp = (
        [done[one] for one in todo if one.tripod and one.servos == kind] for kind in SERVOS
    )
    others = [one for one in todo if not one.tripod]
    able = [done[one] for one in others if held[one]]
    unable = [done[one] for one in others if not held[one]]
    finite = [run.moved_mm for run in done.values() if not run.fallen]
    by_slope = {
        slope: [
            done[one].well
            for one in todo
            if one.tripod and one.slope_deg == slope and one.servos == "freeze"
        ]
        for slope in SLOPES
    }
    note = (
        f"A tripod is left, three boards lost at chance times; for {STAYS_S:.0f} s at most "
        f"{max(finite, default=0.0):.1f} mm, and only the operator releases the stop. "
    )
    if limp:
        note += (
            "A limp leg swings down within 3 s and may strike its neighbour's foot off a wall, or "
            "dies beside one that is in the air. "
            f"Any three legs left: {_count(able)} stayed that the force model says can hold, "
            f"{_count(unable)} that it says cannot"
        )
    return Outcome(
        ours=(
            f"{_count(holding)} stayed put and said why: "
            + ", ".join(f"{slope:.0f}° {sum(ok)}/{len(ok)}" for slope, ok in by_slope.items())
            + (f"; with servos that go limp {_count(limp)}" if limp else "")
        ),
        passed=all(run.well for run in (*holding, *limp)),
        note=note,
        values={
            **{f"stayed_{slope:.0f}": float(sum(ok)) for slope, ok in by_slope.items()},
            "runs": float(len(todo)),
            "limp": float(len(limp)),
            "limp_stayed": float(sum(run.well for run in limp)),
            "by_chance_can_hold": float(len(able)),
            "by_chance_can_hold_stayed": float(sum(run.well for run in able)),
            "by_chance_cannot_hold": float(len(unable)),
            "by_chance_cannot_hold_stayed": float(sum(run.well for run in unable)),
        },
    )


def _count(runs: list[Stayed]) -> str:
    return f"{sum(run.well for run in runs)} of {len(runs)}"
