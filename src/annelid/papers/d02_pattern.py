"""D2: six legs walk in a periodic pattern; four, after two failed, go on (003 §5, Fig 7).

The rule for stepping is one and the same: a leg steps when it gets at least a stride ahead, or when
it is urgent.  What is broken is a board, twice; that a leg is lost the planner finds out by itself.
Both walk in six directions of the body, and every run is judged.  Whether the pattern repeats
depends on the direction, with six legs as with four: that is a figure, not a bar.

Told beside, not judged: any two legs lost.  Four legs whose feet do not surround the body cannot
lift one without tipping or stalling a servo, and must stand and say so.  The control loses a third
leg: three can stand, not walk, and the same judge must say that they did not go on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, Final

import numpy as np

from annelid.papers import Bench, Case, Figure, Outcome, Series
from annelid.papers.climbed import Climbed, climbed, reasons, turns, turns_figure
from annelid.papers.interval import Rate
from annelid.trial.replay import Run

SCENARIO: Final = "d02-loses-legs"
FAILS_S: Final = (12.0, 20.0)
THIRD_S: Final = 28.0
FOUND_S: Final = 1.0
"""Within which a broken leg is found."""
HEADINGS_DEG: Final = (0, 30, 60, 90, 180, 270)
WAY_MM: Final = 420.0
WHOLE: Final[dict[str, Any]] = {"faults": []}
LOST: Final = ("L2", "L5", "L4")
"""The third one in the control alone."""
SIX, FOUR, ANY_TWO, CONTROL = "six legs", "four legs", "any two lost", "a third leg lost"
REPEATS: Final = 4
SIX_REPEATS: Final = 2
"""In each direction."""

Walk = tuple[str, int]
"""With how many legs, in which direction (°)."""


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


def broken(boards: Iterable[str], times_s: Iterable[float]) -> dict[str, Any]:
    return {
        "faults": [
            {"fault": "dead_board", "board": board, "at_s": at_s}
            for board, at_s in zip(boards, times_s, strict=True)
        ]
    }


def any_two(seed: int) -> dict[str, Any]:
    legs = np.random.default_rng(seed).permutation(6)[:2] + 1
    return broken([f"L{leg}" for leg in legs], FAILS_S)


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


def passes(six: Iterable[bool], four: Iterable[bool], control: Iterable[bool]) -> bool:
    """Every run of all directions goes on, and none of the control."""
    return all(six) and all(four) and not any(control)


def experiment(bench: Bench) -> Outcome:
    ways = HEADINGS_DEG[:1] if bench.quick else HEADINGS_DEG
    sixes = {(SIX, k): Case(SCENARIO, {**WHOLE, **heading(k)}) for k in ways}
    cases = {(FOUR, k): Case(SCENARIO, heading(k)) for k in ways}
    cases[CONTROL, 0] = Case(SCENARIO, broken(LOST, (*FAILS_S, THIRD_S)))
    if not bench.quick:
        cases[ANY_TWO, 0] = Case(SCENARIO, varied=any_two)
    found = {
        **bench.trials(sixes, judge, repeats=1 if bench.quick else SIX_REPEATS),
        **bench.trials(cases, judge, repeats=1 if bench.quick else REPEATS),
    }
    on = {walk: [one.went_on for one in each] for walk, each in found.items()}
    six, four = (list(chain(*(on[legs, k] for k in ways))) for legs in (SIX, FOUR))
    took = max((t for each in found.values() for one in each for t in one.found_s), default=np.nan)
    return Outcome(
        ours=f"in {len(ways)} directions: six legs {Rate.count(six)} walk, four "
        f"{Rate.count(four)} go on"
        + "".join(
            f"; {name}: {Rate.count(on[name, 0])}" for name in (ANY_TWO, CONTROL) if (name, 0) in on
        ),
        passed=passes(six, four, on[CONTROL, 0]),
        note=(
            "Asked for in every run of every direction: six legs walk, and when the middle ones "
            "fail, four go on.  A third leg lost is the control, and must not go on.  Any two legs "
            "lost are told beside: where the other feet do not surround the body they must stand.  "
            + "; ".join(
                f"{legs} to {k}°: {sum(on[legs, k])} of {len(on[legs, k])}, periods "
                + ", ".join(str(one.period or "none") for one in found[legs, k])
                for legs in (SIX, FOUR)
                for k in ways
            )
            + f".  Broken legs are found within {took:.1f} s"
            + reasons(one.came for legs in (SIX, FOUR) for k in ways for one in found[legs, k])
        ),
        values={
            **{_value(walk): float(np.mean(each)) for walk, each in on.items()},
            "six_legs_go_on": float(np.mean(six)),
            "four_legs_go_on": float(np.mean(four)),
            "six_with_period_6": float(np.mean([one.period == 6 for one in found[SIX, 0]])),
            "four_without_period": float(np.mean([one.period is None for one in found[FOUR, 0]])),
            "found_after_s": took,
        },
        plots=(
            *(turns_figure(legs, found[legs, 0][0].turns) for legs in (SIX, FOUR)),
            *(() if bench.quick else (_by_heading(found),)),
        ),
    )


def _value(walk: Walk) -> str:
    legs, way = walk
    towards = f" to {way} deg" if legs in (SIX, FOUR) else ""
    return f"{legs}{towards} go on".replace(" ", "_")


def _by_heading(found: Mapping[Walk, Sequence[Stepped]]) -> Figure:
    """Share of the robots whose pattern repeats."""

    def repeats(legs: str) -> list[float]:
        cases = [found[legs, k] for k in HEADINGS_DEG]
        return [float(np.mean([one.period is not None for one in case])) for case in cases]

    series = tuple(
        Series.of(legs, HEADINGS_DEG, repeats(legs), style="points") for legs in (SIX, FOUR)
    )
    return Figure("Patterns that repeat", "direction of the way (°)", "share of robots", series)
