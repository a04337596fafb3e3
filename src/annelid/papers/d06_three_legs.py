"""D6: with three legs left the robot stays put, safe, and tells the user (003 §5).

Three boards die one after the other while it walks, and take their servos with them: half of the
robots have servos that hold their last command, as smart ones with controllers of their own do,
half have servos that go limp.  Any three legs are left, drawn from the 20 sets.  Judged with cups
of 60 N, the goal of the robot that came after (FACTS §4); what 30 N do is told beside it.

The control has cups that six legs need on a wall and three cannot do with: it must not stay.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.climbed import climbed, critical, true_poses
from annelid.papers.interval import Rate
from annelid.systems.climber.executive.pose import apart
from annelid.systems.climber.planner.mind import WATCH
from annelid.trial.replay import Run

SLOPES: Final = (0, 90, 45, 180)
SERVOS: Final = {"freeze": "servos that hold", "release": "servos that go limp"}
LEGS: Final = 6
JUDGED_N, BESIDE_N = 60, 30
"""Cups."""
CONTROL_N, CONTROL_DEG = 20, 90
"""Six cups hold there with 13 N, three with 28 N (FACTS §4)."""
SETTLES_S, STAYS_S = 3.0, 20.0
"""A foot in the air is put down within the first; then the robot is watched for the second."""
STILL_MM: Final = 5.0
SAID: Final = "3 legs left"
REPEATS: Final = 4


@dataclass(frozen=True)
class Stayed:
    where: str
    """Which legs were left, on which slope."""
    said: str
    fell: bool
    moved_mm: float
    """After the last loss."""
    released: bool

    @property
    def well(self) -> bool:
        still = not self.fell and self.moved_mm <= STILL_MM
        return still and self.said.startswith(SAID) and not self.released


def loss(seed: int, *, servos: str, slope: int) -> dict[str, Any]:
    """Any three of the six are lost, in any order, at times of chance."""
    chance = np.random.default_rng((seed, slope, [*SERVOS].index(servos)))
    legs = chance.permutation(LEGS)[:3] + 1
    times = np.round(chance.uniform((4, 9, 14), (8, 13, 18)), 2)
    fault = {"fault": "dead_board", "servos": servos}
    return {
        "faults": [
            {**fault, "board": f"L{leg}", "at_s": float(at_s)}
            for leg, at_s in zip(legs, times, strict=True)
        ]
    }


def left(run: Run) -> str:
    lost = {fault.model_dump()["board"] for fault in run.scenario.faults}
    legs = " ".join(str(leg) for leg in range(1, LEGS + 1) if f"L{leg}" not in lost)
    return f"legs {legs} at {getattr(run.scenario.world, 'slope_deg', 0):.0f}°"


def case(servos: str, slope: int, cups: int) -> Case:
    return Case(
        "d06-three-legs",
        {"world.slope_deg": slope, "robot.each.L.suction_n": cups},
        varied=partial(loss, servos=servos, slope=slope),
    )


def judge(run: Run) -> Stayed:
    end_s = max(fault.model_dump()["at_s"] for fault in run.scenario.faults) + SETTLES_S
    if not run.events(WATCH):  # it never stood
        return Stayed(left(run), critical(run), True, np.inf, False)
    before, *later = true_poses(run, end_s + np.arange(0.0, STAYS_S, 0.5))
    return Stayed(
        where=left(run),
        said=critical(run),
        fell=climbed(run).fell,
        moved_mm=1000 * max(apart(before, pose)[0] for pose in later),
        released=bool(run.events("released")),
    )


def passes(judged: Sequence[Stayed], control: Sequence[Stayed]) -> bool:
    """All stay, and none of the control."""
    return all(one.well for one in judged) and not any(one.well for one in control)


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    kinds, slopes = ([*SERVOS][:1], SLOPES[:2]) if bench.quick else ([*SERVOS], SLOPES)
    rated = product(kinds, slopes, (JUDGED_N, BESIDE_N))
    weak = next(iter(SERVOS)), CONTROL_DEG, CONTROL_N
    cases = {each: case(*each) for each in (*rated, weak)}
    every = bench.trials(cases, judge, repeats=repeats)
    control = every[weak]
    of = {
        (kind, cups): [one for slope in slopes for one in every[kind, slope, cups]]
        for kind, cups in product(kinds, (JUDGED_N, BESIDE_N))
    }
    runs = [one for kind in kinds for one in of[kind, JUDGED_N]]
    moved = max((one.moved_mm for one in runs if not one.fell), default=0.0)
    silent = [one.said or "nothing" for one in runs if not one.said.startswith(SAID)]
    return Outcome(
        ours="; ".join(
            f"cups of {cups} N: "
            + ", ".join(f"{SERVOS[kind]} {_well(of[kind, cups])}" for kind in kinds)
            + f", {sum(one.fell for kind in kinds for one in of[kind, cups])} fell"
            for cups in (JUDGED_N, BESIDE_N)
        )
        + f"; control, {CONTROL_N} N: {_well(control)}",
        passed=passes(runs, control),
        note=(
            f"Any three legs are left, drawn, three boards lost at chance times; at {slopes}° "
            f"{repeats} robots each.  It must not fall, nor move by more than {STILL_MM:.0f} mm in "
            f"{STAYS_S:.0f} s (those that did not fall: {moved:.1f}), say that 3 legs are left, "
            "and stand until the operator releases it.  Passes when all do so with cups of "
            f"{JUDGED_N} N, and none of the control, at {CONTROL_DEG}°, does.  "
            + "  ".join(
                f"{cups} N: {_told([one for kind in kinds for one in of[kind, cups]])}."
                for cups in (JUDGED_N, BESIDE_N)
            )
            + f"  {len(silent)} said something else{f' ({silent[0]})' if silent else ''}.  A limp "
            "leg swings down within 3 s and may strike its neighbour's foot off a wall"
        ),
        values={
            f"stayed_{servos}_{slope}_{cups}n": float(np.mean([one.well for one in each]))
            for (servos, slope, cups), each in every.items()
        },
        plots=(
            Figure(
                "Robots that stay on three legs",
                "inclination (°)",
                "share",
                tuple(
                    Series.of(
                        SERVOS[kind],
                        slopes,
                        [
                            float(np.mean([one.well for one in every[kind, slope, JUDGED_N]]))
                            for slope in slopes
                        ],
                        style="points",
                    )
                    for kind in kinds
                ),
            ),
        ),
    )


def _well(runs: Sequence[Stayed]) -> Rate:
    return Rate.count(one.well for one in runs)


def _told(runs: Sequence[Stayed]) -> str:
    """Which sets fell or moved."""
    fell = [one.where for one in runs if one.fell]
    went = [one.where for one in runs if not one.fell and one.moved_mm > STILL_MM]
    return f"{len(fell)} fell" + _listed(fell) + f", {len(went)} moved" + _listed(went)


def _listed(where: Sequence[str]) -> str:
    return f" ({'; '.join(sorted(where))})" if where else ""
