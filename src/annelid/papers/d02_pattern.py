"""D2: six legs walk in a periodic pattern; four, after two failed, go on (003 §5, Fig 7).

The rule for stepping is one and the same: a leg steps when it gets at least a stride ahead, or when
it is urgent.  What is broken is a board, twice; that a leg is lost the planner finds out by itself.
Four legs whose feet do not surround the body cannot lift one without tipping or stalling a servo,
and must stand and say so: any two legs are lost, too.  Whether the pattern repeats depends on the
direction, with six legs as with four, so both walk in several: that is a figure, not a bar.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.climbed import Climbed, climbed, reasons, turns, turns_figure
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

SCENARIO: Final = "d02-loses-legs"
FAILS_S: Final = (12.0, 20.0)
FOUND_S: Final = 1.0
"""Within which a broken leg is found."""
HEADINGS_DEG: Final = (30, 60, 90, 180, 270)
WAY_MM: Final = 420.0
WHOLE: Final[dict[str, Any]] = {"faults": []}
SIX, FOUR, ANY_TWO = "six legs", "four legs", "any two lost"
REPEATS: Final = 5


@dataclass(frozen=True)
class Stepped:
    came: Climbed
    turns: list[tuple[float, int]]
    """(s, leg)"""
    found_s: list[float]
    """How long each broken leg took to be found."""

    @property
    def went_on(self) -> bool:
        return self.came.walked and not self.came.critical

    @property
    def period(self) -> int | None:
        """Of the pattern once it is known who walks, without the first round."""
        since = FAILS_S[1] + FOUND_S if self.found_s else 0.0
        return period([leg for at_s, leg in self.turns if at_s > since][6 - len(self.found_s) :])


def any_two(seed: int) -> dict[str, Any]:
    legs = np.random.default_rng(seed).permutation(6)[:2] + 1
    return {
        "faults": [
            {"fault": "dead_board", "board": f"L{leg}", "at_s": at_s}
            for leg, at_s in zip(legs, FAILS_S, strict=True)
        ]
    }


def heading(degrees: float) -> dict[str, Any]:
    """The same way in another direction of the body."""
    turn = np.radians(degrees)
    way = {"x_mm": round(WAY_MM * np.cos(turn), 1), "y_mm": round(WAY_MM * np.sin(turn), 1)}
    return {"control.options.way": [way], "success.progress_m": 10}


def judge(run: Run) -> Stepped:
    lost = {fault["board"]: fault["at_s"] for fault in map(dict, run.scenario.faults)}
    failed = {f"L{e.detail['leg']}": e.time_ns * 1e-9 for e in run.events("leg failed")}
    found_s = [failed[board] - at_s for board, at_s in lost.items() if board in failed]
    return Stepped(climbed(run), turns(run), found_s)


def period(pattern: Sequence[int]) -> int | None:
    """The shortest period that a pattern keeps to, with two whole ones seen; None: none."""
    for length in range(1, len(pattern) // 2 + 1):
        if all(a == b for a, b in zip(pattern, pattern[length:], strict=False)):
            return length
    return None


def experiment(bench: Bench) -> Outcome:
    cases: dict[str | tuple[str, int], Case] = {SIX: Case(SCENARIO, WHOLE), FOUR: Case(SCENARIO)}
    if not bench.quick:
        more: dict[str | tuple[str, int], Case] = {
            **{(SIX, k): Case(SCENARIO, {**WHOLE, **heading(k)}) for k in HEADINGS_DEG},
            **{(FOUR, k): Case(SCENARIO, heading(k)) for k in HEADINGS_DEG},
            ANY_TWO: Case(SCENARIO, varied=any_two),
        }
        cases |= more
    found = bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS)
    on = {name: [one.went_on for one in each] for name, each in found.items()}
    in_six = [one.period == 6 for one in found[SIX]]
    loose = [one.went_on and one.period is None for one in found[FOUR]]
    took = max((t for each in found.values() for one in each for t in one.found_s), default=np.nan)
    return Outcome(
        ours=(
            f"six legs: {Rate.count(on[SIX])} walk, {Rate.count(in_six)} with period 6; four: "
            f"{Rate.count(on[FOUR])} go on, {Rate.count(loose)} not periodically"
        ),
        passed=all(on[SIX]) and all(on[FOUR]),
        note=(
            "Asked for in every run: six legs walk, and when the middle ones fail, four go on.  "
            + "; ".join(f"{_named(name)}: {Rate.count(each)} go on" for name, each in on.items())
            + "; periods with four "
            + ", ".join(str(one.period or "none") for one in found[FOUR])
            + f".  Broken legs are found within {took:.1f} s"
            + reasons(one.came for one in found[SIX] + found[FOUR])
        ),
        values={
            **{f"{_named(n)}_go_on".replace(" ", "_"): float(np.mean(k)) for n, k in on.items()},
            "six_with_period_6": float(np.mean(in_six)),
            "four_without_period": float(np.mean(loose)),
            "found_after_s": took,
        },
        plots=(
            *(turns_figure(name, found[name][0].turns) for name in (SIX, FOUR)),
            *(() if bench.quick else (_by_heading(found),)),
        ),
    )


def _named(case: str | tuple[str, int]) -> str:
    return case if isinstance(case, str) else f"{case[0]} to {case[1]}°"


def _by_heading(found: Mapping[str | tuple[str, int], Sequence[Stepped]]) -> Figure:
    """Share of the robots whose pattern repeats."""
    ways = (0, *HEADINGS_DEG)

    def repeats(legs: str) -> list[float]:
        cases = [found[(legs, k) if k else legs] for k in ways]
        return [float(np.mean([one.period is not None for one in case])) for case in cases]

    series = tuple(Series.of(legs, ways, repeats(legs), style="points") for legs in (SIX, FOUR))
    return Figure("Patterns that repeat", "direction of the way (°)", "share of robots", series)
