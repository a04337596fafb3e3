"""D4: 45° and vertical walls; the ceiling beyond the paper (003 §5).

The map of ``annelid climber range`` says beforehand where a robot walks with these cups, and where
it only stands.  It is judged at the hardest slope that it says can be walked in all directions, in
the worst of them; as a control, where it says that no leg can be lifted, the robot must stand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.climbed import climbed, heading, reasons
from annelid.papers.interval import Rate
from annelid.systems.climber.footing import DIFFER, gravity_on, strain_of_steps
from annelid.systems.climber.model import Climber, read_robot
from annelid.trial.load import load, resolve

SCENARIO: Final = "d04-inclines"
SLOPES: Final = (0, 90, 45, 180)
MAP_SLOPES: Final = range(0, 181, 15)
MAP_HEADINGS: Final = range(0, 360, 15)
REPEATS: Final = 6
HARDEST, BEYOND = "hardest", "beyond"
HELD_MM: Final = 5.0
"""The body of a robot whose feet hold is never farther from where it was wished."""


@dataclass(frozen=True)
class Hardest:
    """A slope, and the direction on it in which steps strain most."""

    slope: int
    heading: int
    strain: float


def on_map(climber: Climber) -> tuple[Hardest, Hardest]:
    """(the hardest slope that can be walked in all directions, the hardest of all)."""
    rows = []
    for slope in MAP_SLOPES:
        strains = [strain_of_steps(climber, gravity_on(slope, k)).max() for k in MAP_HEADINGS]
        worst = int(np.argmax(strains))
        rows.append(Hardest(slope, MAP_HEADINGS[worst], float(strains[worst])))
    walked = [row for row in rows if row.strain <= 1.0 - DIFFER]
    return max(walked, key=lambda row: row.strain), max(rows, key=lambda row: row.strain)


def experiment(bench: Bench) -> Outcome:
    repeats, slopes = (1, SLOPES[:2]) if bench.quick else (REPEATS, SLOPES)
    climber = read_robot(resolve(load(SCENARIO))[0])
    hardest, beyond = on_map(climber)
    cases: dict[int | str, Case] = {
        k: Case(SCENARIO, {"world.slope_deg": k}, varied=heading) for k in slopes
    }
    for name, at in ((HARDEST, hardest), (BEYOND, beyond)):
        cases[name] = Case(SCENARIO, {"world.slope_deg": at.slope, "world.heading_deg": at.heading})
    found = bench.trials(cases, climbed, repeats=repeats)
    stood = [bool(o.critical) and not o.arrived and not o.fell for o in found.pop(BEYOND)]
    runs = [one for each in found.values() for one in each]
    good = {k: [o.walked and o.off_mm <= HELD_MM for o in each] for k, each in found.items()}
    use = {slope: max(one.use for one in each) for slope, each in found.items()}
    return Outcome(
        ours="150 mm walked: "
        + ", ".join(f"{_told(k, hardest)} {Rate.count(each)}" for k, each in good.items())
        + f"; {sum(one.fell for one in runs)} fell; at {beyond.slope}° {Rate.count(stood)} stand",
        passed=all(all(each) for each in good.values()) and all(stood),
        note=(
            f"{repeats} robots a slope, in any direction, cups of 30 N, µ 0.5, the same gains on "
            f"all planes.  Every robot must arrive, its body within {HELD_MM:.0f} mm of where it "
            f"was wished, or feet have slipped (worst {max(one.off_mm for one in runs):.1f} mm).  "
            f"The map says that {hardest.slope}° is the hardest slope for all directions (a step "
            f"takes {hardest.strain:.2f} of what may be used), and that {beyond.slope}° is beyond "
            f"these cups ({beyond.strain:.2f}).  The planner reckons with up to "
            f"{max(use.values()):.0%} of a cup's limit" + reasons(runs)
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
                (Series.of("pull or shear", slopes, [use[k] for k in slopes], style="points"),),
            ),
        ),
    )


def _told(case: int | str, hardest: Hardest) -> str:
    return f"{case}°" if case != HARDEST else f"{hardest.slope}° to {hardest.heading}°"
