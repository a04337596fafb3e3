"""B18: the configuration GA, a touch module and eight of {rotation, helicoidal} (001 §6.2).

001 shows neither how tight the elbow is nor which way it goes; both decide.  The shipped study
takes a bend of three diameters that rises, where drives have something to carry; the same search
in a level elbow of one and a half diameters tells what becomes of the claim there.  In both all
rotation modules are limp and all drives push.
"""

from __future__ import annotations

import re
from typing import Any, Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Outcome
from annelid.papers.study_run import Searched, again, search_figure, searched

STUDY: Final = "elbow"
PAPER: Final = "THRHRHRHH"
CHAIN: Final = "robot.chain"
LEVEL: Final[dict[str, Any]] = {
    "scenario.world.parts.1.radius_mm": 60,
    "scenario.world.parts.1.roll_deg": 0,
    "scenario.duration_s": 25,
    "fitness.hopeless.after_s": 10,
    "budget.generations": 20,
}
RUNS: Final = 6
LIKELY: Final = 4
"""How many of the best are run again, with the paper's."""
PASSED_M: Final = 0.3
"""Progress of the head of a chain whose tail is in the bend and moves."""


def experiment(bench: Bench) -> Outcome:
    few: dict[str, Any] = {
        "optimiser.population": 4,
        "budget.generations": 1,
        "scenario.duration_s": 2,
    }
    found = {
        "rising, 3 diameters": searched(bench, STUDY, few if bench.quick else {}, what="B18"),
        "level, 1.5 diameters": searched(
            bench, STUDY, LEVEL | (few if bench.quick else {}), what="B18 level"
        ),
    }
    rising, level = found.values()
    order, values = _ranked(bench, rising, few if bench.quick else {})
    best = order[0]
    through = [_chain(rising, key) for key in _through(rising)]
    most = max((chain.count("H") for chain in through), default=0)
    level_order, level_values = _ranked(bench, level, LEVEL | (few if bench.quick else {}))
    flat = level_order[0]
    apart = not re.search("HH(?!$)", best)
    passed = best.count("H") == most and apart
    return Outcome(
        ours=(
            f"rising: {best} ({best.count('H')} H) goes furthest, {PAPER} "
            f"{values[PAPER] / values[best] - 1:+.1%}; most H that pass: {most}; level: "
            f"{flat}, {PAPER} {level_values[PAPER] / level_values[flat] - 1:+.1%}"
        ),
        passed=passed,
        note=(
            f"found in generation {rising.found_at} and {level.found_at} (paper: 17); "
            f"{len(rising.result.evaluations)} and {len(level.result.evaluations)} of 256 chains "
            f"simulated in {rising.wall_s:.0f} and {level.wall_s:.0f} s; the best {LIKELY} and the "
            f"paper's run {RUNS} times again. Rotation modules are limp. In a level pipe one drive "
            "can nearly pull them all, so that a second H next to another costs more in the bend "
            "than it gives"
        ),
        values={
            **{f"rising_{chain}_m": value for chain, value in values.items()},
            **{f"level_{chain}_m": value for chain, value in level_values.items()},
            "most_drives_that_pass": float(most),
            "drives_of_the_best": float(best.count("H")),
            "rising_generation": float(rising.found_at),
            "level_generation": float(level.found_at),
        },
        plots=(search_figure("The searches", found, "progress, m"),),
    )


def _chain(found: Searched, key: str) -> str:
    return str(found.study.space.decode(found.study.space.read(key))[CHAIN])


def _through(found: Searched) -> list[str]:
    """Genomes whose robots are through the bend."""
    return [
        key
        for key, one in found.result.evaluations.items()
        if one.score is not None and one.score >= PASSED_M
    ]


def _ranked(
    bench: Bench, found: Searched, changes: dict[str, Any]
) -> tuple[list[str], dict[str, float]]:
    """The likeliest chains, the best first, and the means of their fresh runs."""
    judged = [one for one in found.result.evaluations.values() if one.score is not None]
    judged.sort(key=lambda one: (-(one.score or 0.0), one.genome))
    keys = [one.genome for one in judged[:LIKELY]]
    paper = found.study.space.key(found.study.space.encode({CHAIN: PAPER}))
    chosen = list(dict.fromkeys([*keys, paper]))
    runs = 1 if bench.quick else RUNS
    values = again(bench, STUDY, chosen, runs=runs, changes=changes, what="B18 again")
    means = {_chain(found, key): float(np.mean(got)) for key, got in values.items()}
    return sorted(means, key=lambda chain: -means[chain]), means
