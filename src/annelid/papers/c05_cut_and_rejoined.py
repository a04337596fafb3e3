"""C5: cut in two, both halves go on; docked in another order they are one again (002 §7).

A caterpillar of eight is cut in the middle while it crawls.  The halves crawl on, each by its own
clocks, up to 0.5 % off; then the rear half is picked up and docked in front of the other, so that
the order is 5 6 7 8 1 2 3 4.  Nobody tells the modules.  The control is a gait table, whose rows a
master counts: the half without the master hears nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from annelid.papers import Bench, Case, Outcome
from annelid.papers.cycles import COARSE, CYCLE_S, Dock, in_step_from, misses, path, per_cycle
from annelid.trial.replay import Run

SETTLED, CUT, APART, MEASURED, END = 3, 6, 13, 18, 26
"""Cycles: in step at the beginning; the cut; measured until then; measured again; the end."""
JOINED: Final = 13.8
"""The docking, cycles: at this part of a cycle C1 lies level.  Somebody who docks by hand waits for
that; docked to a nose that points down, one robot of six came to lie folded on itself."""
AGAIN: Final = 3.0
"""Cycles in which it must be one again: the root's next signal and seven delays of a fifth."""
KEPT: Final = 0.9
WORKS: Final = 0.5
"""Of the speed of eight, that a half must have to be said to go on."""
SLACK: Final = 3 / 180
"""A signal takes a millisecond and is seen at the next step, and clocks that are 0.5 % off slide by
0.9 of a step in a cycle."""
REPEATS: Final = 5

FRONT, REAR = ("C1", "C2", "C3", "C4"), ("C5", "C6", "C7", "C8")
LIFE: Final = {
    **COARSE,
    "duration_s": END * CYCLE_S,
    "events.0.at_s": CUT * CYCLE_S,
    "events.1.at_s": JOINED * CYCLE_S,
}
TABLE: Final = "a master's table"
CASES: Final = {
    "roles": Case("caterpillar-cut", LIFE),
    TABLE: Case("caterpillar-cut", {**LIFE, "control.options.method": "gait-table"}),
}


@dataclass(frozen=True)
class Life:
    """Of one caterpillar; ways in cm a cycle."""

    whole: float
    half: float
    """Of the slower half."""
    again: float
    in_step: float
    """Cycles from the docking until all are; infinite: never."""
    halves_in_step: bool


def judge(run: Run) -> Life:
    def speed(begin: int, end: int, *modules: str) -> float:
        return 100 * per_cycle(path(run, begin, end, modules))

    def since(begin: float, end: float, *order: str) -> float:
        chain = [Dock(later, "front", sooner) for sooner, later in pairwise(order)]
        return in_step_from(misses(run, chain), begin=begin, end=end, slack=SLACK)

    halves = [since(CUT, APART, *half) for half in (FRONT, REAR)]
    return Life(
        whole=speed(SETTLED, CUT, *FRONT, *REAR),
        half=min(speed(CUT, APART, *half) for half in (FRONT, REAR)),
        again=speed(MEASURED, END, *REAR, *FRONT),
        in_step=since(JOINED, END, *REAR, *FRONT) - JOINED,
        halves_in_step=max(halves) <= CUT + 1 + SLACK,
    )


def experiment(bench: Bench) -> Outcome:
    found = bench.trials(CASES, judge, repeats=1 if bench.quick else REPEATS)
    lives = found["roles"]
    halves = min(life.half / life.whole for life in lives)
    kept = min(life.again / life.whole for life in lives)
    slowest = max(life.in_step for life in lives)
    table = max(life.half / life.whole for life in found[TABLE])
    return Outcome(
        ours=(
            f"halves at {halves:.0%} of the speed of eight or more (with {TABLE}: {table:.0%}); "
            f"docked in another order, in step after {slowest:.1f} cycles at the latest, "
            f"{kept:.0%} of the speed"
        ),
        passed=(
            halves >= WORKS
            and all(life.halves_in_step for life in lives)
            and slowest <= AGAIN
            and kept >= KEPT
            and table < WORKS
        ),
        note=(
            f"Caterpillars of eight, {len(lives)} robots, the least of them; clocks off by up to "
            f"0.5 %.  Cut after {CUT} cycles, 5678 docked in front of 1234 after {JOINED:g}, where "
            "C1 lies level.  Asked: half the speed and in step in both halves, in step again "
            f"within {AGAIN:g} cycles, {KEPT:.0%} of the speed.  Control: with {TABLE} one half "
            "stands."
        ),
        values={
            "in_step_again_cycles_slowest": slowest,
            "half_speed_least": halves,
            "half_speed_with_a_table": table,
            "kept_speed_least": kept,
        },
    )
