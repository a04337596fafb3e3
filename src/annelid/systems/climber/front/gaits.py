"""The free gait beside the cyclic movement (003 §4.4.6): speed, energy, forces."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import numpy as np

from annelid.systems.climber.front.footing import climber_of
from annelid.systems.climber.planner.mind import ARRIVED, WATCH
from annelid.systems.climber.planner.orders import WalkingStyle
from annelid.trial.load import load
from annelid.trial.pool import processes
from annelid.trial.replay import Run
from annelid.trial.run import Trial

SLOPES_DEG: Final = (0.0, 45.0, 90.0, 180.0)
WAY_MM: Final = 200.0
LONGEST_S: Final = 200.0
FOLLOW_S: Final = 40.0
"""After the body is there: in the cyclic movement six legs follow it, one at a time."""


@dataclass(frozen=True)
class Walked:
    """200 mm with one gait on one slope."""

    mm_s: float | None
    """None: it did not arrive."""
    joules_m: float
    """Until it arrived."""
    pull_n: float
    shear_n: float
    use: float
    """Largest that the planner reckoned with of any cup that holds: pull, shear, share of a
    limit."""
    why: str
    """Why it did not arrive."""


def walk(case: tuple[WalkingStyle, float], *, scenario: str, seed: int) -> Walked:
    gait, slope = case
    fields = {
        "seed": seed,
        "tolerances.draw": True,
        "world.slope_deg": slope,
        "control.options.way": [{"x_mm": WAY_MM}],
        "control.options.gait": gait.value,
        "duration_s": LONGEST_S,
        "success.progress_m": (WAY_MM - 8) / 1000,
        "stop_at_goal": True,
        "linger_s": FOLLOW_S,
    }
    trial = Trial(load(scenario, overrides=fields))
    with TemporaryDirectory(prefix="annelid-") as folder:
        run = Run(trial.run(Path(folder)).folder)
        arrived = run.events(ARRIVED)
        stops = [event.detail["why"] for event in run.events("critical stop")]
        normal, shear, use = 0.0, 0.0, 0.0
        for event in run.events(WATCH):
            rows = zip(
                *(event.detail[k] for k in ("normal_n", "shear_n", "use", "vacuum")), strict=True
            )
            for push, aside, share, vacuum in rows:
                if vacuum > 0.95:
                    normal, shear = min(normal, push), max(shear, aside)
                    use = max(use, share)
        whole = run["robot"]
        end_ns = arrived[0].time_ns if arrived else whole["time_ns"][-1]
        end = min(int(np.searchsorted(whole["time_ns"], end_ns)), len(whole["time_ns"]) - 1)
        return Walked(
            mm_s=WAY_MM / (arrived[0].time_ns * 1e-9) if arrived else None,
            joules_m=float(whole["energy"][end]) / max(float(whole["progress"][end]), 1e-3),
            pull_n=0.0 - normal,
            shear_n=shear,
            use=use,
            why="" if arrived else (stops or ["out of time"])[-1],
        )


def gaits_table(
    scenario: str, slopes: Sequence[float], *, seed: int, workers: int | None
) -> Iterator[str]:
    climber_of(scenario)
    cases = list(product(WalkingStyle, slopes))
    with processes(workers) as pool:
        work = partial(walk, scenario=scenario, seed=seed)
        found = list(pool.map(work, cases, ordered=True))
    yield "| gait | slope | speed | energy | largest pull | largest shear | use of a cup |"
    yield "|---|---|---|---|---|---|---|"
    for (gait, slope), one in zip(cases, found, strict=True):
        speed = f"{one.mm_s:.2f} mm/s" if one.mm_s is not None else f"did not arrive: {one.why}"
        yield (
            f"| {gait} | {slope:g}° | {speed} | {one.joules_m:.0f} J/m | {one.pull_n:.1f} N | "
            f"{one.shear_n:.1f} N | {one.use:.0%} |"
        )
