"""B12: a chain that lies on its side rights itself before it goes on (000 §6.1.1, Fig 15).

Chains of rotation modules are laid on one side or the other, told to explore open ground, and
watched from the physics: are the joints of the vertical wave upright before the wave begins, and
does the robot get anywhere then?  Lying on its back counts as upright, for the first axis is
vertical.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.drive import open_air
from annelid.papers.told_run import ToldRun
from annelid.trial.summary import wilson

CHAINS: Final = ("RRRRRR", "TRRRRRRP")
SIDES_DEG: Final = (90.0, -90.0)
EXPLORE_S, END_S = 2.0, 20.0
UPRIGHT_DEG: Final = 25.0
FAR_M: Final = 0.15
RATE_MIN: Final = 0.8


@dataclass(frozen=True)
class Case:
    chain: str
    side_deg: float
    seed: int


@dataclass(frozen=True)
class Went:
    movements: tuple[str, ...]
    righted_s: float
    """From the command to the first wave; infinite: never."""
    lean_deg: float
    """Of the middle module when the wave began, from upright or upside down."""
    ahead_m: float
    """From there to the end, as the crow flies."""
    leans: tuple[float, ...]
    """Every half second."""


def explore(case: Case) -> Went:
    run = ToldRun(
        case.chain,
        open_air(),
        [(EXPLORE_S, "EXP")],
        seed=case.seed,
        options={"environment": "open-air"},
        jitter=0.03,
        roll_deg=case.side_deg,
    )
    leans, began, start = [], float("inf"), np.zeros(2)
    lean_then = float("nan")
    for moment in np.arange(EXPLORE_S, END_S + 0.1, 0.5):
        run.run(float(moment))
        leans.append(lean(run))
        waves = [t for t, name in run.movements if name == "snake"]
        if waves and not np.isfinite(began):
            began, start, lean_then = waves[0], run.sim.centre()[:2].copy(), leans[-1]
    ahead = float(np.linalg.norm(run.sim.centre()[:2] - start)) if np.isfinite(began) else 0.0
    return Went(
        tuple(name for _, name in run.movements),
        began - EXPLORE_S,
        lean_then,
        ahead,
        tuple(leans),
    )


def lean(run: ToldRun) -> float:
    """Of the middle of the chain, degrees from upright or upside down."""
    rolls = run.rolls_deg
    middle = abs(rolls[len(rolls) // 2])
    return float(min(middle, 180.0 - middle))


def right(went: Went) -> bool:
    return (
        went.movements[:1] == ("roll over",)
        and went.lean_deg <= UPRIGHT_DEG
        and went.ahead_m >= FAR_M
    )


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 5))
    cases = [Case(c, s, seed) for c in CHAINS for s in SIDES_DEG for seed in seeds]
    found = bench.map(explore, cases, what="runs")
    good = sum(map(right, found))
    low, _ = wilson(good, len(found))
    taken = float(np.median([went.righted_s for went in found]))
    return Outcome(
        ours=(
            f"{good} of {len(found)} right themselves, {taken:.1f} s after the command at the "
            f"median, and crawl on {np.mean([w.ahead_m for w in found]):.2f} m"
        ),
        passed=good / len(found) >= RATE_MIN,
        note=(
            f"{' and '.join(CHAINS)} laid on either side; upright is within {UPRIGHT_DEG:g}° of "
            f"0 or 180° when the vertical wave begins, and {FAR_M:g} m are wanted by {END_S:g} s. "
            "Bodies with flat sides do not fall over by an arc as in Fig 15, so the arc is turned "
            "round the body: a slow rolling gait, watched by the accelerometers."
        ),
        values={"rate": good / len(found), "rate_low": low, "righted_s": taken},
        plots=(
            Figure(
                "Lying on its side, told to explore",
                "time since the command, s",
                "lean of the middle module, degrees",
                tuple(
                    Series.of(
                        f"{case.chain}, {case.side_deg:+.0f}°",
                        np.arange(len(went.leans)) * 0.5,
                        went.leans,
                    )
                    for case, went in zip(cases, found, strict=True)
                    if case.seed == seeds[0]
                ),
            ),
        ),
    )
