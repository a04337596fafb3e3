"""B12: a chain that lies on its side rights itself before it goes on (000 §6.1.1, Fig 15).

Chains of rotation modules are laid on one side or the other and told to explore open ground
(``b12-balance``).  Is the middle of the chain upright when the vertical wave begins, and does the
robot get anywhere then?  The control: the same with dead accelerometers, so that the robot does not
know how it lies.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import inf, nan
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Rate
from annelid.papers.said import movements, when
from annelid.trial.load import resolve
from annelid.trial.replay import Run

CHAINS: Final = ("RRRRRR", "TRRRRRRP")
SIDES_DEG: Final = (90, -90)
BLIND: Final = "accelerometers dead"
EXPLORE_S: Final = 2.0
UPRIGHT_DEG: Final = 25.0
FAR_M: Final = 0.15
RATE_MIN: Final = 0.8
REPEATS: Final = 5


@dataclass(frozen=True)
class Went:
    first: str
    """Movement."""
    righted_s: float
    """From the command to the first wave; infinite: never."""
    roll_deg: float
    """Of the middle module when the wave began, 0 to 180; NaN: it never did."""
    ahead_m: float
    """From there to the end, as the crow flies."""
    rolls: tuple[tuple[float, float], ...]
    """Time since the command, and the roll."""

    @property
    def right(self) -> bool:
        lean = min(self.roll_deg, 180.0 - self.roll_deg)
        return self.first == "roll over" and lean <= UPRIGHT_DEG and self.ahead_m >= FAR_M


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
    told = movements(run)
    modules = resolve(run.scenario)[0].modules
    middle = modules[len(modules) // 2].name
    table, time = run["modules"], run.time("modules")
    qw, qx, qy, qz = (table[f"{part}[{middle}]"] for part in ("qw", "qx", "qy", "qz"))
    roll = np.degrees(np.abs(np.arctan2(2 * (qy * qz + qw * qx), 1 - 2 * (qx**2 + qy**2))))
    since = time >= EXPLORE_S
    curve = zip((time[since] - EXPLORE_S)[::25].tolist(), roll[since][::25].tolist(), strict=True)
    first = told[0][1] if told else ""
    waves = when(told, "snake")
    if not waves:
        return Went(first, inf, nan, 0.0, tuple(curve))
    centre = np.column_stack([run["robot"][axis] for axis in "xy"])
    then = int(np.searchsorted(time, waves[0]))
    ahead = float(np.linalg.norm(centre[-1] - centre[then]))
    return Went(first, waves[0] - EXPLORE_S, float(roll[then]), ahead, tuple(curve))


def experiment(bench: Bench) -> Outcome:
    chains, repeats = (CHAINS[:1], 1) if bench.quick else (CHAINS, REPEATS)
    found = bench.trials(cases(chains), judge, repeats=repeats)
    sighted = [went for key, each in found.items() if BLIND not in key[1] for went in each]
    blind = [went for key, each in found.items() if BLIND in key[1] for went in each]
    rate, without = (Rate.count(went.right for went in runs) for runs in (sighted, blind))
    on_back = sum(went.right and went.roll_deg > 90 for went in sighted)
    taken = float(np.median([went.righted_s for went in sighted]))
    return Outcome(
        ours=f"{rate} right themselves and crawl on; with dead accelerometers {without}",
        passed=rate.value >= RATE_MIN and rate.above(without),
        note=(
            f"{' and '.join(chains)} laid on either side.  Upright is within {UPRIGHT_DEG:g}° of 0 "
            "or of 180° when the vertical wave begins, for then the first axis is vertical: "
            f"{on_back} of the {rate.good} counted lie on their back.  {FAR_M:g} m are wanted by "
            f"20 s; {taken:.1f} s from the command to the wave at the median.  Bodies with flat "
            "sides do not fall over by an arc as in Fig 15, so the arc is turned round the body: a "
            "slow rolling gait, watched by the accelerometers.  The control must fail."
        ),
        values=numbers(
            {"rate": rate, "rate_blind": without, "on_back": on_back, "righted_s": taken}
        ),
        plots=(
            curves(
                "Lying on its side, told to explore",
                "time since the command, s",
                "roll of the middle module, degrees",
                {f"{chain}, {side}": each[0].rolls for (chain, side), each in found.items()},
            ),
        ),
    )
