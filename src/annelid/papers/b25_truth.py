"""B25: what a robot tells its operator is so (our row).

The experiments of the other B rows are run again, each with a few repeats and seeds of this row's,
and what their robots said is counted: every statement is judged by a witness that stands outside
the robot and sees the physics (``annelid.systems.microtub.witness``).  What rests on a sensor that
the run itself broke does not count.  Rows that search for gaits have no operator.
"""

from __future__ import annotations

from typing import Final

from annelid.papers import CLAIMS, Bench, Claim, Outcome
from annelid.papers.case import Heard
from annelid.papers.interval import Rate

SILENT: Final = {"B3", "B4", "B17", "B18", "B19", "B24", "B25"}
"""Inference, searches; B24 counts its own."""
FIRST: Final = ("B1", "B13")
"""Enough for a look at whether the row works."""

SHIFT: Final = 500_000
"""Seeds of this row are so far from those of the others."""


def experiment(bench: Bench) -> Outcome:
    told = {
        claim.id: _heard(bench, claim)
        for claim in CLAIMS
        if claim.id.startswith("B") and claim.id not in SILENT
        if claim.id in FIRST or not bench.quick
    }
    whole = sum(told.values(), Heard())
    held = Rate.share(whole.held, whole.intervals)
    false = {row: each.false for row, each in told.items() if each.false}
    words = "; ".join(f"{row}: {', '.join(each)}" for row, each in false.items())
    unjudged = ", ".join(sorted(whole.unjudged)) or "none"
    return Outcome(
        ours=(
            f"{len(whole.false)} of {whole.statements} statements were false; {held} stated "
            "intervals held the truth"
        ),
        passed=whole.statements > 0 and not whole.false,
        note=(
            f"Few runs of each of {len(told)} rows ({', '.join(told)}), by other seeds than theirs."
            f"  {'Not so: ' + words if words else 'All of them were so'}.  "
            f"Kinds of statements that no witness judges: {unjudged}."
        ),
        values={
            "statements": float(whole.statements),
            "false": float(len(whole.false)),
            "intervals": float(whole.intervals),
            "held": float(whole.held),
        }
        | {f"{row}_statements": float(each.statements) for row, each in told.items()}
        | {f"{row}_false": float(len(each.false)) for row, each in told.items()},
    )


def _heard(bench: Bench, claim: Claim) -> Heard:
    """What was said in a short version of that row."""
    before, quick, seed = bench.heard, bench.quick, bench.seed
    bench.quick, bench.seed, bench.heard = True, seed + SHIFT, Heard()
    try:
        claim.experiment(bench)
        return bench.heard
    finally:
        bench.quick, bench.seed, bench.heard = quick, seed, before + bench.heard
