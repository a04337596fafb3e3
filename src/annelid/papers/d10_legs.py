"""D10: any number of legs from four to eight and more, the same code (003 §1, §6)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.climb_run import Climb, climb, place

STRONG: Final = place(suction_n=45)
"""Four legs at 3 kg are beyond the servos on a wall; 2.2 kg and 45 N are not (LAB)."""
FOUR_TRUNK_G: Final = 1160.0
"""With four legs of 260 g: 2.2 kg."""
WAY: Final = (place(x_mm=120, yaw_deg=8),)

ROBOTS: Final[Mapping[str, Climb]] = {
    "4 legs": Climb(WAY, legs=4, places="ring", leg=STRONG, trunk_g=FOUR_TRUNK_G),
    "5 legs": Climb(WAY, legs=5, places="ring", leg=STRONG),
    "6 legs": Climb(WAY),
    "8 legs": Climb(WAY, legs=8, places="ring"),
    "6 legs of 4 joints": Climb(WAY, leg=place(ankle_mm=40, tibia_mm=123)),
}


def experiment(bench: Bench) -> Outcome:
    cases = ((0.0, 0.0),) if bench.quick else ((0.0, 0.0), (90.0, 0.0), (90.0, 130.0), (180.0, 0.0))
    todo = {
        (name, slope, heading): replace(
            robot, slope_deg=slope, heading_deg=heading, seed=bench.seed + number
        )
        for name, robot in ROBOTS.items()
        for number, (slope, heading) in enumerate(cases)
    }
    done = dict(zip(todo, bench.map(climb, list(todo.values()), what="D10"), strict=True))
    good = {key: run.arrived and not run.fallen for key, run in done.items()}
    failed = [
        f"{key[0]} at {key[1]:.0f}° heading {key[2]:.0f}° "
        f"({'fell' if done[key].fallen else done[key].critical or 'did not arrive in time'})"
        for key, ok in good.items()
        if not ok
    ]
    return Outcome(
        ours=f"{sum(good.values())} of {len(good)} walks: 4, 5, 6, 8 legs, and legs of four joints"
        + (f"; not: {'; '.join(failed)}" if failed else ""),
        passed=all(good.values()),
        note=(
            "120 mm with a turn, floor"
            + ("" if bench.quick else ", wall (up, and aslant down) and ceiling")
            + "; legs evenly all round except for six; cups of 45 N for four (of 2.2 kg) and five"
        ),
        values={
            f"{name.replace(' ', '_')}_{slope:.0f}_{heading:.0f}_mm": run.error_mm
            for (name, slope, heading), run in done.items()
        },
    )
