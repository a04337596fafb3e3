"""B14: one robot, R R S E S R R, inches through a pipe and rolls in open air, nothing reprogrammed
(000 §8.2, Figs 21 and 22).

Boards, bus and central control are the same in both worlds (``same-robot-pipe`` and
``same-robot-open-air``); the operator says the same word, explore.  The chain has no eyes: its
central control lets a support module feel for a wall, tells the working mode, and infers anew what
the robot can do there.  Counted are runs in which it chose the movement of the figure by itself and
got somewhere with it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers import Bench, Case, Outcome
from annelid.papers.curves import curves, numbers
from annelid.papers.interval import Interval, Rate
from annelid.papers.said import movements
from annelid.trial.replay import Run

EXPLORE_S, END_S = 3.0, 15.0
FAR_M: Final = 0.15
"""What counts as having got somewhere: half the robot's length."""
WANTED: Final = {"pipe": "inchworm", "open-air": "rolling"}
LOW_MIN: Final = 0.8
"""Least lower bound of a rate, with 95 % confidence."""
REPEATS: Final = 20


@dataclass(frozen=True)
class Went:
    """Of one run."""

    where: str
    movements: tuple[str, ...]
    path: tuple[tuple[float, float], ...]
    """Ahead and aside from where it was told to explore, m."""

    @property
    def far_m(self) -> float:
        """In the direction of the figure: ahead in the pipe, to a side in the open."""
        ahead, aside = self.path[-1]
        return ahead if self.where == "pipe" else abs(aside)

    @property
    def right(self) -> bool:
        return self.movements == (WANTED[self.where],) and self.far_m >= FAR_M


def judge(run: Run) -> Went:
    time, robot = run.time("robot"), run["robot"]
    path = np.column_stack([robot["x"], robot["y"]])[(time >= EXPLORE_S) & (time <= END_S)]
    told = tuple(name for _, name in movements(run))
    points = tuple((float(x), float(y)) for x, y in path - path[0])
    return Went(run.scenario.world.kind, told, points)


def enough(rates: Iterable[Rate]) -> bool:
    return all(rate.low >= LOW_MIN for rate in rates)


def experiment(bench: Bench) -> Outcome:
    fields = {"duration_s": END_S, "physics.timestep_ms": 1.0}
    cases = {where: Case(f"same-robot-{where}", fields) for where in WANTED}
    found = bench.trials(cases, judge, repeats=2 if bench.quick else REPEATS)
    rate = {where: Rate.count(went.right for went in found[where]) for where in WANTED}
    taken = END_S - EXPLORE_S
    speed = {
        where: Interval.mean([100 * went.far_m / taken for went in found[where]])
        for where in WANTED
    }
    chosen = {
        where: ", ".join(sorted({name for went in found[where] for name in went.movements}))
        for where in WANTED
    }
    return Outcome(
        ours="; ".join(
            f"{where}: {chosen[where]} in {rate[where]}, {speed[where].told(1)} cm/s"
            for where in WANTED
        ),
        passed=enough(rate.values()),
        note=(
            "Same boards, same program, same word (EXP); a support module feels for the wall.  "
            f"A run counts when the movement is the figure's and the robot gets {FAR_M:g} m in "
            f"{taken:g} s, ahead in the pipe and to a side in the open.  Asked for: a lower "
            f"95 % bound of {LOW_MIN:.0%} in each."
        ),
        values=numbers(
            {f"rate_{where}": rate[where] for where in WANTED}
            | {f"speed_{where}_cm_s": speed[where] for where in WANTED}
        ),
        plots=(
            curves(
                "The same robot in two worlds",
                "ahead, m",
                "aside, m",
                {where: found[where][0].path for where in WANTED},
            ),
        ),
    )
