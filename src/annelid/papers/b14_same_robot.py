"""B14: one robot, R R S E S R R, inches through a pipe and rolls in open air, nothing reprogrammed
(000 §8.2, Figs 21 and 22).

Boards, bus and central control are the same in both worlds; the operator says the same word,
explore.  The chain has no eyes: its central control lets a support module feel for a wall, tells
the working mode, and infers anew what the robot can do there.  Counted are runs in which it chose
the movement of the figure by itself and got somewhere with it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air, straight_pipe
from annelid.papers.told_run import ToldRun
from annelid.trial.summary import wilson

CHAIN: Final = "RRSESRR"
EXPLORE_S, END_S = 3.0, 15.0
FAR_M: Final = 0.15
"""What counts as having got somewhere: half the robot's length."""
WANTED: Final = {"pipe": "inchworm", "open air": "rolling"}
RATE_MIN: Final = 0.8


@dataclass(frozen=True)
class Went:
    """Of one run; ways in m."""

    movements: tuple[str, ...]
    ahead: float
    aside: float
    path: tuple[tuple[float, float], ...]


def explore(given: tuple[str, int]) -> Went:
    where, seed = given
    world = straight_pipe(length_mm=1500.0) if where == "pipe" else open_air()
    run = ToldRun(CHAIN, world, [(EXPLORE_S, "EXP")], seed=seed)
    path = []
    for second in np.arange(EXPLORE_S, END_S + 0.5, 0.5):
        run.run(float(second))
        x, y, _ = run.sim.centre()
        path.append((float(x), float(y)))
    moved = np.array(path) - path[0]
    return Went(
        tuple(name for _, name in run.movements),
        float(moved[-1, 0]),
        float(abs(moved[-1, 1])),
        tuple((float(x), float(y)) for x, y in moved),
    )


def right(where: str, went: Went) -> bool:
    far = went.ahead if where == "pipe" else went.aside
    return went.movements == (WANTED[where],) and far >= FAR_M


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 12))
    given = [(where, seed) for where in WANTED for seed in seeds]
    found = dict(zip(given, bench.map(explore, given, what="runs"), strict=True))
    good = {w: sum(right(w, found[w, seed]) for seed in seeds) for w in WANTED}
    low = {where: wilson(good[where], len(seeds))[0] for where in WANTED}
    taken = END_S - EXPLORE_S
    speed = {
        "pipe": float(np.mean([found["pipe", s].ahead for s in seeds])) / taken,
        "open air": float(np.mean([found["open air", s].aside for s in seeds])) / taken,
    }
    names = {w: sorted({name for s in seeds for name in found[w, s].movements}) for w in WANTED}
    return Outcome(
        ours=(
            f"pipe: {', '.join(names['pipe'])} at {100 * speed['pipe']:.1f} cm/s in "
            f"{good['pipe']} of {len(seeds)} runs; open air: {', '.join(names['open air'])} at "
            f"{100 * speed['open air']:.1f} cm/s sideways in {good['open air']} of {len(seeds)}"
        ),
        passed=all(good[where] / len(seeds) >= RATE_MIN for where in WANTED),
        note=(
            f"Same boards, same program, same word (EXP); a support module feels for the wall. "
            f"A run counts when the movement is the figure's and the robot gets {FAR_M:g} m in "
            f"{taken:g} s."
        ),
        values={
            **{f"rate_{w.replace(' ', '_')}": good[w] / len(seeds) for w in WANTED},
            **{f"rate_low_{w.replace(' ', '_')}": low[w] for w in WANTED},
            **{f"speed_{w.replace(' ', '_')}_cm_s": 100 * speed[w] for w in WANTED},
        },
        plots=(
            Figure(
                "The same robot in two worlds",
                "ahead, m",
                "aside, m",
                tuple(
                    Series.of(
                        f"{where}, seed {seeds[0]}",
                        [x for x, _ in found[where, seeds[0]].path],
                        [y for _, y in found[where, seeds[0]].path],
                    )
                    for where in WANTED
                ),
            ),
        ),
    )
