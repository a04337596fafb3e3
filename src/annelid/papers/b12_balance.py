"""B12: a chain on its side or its back rights itself before it goes on (000 §6.1.1, Fig 15).

Chains of rotation modules are laid on one side, the other side or the back, and told to explore
open ground (``b12-balance``).  Does the middle of the chain come to lie on its belly before the
robot has gone far, stay so, and does the robot get anywhere then?  The control: the same with dead
accelerometers, so that the robot does not know how it lies.  Both are judged by where the bodies
are, whatever the robot called its movements.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import inf
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.trial.load import resolve
from annelid.trial.replay import Run

CHAINS: Final = ("RRRRRR", "TRRRRRRP")
SIDES_DEG: Final = (90, -90, 180)
BLIND: Final = "accelerometers dead"
EXPLORE_S: Final = 2.0
UPRIGHT_DEG: Final = 25.0
FAR_M: Final = 0.15
RATE_MIN: Final = 0.8
REPEATS: Final = 5


@dataclass(frozen=True)
class Went:
    righted_s: float
    """From the command until the middle module lies upright for good; infinite: never."""
    before_m: float
    """From the command until then, as the crow flies."""
    ahead_m: float
    """From there to the end."""
    rolls: tuple[tuple[float, float], ...]
    """Time since the command, and the roll."""

    @property
    def right(self) -> bool:
        return self.righted_s < inf and self.before_m < FAR_M <= self.ahead_m


def cases(chains: Sequence[str]) -> dict[tuple[str, str], Case]:
    found = {}
    for chain, side in product(chains, SIDES_DEG):
        fields: dict[str, Any] = {"robot.chain": chain, "robot.roll_deg": side}
        dead = [
            {"fault": "dead_sensor", "sensor": f"R{k}.accelerometer", "mode": "flagged"}
            for k in range(1, 1 + chain.count("R"))
        ]
        found[chain, f"{side:+d}°"] = Case("b12-balance", fields)
        found[chain, f"{side:+d}°, {BLIND}"] = Case("b12-balance", {**fields, "faults": dead})
    return found


def judge(run: Run) -> Went:
    modules = resolve(run.scenario)[0].modules
    middle = modules[len(modules) // 2].name
    table, time = run["modules"], run.time("modules")
    qw, qx, qy, qz = (table[f"{part}[{middle}]"] for part in ("qw", "qx", "qy", "qz"))
    roll = np.degrees(np.abs(np.arctan2(2 * (qy * qz + qw * qx), 1 - 2 * (qx**2 + qy**2))))
    told = int(np.searchsorted(time, EXPLORE_S))
    curve = zip((time[told:] - EXPLORE_S)[::25].tolist(), roll[told:][::25].tolist(), strict=True)
    leaning = told + np.flatnonzero(roll[told:] > UPRIGHT_DEG)
    upright = int(leaning[-1]) + 1 if len(leaning) else told
    if upright == len(time):
        return Went(inf, 0.0, 0.0, tuple(curve))
    centre = np.column_stack([run["robot"][axis] for axis in "xy"])
    before, ahead = (float(np.linalg.norm(centre[there] - centre[upright])) for there in (told, -1))
    return Went(float(time[upright]) - EXPLORE_S, before, ahead, tuple(curve))


def experiment(bench: Bench) -> Outcome:
    chains, repeats = (CHAINS[:1], 1) if bench.quick else (CHAINS, REPEATS)
    found = bench.trials(cases(chains), judge, repeats=repeats)
    sighted = [went for key, each in found.items() if BLIND not in key[1] for went in each]
    blind = [went for key, each in found.items() if BLIND in key[1] for went in each]
    rate, without = (Rate.count(went.right for went in runs) for runs in (sighted, blind))
    fallen = sorted(
        {
            f"{chain} at {side.split(',')[0]}"
            for (chain, side), each in found.items()
            if BLIND in side and any(went.right for went in each)
        }
    )
    taken = float(np.median([went.righted_s for went in sighted]))
    return Outcome(
        ours=f"{rate} lie upright and crawl on; with dead accelerometers {without}",
        passed=rate.value >= RATE_MIN and rate.above(without),
        note=(
            f"{' and '.join(chains)} laid on either side and on the back.  Upright is a roll of at "
            f"most {UPRIGHT_DEG:g}° of the middle module until the run ends, from before the robot "
            f"has gone {1000 * FAR_M:g} mm; {1000 * FAR_M:g} mm more are wanted by 20 s.  "
            f"{taken:.1f} s from the command until upright at the median.  Bodies with flat sides "
            "do not fall over by an arc as in Fig 15, so the arc is turned round the body: a slow "
            "rolling gait, watched by the accelerometers.  The control is judged alike, and the "
            "intervals must not meet"
            + (f"; its wave alone turned over {', '.join(fallen)}." if fallen else ".")
        ),
        values=numbers({"rate": rate, "rate_blind": without, "righted_s": taken}),
        plots=(
            curves(
                "Lying on its side or its back, told to explore",
                "time since the command, s",
                "roll of the middle module, degrees",
                {f"{chain}, {side}": each[0].rolls for (chain, side), each in found.items()},
            ),
        ),
    )
