"""D4: 45° and vertical walls; the ceiling beyond the paper (003 §5)."""

from __future__ import annotations

from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.case import Case
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climbed import climbed, heading, reasons
from annelid.papers.interval import Rate

SLOPES: Final = (0, 90, 45, 180)
REPEATS: Final = 6
HELD_MM: Final = 5.0
"""The body of a robot whose feet hold is never farther from where it was wished."""


def experiment(bench: Bench) -> Outcome:
    repeats, slopes = (1, SLOPES[:2]) if bench.quick else (REPEATS, SLOPES)
    cases = {k: Case("d04-inclines", {"world.slope_deg": k}, varied=heading) for k in slopes}
    found = bench.trials(cases, climbed, repeats=repeats)
    runs = [one for each in found.values() for one in each]
    good = {k: [o.walked and o.off_mm <= HELD_MM for o in each] for k, each in found.items()}
    use = {slope: max(one.use for one in each) for slope, each in found.items()}
    return Outcome(
        ours="150 mm walked: "
        + ", ".join(f"{slope}° {Rate.count(each)}" for slope, each in good.items())
        + f"; {sum(one.fell for one in runs)} fell",
        passed=all(all(each) for each in good.values()),
        note=(
            f"{repeats} robots a slope, in any direction, cups of 30 N, µ 0.5, the same gains on "
            f"all planes.  Every robot must arrive, its body within {HELD_MM:.0f} mm of where it "
            f"was wished, or feet have slipped (worst {max(one.off_mm for one in runs):.1f} mm).  "
            f"The planner reckons with up to {max(use.values()):.0%} of a cup's limit"
            + reasons(runs)
        ),
        values={
            **{f"walked_{slope}": float(sum(each)) for slope, each in good.items()},
            **{f"use_{slope}": value for slope, value in use.items()},
        },
        plots=(
            Figure(
                "Use of the cups' limits, as the planner reckons",
                "inclination (°)",
                "share used, the worst foot",
                (Series.of("pull or shear", slopes, [*use.values()], style="points"),),
            ),
        ),
    )
