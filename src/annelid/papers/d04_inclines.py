"""D4: 45° and vertical walls; the ceiling beyond the paper (003 §5)."""

from __future__ import annotations

from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climbed import climbed
from annelid.papers.counted import counted

SLOPES: Final = (0, 45, 90, 180)
REPEATS: Final = 6
HELD_MM: Final = 5.0
"""The body of a robot whose feet hold is never farther from where it was wished."""


def heading(seed: int) -> dict[str, float]:
    """Straight up with the first robot, then in any direction."""
    chance = np.random.default_rng(seed)
    return {"world.heading_deg": float(round(chance.uniform(0, 360))) if seed else 0.0}


def case(slope: int, way_mm: float | None = None) -> Case:
    """``way_mm``: another length than the scenario's."""
    fields: dict[str, object] = {"world.slope_deg": slope}
    if way_mm is not None:
        fields |= {
            "control.options.way": [{"x_mm": way_mm}],
            "success.progress_m": way_mm / 1000 - 0.01,
        }
    return Case("d04-inclines", fields, varied=heading)


def experiment(bench: Bench) -> Outcome:
    repeats = 1 if bench.quick else REPEATS
    found = bench.trials({slope: case(slope) for slope in SLOPES}, climbed, repeats=repeats)
    runs = [one for each in found.values() for one in each]
    good = {k: [o.walked and o.off_mm <= HELD_MM for o in each] for k, each in found.items()}
    why = sorted({one.why_not for one in runs if not one.walked})
    use = {slope: max(one.use for one in each) for slope, each in found.items()}
    fell = sum(one.fell for one in runs)
    return Outcome(
        ours="150 mm walked: "
        + ", ".join(f"{slope}° {counted(each)}" for slope, each in good.items())
        + (f"; {fell} fell" if fell else "; none fell"),
        passed=all(all(each) for each in good.values()),
        note=(
            f"{repeats} robots a slope, in any direction, cups of 30 N, µ 0.5, the same gains on "
            f"all planes.  Every robot must arrive, its body within {HELD_MM:.0f} mm of where it "
            "was wished, or feet have slipped (worst "
            f"{max(one.off_mm for one in runs):.1f} mm).  The planner reckons with up to "
            f"{max(use.values()):.0%} of a cup's limit"
            + (f".  Others stood and said why: {'; '.join(why)}" if why else "")
        ),
        values={
            **{f"walked_{slope}": float(sum(each)) for slope, each in good.items()},
            **{f"use_{slope}": value for slope, value in use.items()},
            "fell": float(fell),
        },
        plots=(
            Figure(
                "Use of the cups' limits, as the planner reckons",
                "inclination (°)",
                "share used, the worst foot",
                (Series.of("pull or shear", SLOPES, list(use.values()), style="points"),),
            ),
        ),
    )
