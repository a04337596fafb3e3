"""B18: the configuration GA, a touch module and eight of {rotation, helicoidal} (001 §6.2).

001 shows neither how tight the elbow is nor which way it goes; both decide.  The shipped study
takes a bend of three diameters that rises, where drives have something to carry; the same search
in a level elbow of one and a half diameters tells what becomes of the claim there.  In both all
rotation modules are limp and all drives push.

That the best has the most drives that still pass is not left to what the GA happened to try: every
chain with more of them is run as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.offline.executors import processes
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.offline.study import Study
from annelid.papers import Bench, Outcome
from annelid.papers.curves import numbers
from annelid.papers.study_run import Searched, again, search_figure, searched
from annelid.trial.load import resolve

STUDY: Final = "elbow"
PAPER: Final = "THRHRHRHH"
CHAIN: Final = "robot.chain"
LEVEL: Final[dict[str, Any]] = {
    "scenario.world.parts.1.radius_mm": 60,
    "scenario.world.parts.1.roll_deg": 0,
    "scenario.duration_s": 25,
    "fitness.hopeless.after_s": 12,
    "budget.generations": 20,
}
RUNS: Final = 3
"""They differ by less than 1 %."""
LIKELY: Final = 4
"""How many of the best are run again, with the paper's."""


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
    more = _with_more(bench, rising, best.count("H"))
    through = _through(rising.study, [*rising.result.evaluations.values(), *more])
    most = max((chain.count("H") for chain in through), default=0)
    level_order, level_values = _ranked(bench, level, LEVEL | (few if bench.quick else {}))
    flat = level_order[0]
    return Outcome(
        ours=(
            f"rising: {best} ({best.count('H')} H) goes furthest, {PAPER} "
            f"{values[PAPER] / values[best] - 1:+.1%}; most H that pass: {most}; level: "
            f"{flat}, {PAPER} {level_values[PAPER] / level_values[flat] - 1:+.1%}"
        ),
        passed=most > 0 and best.count("H") == most,
        note=(
            f"found in generation {rising.found_at} and {level.found_at} (paper: 17); "
            f"{len(rising.result.evaluations)} and {len(level.result.evaluations)} of 256 chains "
            f"simulated in {rising.cpu_s:.0f} and {level.cpu_s:.0f} s of CPU; the best {LIKELY} "
            f"and the paper's run {RUNS} times again, all {len(more)} chains with more H tried; "
            "passed: the tail is through at the end. Rotation modules are limp. 001 allows H H at "
            "the tail alone; a rigid T H H (92 mm) fits a bend "
            "of three diameters (up to 118 mm), and not one of 1.5 (87 mm). In a level pipe one "
            "drive can nearly pull all, so that more of them cost more in the bend than they give"
        ),
        values=numbers(
            {f"rising_{chain}_m": value for chain, value in values.items()}
            | {f"level_{chain}_m": value for chain, value in level_values.items()}
            | {"most_drives_that_pass": most, "drives_of_the_best": best.count("H")}
        ),
        plots=(search_figure("The searches", found, "progress, m"),),
    )


def _chain(found: Searched, key: str) -> str:
    return str(found.study.space.decode(found.study.space.read(key))[CHAIN])


def _with_more(bench: Bench, found: Searched, drives: int) -> list[Evaluation]:
    """All chains with more drives than that."""
    space = found.study.space
    todo: list[Genome] = [
        genome
        for genome in product(*map(range, space.sizes))
        if space.violation(genome) is None and str(space.decode(genome)[CHAIN]).count("H") > drives
    ]
    with processes(found.study, bench.workers) as evaluate:
        return list(evaluate(todo[:1] if bench.quick else todo))


def _through(study: Study, evaluations: Sequence[Evaluation]) -> list[str]:
    """Chains whose tails are through the bend at the end."""
    through = []
    for one in evaluations:
        if one.score is None:
            continue
        scenario = study.at(study.space.read(one.genome))
        robot, world = resolve(scenario)
        straight = float(scenario.model_dump()["world"]["parts"][-1]["length_mm"]) / 1000
        behind = (world.goal or 0.0) - straight
        if one.score >= behind + robot.length:
            through.append(robot.letters)
    return through


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
