"""B4: which modules a task needs, and where best to split a robot in two (000 §6).

*Needs*: for random robots and tasks, the minimal sets of modules that the engine names are compared
with those that trying every subset finds.  *Split*: random robots with batteries are cut; the
engine's first choice must let both halves do the task as well as any cut does, and all else equal
leave them as much in common; what each half of each cut can do is judged by Table 9 read by hand.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from annelid.papers import Bench, Outcome
from annelid.papers.table9 import expected, members, of_words, stock, table_only
from annelid.systems.microtub.inference import Engine, RobotSituation, StatedModule, needed, splits
from annelid.systems.microtub.inference.needs import IDLE
from annelid.systems.microtub.protocol import WorkingMode

TASKS: Final = ("explore", "reach", "repair", "turn", "forward", "lateral", "Ext_unit")
NEED_WORDS: Final = ("T", "TR", "RR", "RRR", "RRRR", "H", "H", "SES", "EE", "G", "P", "B")
SPLIT_WORDS: Final = ("RR", "RRR", "H", "H", "SES", "SEES", "P", "B", "B")
BEHIND: Final = {
    "forward": ("inchworm", "inchworm of units", "push", "snake"),
    "backward": ("inchworm backwards", "inchworm of units backwards", "push backwards"),
    "turn": ("push round a bend",),
}
"""Ability to the rules of Table 9 that give it."""


@dataclass(frozen=True)
class Asked:
    seed: int
    index: int
    size: int


@dataclass(frozen=True)
class Needs:
    same: bool
    sets: int
    chain: str


def needs(asked: Asked) -> Needs:
    """The engine's minimal sets against those of trying all subsets."""
    draw = np.random.default_rng([asked.seed, asked.index, 1])
    chain = of_words(draw, NEED_WORDS, asked.size)
    task = str(draw.choice(list(TASKS)))
    mode = (WorkingMode.PIPE, WorkingMode.OPEN_AIR)[int(draw.integers(2))]
    situation = RobotSituation(mode, tethered=bool(draw.integers(4)))
    engine, told = Engine(), members(chain, stock())
    engine.infer(told, situation)
    found = needed(engine, told, situation, task)
    wanted = _by_trying(engine, told, situation, task)
    same = set(found.sets) == wanted if found.complete else set(found.sets) <= wanted
    return Needs(same, len(wanted), f"{chain} {task}")


def _by_trying(
    engine: Engine, told: list[StatedModule], situation: RobotSituation, task: str
) -> set[tuple[int, ...]]:
    job = engine.task(task)
    found: list[tuple[int, ...]] = []
    for size in range(len(told) + 1):
        for kept in combinations(range(len(told)), size):
            if any(set(less) <= set(kept) for less in found):
                continue
            left = [
                each if place in kept else StatedModule(each.address, each.id, IDLE)
                for place, each in enumerate(told)
            ]
            if engine.infer(left, situation).does(job):
                found.append(kept)
    return set(found)


@dataclass(frozen=True)
class Cut:
    best: bool
    """No other cut is better by the table read by hand."""
    possible: bool
    """Some cut lets both halves do the task."""
    middle_fails: bool
    """Cutting in the middle does not."""


def cut(asked: Asked) -> Cut:
    draw = np.random.default_rng([asked.seed, asked.index, 2])
    chain = of_words(draw, SPLIT_WORDS, asked.size)
    situation = RobotSituation(WorkingMode.PIPE)
    chosen = splits(table_only(), members(chain, stock()), situation, task="reach")[0].front
    worth = {front: _worth(chain, front, situation) for front in range(1, len(chain))}
    best = max(worth.values())
    middle = worth[len(chain) // 2][0]
    return Cut(worth[chosen] == best, best[0] > 0, best[0] > 0 and middle == 0)


def _worth(chain: str, front: int, situation: RobotSituation) -> tuple[int, int, int, int]:
    """Task in the worse half, abilities both have, all abilities, evenness; by the table."""
    halves = [
        _abilities(chain[:front], RobotSituation(situation.mode, tethered=False)),
        _abilities(chain[front:], situation),
    ]
    task = min(half.get(need, 0) for half in halves for need in ("forward", "backward"))
    both = sum(min(half.get(name, 0) for half in halves) for name in BEHIND)
    return task, both, sum(sum(half.values()) for half in halves), -abs(len(chain) - 2 * front)


def _abilities(chain: str, situation: RobotSituation) -> dict[str, int]:
    grades = expected(chain, situation)
    found = {name: max(grades.get(rule, 0) for rule in rules) for name, rules in BEHIND.items()}
    return {name: grade for name, grade in found.items() if grade}


def experiment(bench: Bench) -> Outcome:
    robots = 20 if bench.quick else 200
    sizes = (5, 6) if bench.quick else (5, 6, 7, 8, 9)
    asked = [Asked(bench.seed, index, sizes[index % len(sizes)]) for index in range(robots)]
    answers = bench.map(needs, asked, what="needs")
    longer = [Asked(bench.seed, index, 6 + index % 7) for index in range(robots * 2)]
    cuts = bench.map(cut, longer, what="splits")
    right = sum(each.same for each in answers)
    able = sum(each.sets > 0 for each in answers)
    best = sum(each.best for each in cuts)
    possible = sum(each.possible for each in cuts)
    middle = sum(each.middle_fails for each in cuts)
    wrong = [each.chain for each in answers if not each.same]
    most = max(each.sets for each in answers)
    return Outcome(
        ours=(
            f"minimal sets right for {right} of {robots} robots ({able} can do their task, up to "
            f"{most} sets); best cut chosen for {best} of {len(cuts)}; both halves can go on in "
            f"{possible} of them, where cutting in the middle would fail {middle} times"
        ),
        passed=right == robots and best == len(cuts) and possible > 0 and able > 0,
        note=(
            f"Tasks: {', '.join(TASKS)}; robots of {sizes[0]} to {sizes[-1]} modules against all "
            "subsets, modules left out are carried along idle. Splits of 6 to 12 modules in a pipe "
            "for the task reach; the cable stays with the rear half, the front half needs a "
            "battery. " + (f"Wrong: {wrong[0]}" if wrong else "")
        ).strip(),
        values={
            "robots": robots,
            "sets_right": right,
            "able": able,
            "cuts": len(cuts),
            "cuts_best": best,
            "cuts_possible": possible,
            "middle_fails": middle,
        },
    )
