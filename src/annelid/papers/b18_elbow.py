"""B18: the configuration GA, a touch module and eight of {rotation, helicoidal} (001 §6.2).

001 shows neither how tight the elbow is nor which way it goes; both decide.  The shipped study
takes a bend of three diameters that rises, where drives have something to carry; the same search
in a level elbow of one and a half diameters tells what becomes of the claim there.  In both all
rotation modules are limp and all drives push.  What the same chains do on boards, with controlled
joints, is measured in both bends as well (``b18_boards.py``).

That the best has the most drives that still pass is not left to what the GA happened to try: every
chain with more of them is run as well; in the level elbow those whose rigid pieces fit through it,
and only where the claim would hold otherwise.

Fitted: 001 prints no bend, and the rising one was taken because drives have something to carry in
it.  So that the claim holds there says little by itself.  The row counts in how many of the four
settings it holds (limp or on boards, rising or level), and passes only if it does in all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product
from typing import Any, Final

import numpy as np

from annelid.offline.executors import processes
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.papers import Bench, Outcome
from annelid.papers.b18_boards import BENDS, REPEATS, fitting, on_boards
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
"""Of a limp chain; they differ by less than 1 %."""
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
    most = _most(rising, values, more)
    level_order, level_values = _ranked(bench, level, LEVEL | (few if bench.quick else {}))
    flat = level_order[0]
    likely = dict(zip(BENDS, (order, level_order), strict=True))
    boards = [
        on_boards(bench, bend, [PAPER] if bench.quick else chains)
        for bend, chains in likely.items()
    ]
    level_most = _most(level, level_values)
    if flat.count("H") == level_most and not bench.quick:
        fitting_more = {each for some in fitting("level") for each in some}
        tried = _with_more(bench, level, flat.count("H"), among=fitting_more)
        level_most = _most(level, level_values, tried)
    holds = {
        "limp rising": most > 0 and best.count("H") == most,
        "limp level": level_most > 0 and flat.count("H") == level_most,
    }
    holds |= {f"on boards {each.bend}": each.verdict == "holds" for each in boards}
    elsewhere = [where for where, so in holds.items() if not so]
    fit = [" or ".join(fitting(bend)[0]) for bend in BENDS]
    return Outcome(
        ours=(
            f"the best has the most H that pass in {sum(holds.values())} of {len(holds)} settings "
            f"({', '.join(where for where, so in holds.items() if so) or 'none'}; not: "
            f"{', '.join(elsewhere) or 'none'}).  Limp: rising {best} ({best.count('H')} H) goes "
            f"furthest, {PAPER} {values[PAPER] / values[best] - 1:+.1%}, most H that pass: {most}; "
            f"level {flat} ({flat.count('H')} H), {PAPER} "
            f"{level_values[PAPER] / level_values[flat] - 1:+.1%}, most H that pass: {level_most}."
            f"  On boards: {'; '.join(each.told(PAPER) for each in boards)}"
        ),
        passed=holds_everywhere(holds),
        note=(
            "Fitted: the bend of three diameters that rises is our choice, made because drives "
            "have something to carry there; 001 prints no bend.  The level elbow and the robots on "
            "boards show what the choice predicts elsewhere.  Judged: whether the best has the "
            "most H that pass, in each of the four settings; a pass needs all of them.  Found in "
            f"generation {rising.found_at} and {level.found_at} (paper: 17); "
            f"{len(rising.result.evaluations)} and {len(level.result.evaluations)} of 256 chains "
            f"simulated in {rising.cpu_s:.0f} and {level.cpu_s:.0f} s of CPU; the best {LIKELY} "
            f"and the paper's run {RUNS} times again, all {len(more)} chains with more H tried; "
            "passed: the tail is through at the end.  The limp robots are as designed (the study "
            "sets no tolerances; they differ by a degree in how they are put down), those on "
            "boards are drawn.  In a level pipe one drive can nearly pull all, so that more of "
            "them cost more in the bend than they give.  On boards: told EXP, "
            f"{REPEATS} drawn robots of each chain that was run again and of the one with the most "
            "H that fits; as good means that the 95 % interval of the difference holds 0.  That "
            f"one is, by its rigid pieces, {' and '.join(fit)} (rising and level): a rigid T H H "
            "(92 mm) fits a bend of three diameters (up to 118 mm), and not one of 1.5 (87 mm).  "
            "001 allows H H at the tail alone"
        ),
        values=numbers(
            {f"rising_{chain}_m": value for chain, value in values.items()}
            | {f"level_{chain}_m": value for chain, value in level_values.items()}
            | {"most_drives_that_pass": most, "drives_of_the_best": best.count("H")}
            | {"level_most_drives_that_pass": level_most}
            | {"level_drives_of_the_best": flat.count("H")}
            | {"settings_in_which_it_holds": sum(holds.values())}
            | {
                f"boards_{each.bend}_{chain}_m": each.way(chain)
                for each in boards
                for chain in each.runs
            }
            | {f"boards_{each.bend}_most_drives_that_pass": each.most for each in boards}
        ),
        plots=(search_figure("The searches", found, "progress, m"),),
    )


def _chain(found: Searched, key: str) -> str:
    return str(found.study.space.decode(found.study.space.read(key))[CHAIN])


def holds_everywhere(holds: Mapping[str, bool]) -> bool:
    """By setting: whether the best has the most drives that pass.  One setting of our choice that
    shows what was to be shown does not carry the claim."""
    return all(holds.values())


def _with_more(
    bench: Bench, found: Searched, drives: int, *, among: Collection[str] | None = None
) -> list[Evaluation]:
    """All chains with more drives than that; ``among`` them: None: any."""
    space = found.study.space
    todo: list[Genome] = []
    for genome in product(*map(range, space.sizes)):
        if space.violation(genome) is None:
            letters = str(space.decode(genome)[CHAIN])
            if letters.count("H") > drives and (among is None or letters in among):
                todo.append(genome)
    with processes(found.study, bench.workers) as evaluate:
        return list(evaluate(todo[:1] if bench.quick else todo))


def _most(found: Searched, means: Mapping[str, float], more: Sequence[Evaluation] = ()) -> int:
    """The most drives of a chain whose tail is through the bend at the end."""
    judged = [*found.result.evaluations.values(), *more]
    scores = {_chain(found, one.genome): one.score for one in judged if one.score is not None}
    study, most = found.study, 0
    for chain, score in (scores | dict(means)).items():
        scenario = study.at(study.space.encode({CHAIN: chain}))
        robot, world = resolve(scenario)
        straight = float(scenario.model_dump()["world"]["parts"][-1]["length_mm"]) / 1000
        behind = (world.goal or 0.0) - straight
        if score >= behind + robot.length:
            most = max(most, chain.count("H"))
    return most


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
