"""D6: with three legs left the robot stays put, safe, and tells the user (003 §5).

Three boards die one after the other while it walks, and take their servos with them: half of the
robots have servos that hold their last command, as smart ones with controllers of their own do,
half have servos that go limp.  A tripod is left.  Judged with cups of 60 N, the goal of the robot
that came after (FACTS §4); what 30 N do is told beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from itertools import chain, product
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.climbed import climbed, critical, true_poses
from annelid.papers.interval import Rate
from annelid.systems.climber.executive.pose import apart
from annelid.trial.replay import Run

SLOPES: Final = (0, 90, 45, 180)
SERVOS: Final = {"freeze": "servos that hold", "release": "servos that go limp"}
TRIPODS: Final = ((2, 4, 6), (1, 3, 5))
JUDGED_N, BESIDE_N = 60, 30
"""Cups."""
SETTLES_S, STAYS_S = 3.0, 20.0
"""A foot in the air is put down within the first; then the robot is watched for the second."""
STILL_MM: Final = 5.0
SAID: Final = "3 legs left"
REPEATS: Final = 4


@dataclass(frozen=True)
class Stayed:
    said: str
    fell: bool
    moved_mm: float
    """After the last loss."""
    released: bool

    @property
    def well(self) -> bool:
        still = not self.fell and self.moved_mm <= STILL_MM
        return still and self.said.startswith(SAID) and not self.released


def loss(seed: int, *, servos: str) -> dict[str, Any]:
    """Either tripod is lost, its legs in any order, at times of chance."""
    chance = np.random.default_rng(seed)
    legs = chance.permutation(TRIPODS[seed % 2])
    times = np.round(chance.uniform((4, 9, 14), (8, 13, 18)), 2)
    fault = {"fault": "dead_board", "servos": servos}
    return {
        "faults": [
            {**fault, "board": f"L{leg}", "at_s": float(at_s)}
            for leg, at_s in zip(legs, times, strict=True)
        ]
    }


def judge(run: Run) -> Stayed:
    end_s = max(fault.model_dump()["at_s"] for fault in run.scenario.faults) + SETTLES_S
    before, *later = true_poses(run, end_s + np.arange(0.0, STAYS_S, 0.5))
    return Stayed(
        said=critical(run),
        fell=climbed(run).fell,
        moved_mm=1000 * max(apart(before, pose)[0] for pose in later),
        released=bool(run.events("released")),
    )


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    kinds, slopes = ([*SERVOS][:1], SLOPES[:2]) if bench.quick else ([*SERVOS], SLOPES)
    cases = {
        (servos, slope, cups): Case(
            "d06-three-legs",
            {"world.slope_deg": slope, "robot.each.L.suction_n": cups},
            varied=partial(loss, servos=servos),
        )
        for servos, slope, cups in product(kinds, slopes, (JUDGED_N, BESIDE_N))
    }
    every = bench.trials(cases, judge, repeats=repeats)
    found = {(kind, slope): every[kind, slope, JUDGED_N] for kind, slope in product(kinds, slopes)}
    weak = {k: [one.well for s in slopes for one in every[k, s, BESIDE_N]] for k in kinds}
    well = {kind: [[one.well for one in found[kind, slope]] for slope in slopes] for kind in kinds}
    runs = [one for each in found.values() for one in each]
    moved = max((one.moved_mm for one in runs if not one.fell), default=0.0)
    silent = [one.said or "nothing" for one in runs if not one.said.startswith(SAID)]
    return Outcome(
        ours=f"stayed put and said why, cups of {JUDGED_N} N: "
        + ", ".join(f"{SERVOS[kind]} {Rate.count(chain(*each))}" for kind, each in well.items())
        + f"; of {BESIDE_N} N: "
        + ", ".join(f"{SERVOS[kind]} {Rate.count(each)}" for kind, each in weak.items()),
        passed=all(one.well for one in runs),
        note=(
            f"A tripod is left, three boards lost at chance times; at {slopes}° {repeats} robots "
            f"each.  It must not fall, nor move by more than {STILL_MM:.0f} mm in {STAYS_S:.0f} s "
            f"(those that did not fall: {moved:.1f}), say that 3 legs are left, and stand until "
            f"the operator releases it.  {sum(one.fell for one in runs)} fell, {len(silent)} said "
            f"something else{f' ({silent[0]})' if silent else ''}.  A limp leg swings down within "
            "3 s and may strike its neighbour's foot off a wall"
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
                    Series.of(SERVOS[k], slopes, np.mean(each, axis=1), style="points")
                    for k, each in well.items()
                ),
            ),
        ),
    )
