"""A13: all ten module types at the paper's 0.5 ms, faster than life.

001 §4.1.1 says its simulator is "fluid" with physics at 0.5 ms and gives no number.  Ours is the
real-time factor of a recorded trial of a chain with every module of the shelf, commanded and
recorded every 20 ms, against the bare engine on the same ground (``annelid.trial.bench_stack``).
Both take turns, and CPU time counts, so that other work on the machine does not.
"""

from __future__ import annotations

import platform
from functools import partial
from pathlib import Path
from statistics import median
from typing import Final

from annelid.papers import Bench, Case, Outcome
from annelid.trial.bench_row import timed
from annelid.trial.bench_stack import bare, kept_states, recorded
from annelid.trial.run import Trial

PLACES: Final = {"pipe": {}, "open air": {"world.kind": "open-air"}}
FLUID: Final = 1.0
RATIO_MAX: Final = 1.5
"""What the whole may cost against the bare engine."""


def measure(fields: dict[str, object], seed: int, rounds: int) -> tuple[float, float]:
    """(Real-time factor, cost against the bare engine), medians."""
    case = Case("a13-all", fields, nominal="one robot serves, and it is timed against itself")
    scenario = case.repeat("", seed).scenario()
    states = kept_states(scenario)  # also compiles what is compiled at first use
    ours, engine = [], []
    for _ in range(rounds):
        ours.append(timed(partial(recorded, Trial(scenario))))
        engine.append(timed(partial(bare, Trial(scenario).sim, states)))
    ratios = [mine / theirs for mine, theirs in zip(ours, engine, strict=True)]
    return scenario.duration_s / median(ours), median(ratios)


def experiment(bench: Bench) -> Outcome:
    seconds, rounds = (1.0, 2) if bench.quick else (4.0, 5)
    found = {}
    for number, (place, fields) in enumerate(PLACES.items()):
        bench.progress("stepping", number / len(PLACES))
        found[place] = measure({**fields, "duration_s": seconds}, bench.seed, rounds)
    return Outcome(
        ours="; ".join(
            f"{place}: {factor:.1f} × real time, {ratio:.2f} × bare physics"
            for place, (factor, ratio) in found.items()
        ),
        passed=all(factor >= FLUID and ratio <= RATIO_MAX for factor, ratio in found.values()),
        note=(
            f"A chain of all ten types, 0.5 ms, one core of {processor()}; commands, and every "
            "sensor but the camera into the trace, each 20 ms.  Bare physics: mj_step of the same "
            "model from the same states, without our electronics.  CPU time, median of "
            f"{rounds} runs of {seconds:g} s.  Fluid is 1 × or more."
        ),
        values={
            f"{name}_{place.replace(' ', '_')}": value
            for place, both in found.items()
            for name, value in zip(("real_time_factor", "ratio"), both, strict=True)
        },
    )


def processor() -> str:
    """What the machine says it computes with."""
    info = Path("/proc/cpuinfo")
    if info.is_file():
        for line in info.read_text("utf-8").splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    return platform.processor() or platform.machine()
