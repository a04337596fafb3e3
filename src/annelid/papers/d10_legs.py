"""D10: any number of legs from four to eight and more, the same code (003 §1, §6).

Four legs at 3 kg are beyond the servos on a wall; 2.2 kg and cups of 45 N are not (LAB).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Final

from annelid.papers import Bench, Case, Outcome
from annelid.papers.climbed import climbed, paths_figure, reasons
from annelid.papers.interval import Rate

ROBOTS: Final[Mapping[str, str]] = {
    "4 legs": "d10-four-legs",
    "5 legs": "d10-five-legs",
    "6 legs": "d10-six-legs",
    "8 legs": "d10-eight-legs",
    "legs of 4 joints": "d10-ankles",
}
PLANES: Final[Mapping[str, Mapping[str, float]]] = {
    "floor": {},
    "wall": {"world.slope_deg": 90},
    "wall aslant down": {"world.slope_deg": 90, "world.heading_deg": 130},
    "ceiling": {"world.slope_deg": 180},
}
REPEATS: Final = 3


def experiment(bench: Bench) -> Outcome:
    planes = ["floor"] if bench.quick else list(PLANES)
    cases = {(r, p): Case(ROBOTS[r], PLANES[p]) for r, p in product(ROBOTS, planes)}
    found = bench.trials(cases, climbed, repeats=1 if bench.quick else REPEATS)
    good = {r: [one.walked for p in planes for one in found[r, p]] for r in ROBOTS}
    runs = [one for each in found.values() for one in each]
    return Outcome(
        ours=", ".join(f"{robot} {Rate.count(each)}" for robot, each in good.items()),
        passed=all(all(each) for each in good.values()),
        note=(
            f"120 mm with a turn on {', '.join(planes)}; every walk must arrive.  Legs evenly all "
            "round except for six; cups of 45 N for four (of 2.2 kg) and five.  "
            f"{sum(one.fell for one in runs)} of {len(runs)} fell{reasons(runs)}"
        ),
        values={
            f"{robot}_{plane}_walked".replace(" ", "_"): float(sum(one.walked for one in each))
            for (robot, plane), each in found.items()
        },
        plots=(paths_figure("Body on the floor", {r: found[r, "floor"][0] for r in ROBOTS}),),
    )
