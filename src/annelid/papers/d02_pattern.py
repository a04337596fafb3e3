"""D2: six legs walk in a periodic pattern; four, after two failed, go on (003 §5, Fig 7).

The rule for stepping is one and the same: a leg steps when it gets at least a stride ahead, or when
it is urgent.  What is broken is a board, twice; that a leg is lost the planner finds out by itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import Climbed, ClimbRun, outcome

FAILS_S: Final = (22.0, 40.0)
LOST: Final = ("L2", "L5")
"""The two in the middle, as in Fig 8."""
WAY_MM: Final = 420.0


@dataclass(frozen=True)
class Walk:
    lose: bool
    seed: int


def walk(given: Walk) -> tuple[Climbed, tuple[tuple[float, int], ...], tuple[float, ...]]:
    """(what came of it, (s, leg) of every turn, when legs were found broken)."""
    run = ClimbRun({"way": [{"x_mm": WAY_MM}]}, seed=given.seed)
    if given.lose:
        for leg, at_s in zip(LOST, FAILS_S, strict=True):
            run.fault(fault="dead_board", board=leg, at_s=at_s)
    seen = run.walk(150.0)
    turns = tuple((at_s, leg + 1) for at_s, leg in run.mind.safety.turns)
    return outcome(run, seen), turns, tuple(at_s for at_s, _ in run.told("leg failed"))


def period(pattern: Sequence[int]) -> int | None:
    """The shortest period that a pattern keeps to, with two whole ones seen; None: none."""
    for length in range(1, len(pattern) // 2 + 1):
        if all(a == b for a, b in zip(pattern, pattern[length:], strict=False)):
            return length
    return None


def experiment(bench: Bench) -> Outcome:
    seeds = range(bench.seed, bench.seed + (1 if bench.quick else 2))
    todo = [Walk(lose, seed) for lose in (False, True) for seed in seeds]
    done = dict(zip(todo, bench.map(walk, todo, what="D2"), strict=True))
    six = [period(done[Walk(False, seed)][0].pattern) for seed in seeds]
    after = {
        seed: [leg for at_s, leg in done[Walk(True, seed)][1] if at_s > FAILS_S[1] + 1.0]
        for seed in seeds
    }
    four = [period(after[seed]) for seed in seeds]
    went_on = all(
        done[one][0].arrived and not done[one][0].fallen and not done[one][0].critical
        for one in todo
    )
    found = [
        at_s - broke
        for seed in seeds
        for at_s, broke in zip(done[Walk(True, seed)][2], FAILS_S, strict=True)
    ]
    first = seeds[0]
    plots = tuple(
        Figure(
            title,
            "time (s)",
            "leg",
            (
                Series(
                    "a leg's turn to move",
                    tuple(at_s for at_s, _ in turns),
                    tuple(float(leg) for _, leg in turns),
                    "points",
                ),
            ),
        )
        for title, turns in (
            ("Six legs", done[Walk(False, first)][1]),
            ("Two legs fail at 22 and 40 s", done[Walk(True, first)][1]),
        )
    )
    aperiodic = all(each is None for each in four)
    return Outcome(
        ours=(
            f"six legs: period {_say(six)}; four: goes on, {_say(four, 'period ')}; "
            f"broken legs found in {max(found):.1f} s"
        ),
        passed=went_on and all(each == 6 for each in six) and aperiodic,
        note=(
            f"{len(seeds)} walks of {WAY_MM:.0f} mm each, floor. "
            + (
                ""
                if aperiodic
                else "With one rule for stepping four legs fall into a pattern of their own, too; "
                "the paper's was not periodic because its tolerances were made for six"
            )
        ),
        values={
            "walks": float(len(todo)),
            "arrived": float(sum(done[one][0].arrived for one in todo)),
            "period_six": float(six[0] or 0),
            "period_four": float(four[0] or 0),
            "found_after_s": max(found),
        },
        plots=plots,
    )


def _say(periods: Sequence[int | None], before: str = "") -> str:
    kinds = sorted({0 if each is None else each for each in periods})
    return ", ".join("not periodic" if not kind else f"{before}{kind}" for kind in kinds)
