"""B25: what a robot tells its operator is so (our row).

This row runs nothing.  A witness that stands outside the robot and sees the physics
(``annelid.systems.microtub.witness``) judges every statement in every run of the other B rows, and
each row keeps what it found.  Here that is added up: of the rows that are measured together with
this one, else of the kept table.  A row that was measured without anybody listening makes this one
short.  What rests on a sensor that the run itself broke does not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from annelid.papers import CLAIMS, Bench, Outcome
from annelid.papers.case import Heard
from annelid.papers.interval import Rate

ROWS: Final = tuple(row.id for row in CLAIMS if row.id.startswith("B") and row.id != "B25")


def experiment(bench: Bench) -> Outcome:
    told = {row: bench.rows_heard[row] for row in ROWS if row in bench.rows_heard}
    lacking = [row for row in ROWS if row not in told]
    whole = sum(told.values(), Heard())
    held = Rate.share(whole.held, whole.intervals)
    lacks = f"; {len(lacking)} rows were measured without a witness" if lacking else ""
    return Outcome(
        ours=(
            f"{len(whole.false)} of {whole.statements} statements were false; {held} stated "
            f"intervals held the truth{lacks}"
        ),
        passed=whole.statements > 0 and not whole.false and not lacking,
        note="  ".join(_note(told, whole, lacking)),
        values={
            "statements": float(whole.statements),
            "false": float(len(whole.false)),
            "misled": float(whole.misled),
            "empty": float(whole.empty),
            "intervals": float(whole.intervals),
            "held": float(whole.held),
        }
        | {f"{row}_statements": float(each.statements) for row, each in told.items()}
        | {f"{row}_false": float(len(each.false)) for row, each in told.items()},
    )


def _note(told: Mapping[str, Heard], whole: Heard, lacking: list[str]) -> list[str]:
    said = [row for row, each in told.items() if each.statements]
    lines = [f"All runs of the rows in which robots speak: {', '.join(said) or 'none'}."]
    false = [f"{row}: {', '.join(each.false)}" for row, each in told.items() if each.false]
    if false:
        lines.append(f"Not so: {'; '.join(false)}.")
    if lacking:
        lines.append(
            f"Measured before anybody listened, or not at all: {', '.join(lacking)}.  Measure them "
            "together with this row, or keep them."
        )
    lines.append(
        f"{whole.misled} more were not so and rest on a sensor that the run itself broke; in "
        f"{whole.empty} nothing is judged.  Kinds that no witness judges: "
        f"{', '.join(whole.unjudged) or 'none'}."
    )
    return lines
