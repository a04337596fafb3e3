"""B3: what a robot can do is inferred from what its modules report (000 §6, Table 9).

Every chain of up to five modules and many longer ones, in each working mode, with and without a
cable: what the engine concludes by each rule of Table 9 is compared with a reading of the table by
hand (``table9``).  Then the paper's own example, the fixpoint, and rules that come and go in run
time, with the whole table of rules, ours among them.
"""

from __future__ import annotations

import timeit
from collections import Counter
from dataclasses import dataclass, field
from functools import partial
from itertools import product
from typing import Final

import numpy as np

from annelid.papers import Bench, Outcome
from annelid.papers.table9 import (
    LETTERS,
    concluded,
    expected,
    members,
    of_words,
    stock,
    table_only,
)
from annelid.systems.microtub.inference import Engine, RobotSituation, Rule, StatedModule
from annelid.systems.microtub.protocol import WorkingMode

EXAMPLE: Final = ("00003203001003000", "00003302130003000", "00003000200003111")
"""The MDL strings of the worked example."""
SITUATIONS: Final = tuple(
    RobotSituation(mode, cable) for mode in WorkingMode for cable in (True, False)
)
WORDS: Final = ("R", "RR", "RRR", "S", "SS", "E", "EE", "H", "P", "B")
"""Longer chains are made of these."""
LIMIT_MS: Final = 5.0
"""For twenty modules: the central control infers anew at every change."""
PULL: Final = Rule.parse(
    {"name": "pull", "anywhere": ["PS", "Grab"], "adjacent": ["Ext"], "robot": "pulling"},
    where="B3",
)


@dataclass
class Checked:
    chains: int = 0
    wrong: list[str] = field(default_factory=list)
    fired: Counter[str] = field(default_factory=Counter)
    silent: Counter[str] = field(default_factory=Counter)
    rounds: int = 0
    not_settled: int = 0
    """Chains for which going over the rules once more brings something new."""


def check(chains: tuple[str, ...]) -> Checked:
    """Engine against the table read by hand, in all situations."""
    done, engine, kinds = Checked(), table_only(), stock()
    rules = set(engine.rulebook.rules)
    for chain in chains:
        told = members(chain, kinds)
        for situation in SITUATIONS:
            known = engine.infer(told, situation)
            found, wanted = concluded(known), expected(chain, situation)
            done.chains += 1
            done.rounds = max(done.rounds, known.rounds)
            done.fired.update(found.keys())
            done.silent.update(rules - found.keys())
            if found != wanted:
                done.wrong.append(f"{chain} {situation.mode.name}: {found}, expected {wanted}")
            done.not_settled += any(known.base.learn(f) for f in list(engine.conclusions(known)))
    return done


def example(mode: WorkingMode) -> int:
    """Ext of the three modules of the example; module 3 has a power supply."""
    told = [StatedModule(place, "r", digits) for place, digits in enumerate(EXAMPLE, 1)]
    return Engine().infer(told, RobotSituation(mode, tethered=False)).can("Ext")


def in_run_time() -> bool:
    """A rule is added, changed and removed, and each time the next inference shows it."""
    engine, told = Engine(), members("GE", stock())
    seen = [engine.infer(told, SITUATIONS[0]).can("pulling")]
    engine.add(PULL)
    seen.append(engine.infer(told, SITUATIONS[0]).can("pulling"))
    engine.change(PULL.model_copy(update={"adjacent": ()}))
    seen.append(engine.infer(members("G", stock()), SITUATIONS[0]).can("pulling"))
    engine.remove(PULL.name)
    seen.append(engine.infer(told, SITUATIONS[0]).can("pulling"))
    return seen == [0, 3, 3, 0]


def median_ms(*, seed: int, chains: int = 20, size: int = 20) -> float:
    """For random chains with all rules, the best of three each: others use this machine too."""
    draw = np.random.default_rng([seed, size])
    engine, kinds = Engine(), stock()
    spent = []
    for _ in range(chains):
        told = members("".join(draw.choice(list("TRHSEVPB"), size)), kinds)
        situation = SITUATIONS[int(draw.integers(len(SITUATIONS)))]
        infer = partial(engine.infer, told, situation)
        spent.append(min(timeit.repeat(infer, number=1, repeat=3)))
    return 1000 * float(np.median(spent))


def experiment(bench: Bench) -> Outcome:
    draw = np.random.default_rng(bench.seed)
    longest, more = (3, 200) if bench.quick else (5, 3000)
    short = ["".join(each) for n in range(1, longest + 1) for each in product(LETTERS, repeat=n)]
    long = [of_words(draw, WORDS, int(draw.integers(6, 13))) for _ in range(more)]
    chains = short + long
    parts = [tuple(chains[place::16]) for place in range(16)]
    checks = bench.map(check, parts, what="chains")
    cases = sum(each.chains for each in checks)
    wrong = [line for each in checks for line in each.wrong]
    fired = sum((each.fired for each in checks), Counter[str]())
    silent = sum((each.silent for each in checks), Counter[str]())
    unsettled = sum(each.not_settled for each in checks)
    rules = sorted(set(table_only().rulebook.rules))
    both = sum(bool(fired[name] and silent[name]) for name in rules)
    outside, inside = example(WorkingMode.OPEN_AIR), example(WorkingMode.PIPE)
    changed = in_run_time()
    median = median_ms(seed=bench.seed)
    passed = (
        not wrong
        and both == len(rules)
        and (outside, inside) == (3, 1)
        and unsettled == 0
        and changed
        and median < LIMIT_MS
    )
    return Outcome(
        ours=(
            f"{cases} cases: {len(wrong)} differ from the table read by hand; {both} of "
            f"{len(rules)} rules seen to fire and not to fire; example Ext {outside} in open air, "
            f"{inside} in pipe; fixpoint in at most {max(c.rounds for c in checks)} rounds; rules "
            f"come and go in run time: {'yes' if changed else 'no'}; 20 modules {median:.1f} ms"
        ),
        passed=passed,
        note=(
            f"All chains of up to {longest} of {LETTERS} and {more} longer ones, 3 modes, with and "
            "without cable. Adjacent, not in order, as the paper's text has it; the cable counts "
            "as PS; environments other than Ext's are ours. "
            + (f"First difference: {wrong[0]}" if wrong else "")
        ).strip(),
        values={
            "cases": cases,
            "differences": len(wrong),
            "rules_seen_both_ways": both,
            "not_settled": unsettled,
            "example_open_air": outside,
            "example_pipe": inside,
            "median_20_ms": median,
        },
    )
