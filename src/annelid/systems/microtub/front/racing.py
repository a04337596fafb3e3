"""Which runs a race between designs needs next: a loser is stopped as soon as it is known.

Designs are tried on the same networks in the same order, in rounds that double (3, 6, 12 …).  One
whose 95 % interval lies below the wanted rate is out; one whose interval lies above has won.  What
comes next follows from the results so far, so a race that was killed goes on as if it had not been.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, Literal

from annelid.trial.summary import wilson

FIRST: Final = 3
"""Runs of the first round: of three failures the interval ends at 56 %."""

Verdict = Literal["yes", "in these runs", "unclear", "no"]
"""Whether the wanted rate is reached: surely, by the rate alone, maybe, surely not."""


def verdict(done: Sequence[bool], wanted: float) -> Verdict:
    """By Wilson's interval of 95 %."""
    if not done:
        return "unclear"
    low, high = wilson(sum(done), len(done))
    if low >= wanted:
        return "yes"
    if high < wanted:
        return "no"
    return "in these runs" if sum(done) >= wanted * len(done) else "unclear"


def decided(done: Sequence[bool], *, wanted: float, runs: int) -> bool:
    return len(done) >= runs or verdict(done, wanted) in ("yes", "no")


def rounds(runs: int) -> Iterator[int]:
    """How many runs a design has had after each round."""
    total = FIRST
    while total < runs:
        yield total
        total *= 2
    yield runs


def next_runs(
    results: Mapping[str, Sequence[bool]], *, wanted: float, runs: int
) -> list[tuple[str, int]]:
    """(design, number of the run) of the next round; none: the race is over."""
    open_ = {
        name: len(done)
        for name, done in results.items()
        if not decided(done, wanted=wanted, runs=runs)
    }
    if not open_:
        return []
    target = next(total for total in rounds(runs) if total > min(open_.values()))
    return [(name, k) for name, begun in open_.items() for k in range(begun, target)]
