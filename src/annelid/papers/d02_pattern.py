"""D2: six legs walk in a periodic pattern; four, after two failed, go on (003 §5, Fig 7).

The rule for stepping is one and the same: a leg steps when it gets at least a stride ahead, or when
it is urgent.  What is broken is a board, twice; that a leg is lost the planner finds out by itself.
Any two legs may be lost, so all fifteen pairs are tried, those that mirror each other once: four
legs whose feet do not surround the body cannot lift one without tipping or stalling a servo, and
must stand and say so.  Straight on and on a curve, because a curve lets every leg use up its room
at another rate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from annelid.papers.bench import Bench
from annelid.papers.claim import Figure, Outcome, Series
from annelid.papers.climb_run import Climbed, ClimbRun, outcome

FAILS_S: Final = (12.0, 20.0)
FOUND_S: Final = 1.0
"""Within which a broken leg is found."""
MIDDLE: Final = (2, 5)
"""The two in the middle, as in Fig 8."""
OPPOSITE: Final = ((2, 5), (1, 4))
"""What is left stands all round the body."""
PAIRS: Final[Mapping[tuple[int, int], int]] = {
    (1, 2): 2,
    (1, 3): 2,
    (1, 4): 2,
    (1, 5): 2,
    (1, 6): 1,
    (2, 3): 2,
    (2, 4): 2,
    (2, 5): 1,
    (3, 4): 1,
}
"""All kinds of pairs, and how many of each there are: left and right are alike."""
AHEAD: Final[tuple[tuple[str, float], ...]] = (("x_mm", 420.0),)
CURVE: Final[tuple[tuple[str, float], ...]] = (("x_mm", 300.0), ("y_mm", 100.0), ("yaw_deg", 60.0))


@dataclass(frozen=True)
class Walk:
    lost: tuple[int, ...] = ()
    way: tuple[tuple[str, float], ...] = AHEAD
    seed: int = 0


@dataclass(frozen=True)
class Walked:
    came: Climbed
    turns: tuple[tuple[float, int], ...]
    """(s, leg)"""
    found_s: tuple[float, ...]
    """How long each broken leg took to be found."""

    @property
    def went_on(self) -> bool:
        return self.came.arrived and not self.came.fallen and not self.came.critical

    @property
    def pattern(self) -> list[int]:
        """Once it is known who walks, without the first round."""
        since = FAILS_S[1] + FOUND_S if self.found_s else 0.0
        return [leg for at_s, leg in self.turns if at_s > since][6 - len(self.found_s) :]


def walk(given: Walk) -> Walked:
    options: dict[str, Any] = {"way": [dict(given.way)]}
    run = ClimbRun(options, seed=given.seed)
    for leg, at_s in zip(given.lost, FAILS_S, strict=False):
        run.fault(fault="dead_board", board=f"L{leg}", at_s=at_s)
    seen = run.walk(160.0, every_s=0.5)
    failed = {one["leg"]: at_s for at_s, one in run.told("leg failed")}
    broke = zip(given.lost, FAILS_S, strict=False)
    found = [failed[leg] - at_s for leg, at_s in broke if leg in failed]
    turns = tuple((at_s, leg + 1) for at_s, leg in run.mind.turns)
    return Walked(outcome(run, seen), turns, tuple(found))


def period(pattern: Sequence[int]) -> int | None:
    """The shortest period that a pattern keeps to, with two whole ones seen; None: none."""
    for length in range(1, len(pattern) // 2 + 1):
        if all(a == b for a, b in zip(pattern, pattern[length:], strict=False)):
            return length
    return None


def experiment(bench: Bench) -> Outcome:
    pairs = {MIDDLE: 1} if bench.quick else PAIRS
    bends = [] if bench.quick else [(), *OPPOSITE]
    todo = [
        Walk(seed=bench.seed),
        *(Walk(pair, seed=bench.seed) for pair in pairs),
        *(Walk(lost, CURVE, bench.seed) for lost in bends),
    ]
    done = dict(zip(todo, bench.map(walk, todo, what="D2"), strict=True))
    ahead = {pair: done[Walk(pair, seed=bench.seed)] for pair in [(), *pairs]}
    curve = {lost: done[Walk(lost, CURVE, bench.seed)] for lost in bends}
    six, four = ahead[()], ahead[MIDDLE]
    every = sum(pairs.values())
    on = {pair: count for pair, count in pairs.items() if ahead[pair].went_on}
    walks = sum(on.values())
    fell = sum(count for pair, count in pairs.items() if ahead[pair].came.fallen)
    loose = sum(count for pair, count in on.items() if period(ahead[pair].pattern) is None)
    bent = [each for lost, each in curve.items() if lost and each.went_on]
    loose_bent = sum(period(each.pattern) is None for each in bent)
    found = [at_s for each in done.values() for at_s in each.found_s]
    note = (
        f"Straight on, {walks} of {every} pairs of lost legs leave four that go on, {loose} of "
        f"them not periodically; {every - walks - fell} stand and say why, {fell} fell. "
    )
    if curve:
        note += (
            f"On a curve {loose_bent} of {len(bent)} walks on four are not periodic; on six "
            f"{_say(period(curve[()].pattern))}. "
        )
    if period(four.pattern) is not None:
        note += (
            "One rule settles into a cycle with four legs as with six. Also tried: feet put as far "
            "ahead as they reach (periods 6 and 4 again); longer strides and a faster body, with "
            "which six legs lose their period, too"
        )
    return Outcome(
        ours=(
            f"six legs: {_say(period(six.pattern))}; four: "
            f"{'go on' if four.went_on else 'stop'}, {_say(period(four.pattern))}; "
            f"broken legs found in {max(found):.1f} s"
        ),
        passed=six.went_on
        and period(six.pattern) == 6
        and four.went_on
        and period(four.pattern) is None,
        note=note,
        values={
            "pairs": float(every),
            "pairs_that_go_on": float(walks),
            "pairs_that_stand": float(every - walks - fell),
            "aperiodic_of_those_that_go_on": float(loose),
            "aperiodic_on_a_curve": float(loose_bent),
            "period_six": float(period(six.pattern) or 0),
            "period_four": float(period(four.pattern) or 0),
            "found_after_s": max(found),
        },
        plots=tuple(
            _figure(title, each)
            for title, each in (
                ("Six legs, straight on", six),
                ("The middle legs fail at 12 and 20 s", four),
                *((("The same on a curve", curve[MIDDLE]),) if curve else ()),
            )
        ),
    )


def _say(length: int | None) -> str:
    return "not periodic" if length is None else f"period {length}"


def _figure(title: str, walked: Walked) -> Figure:
    points = Series(
        "a leg's turn to move",
        tuple(at_s for at_s, _ in walked.turns),
        tuple(float(leg) for _, leg in walked.turns),
        "points",
    )
    return Figure(title, "time (s)", "leg", (points,))
