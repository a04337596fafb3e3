"""The claims of the papers as runnable experiments.

Each row of ``table.CLAIMS`` is one small file that measures, compares and says ``pass`` or
``short``.  ``reproduce`` runs them and writes what was found; nothing in the table is typed in.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from annelid.errors import InputError, UnknownName
from annelid.papers.bench import Bench, Progress, silent
from annelid.papers.case import NONE, Case, Change, require_free
from annelid.papers.claim import CLAIMS, Claim, Figure, Outcome, Series
from annelid.papers.record import Measure, Row, keep_table, kept_heard, stamp, write_json

FURTHER_SEEDS_BELOW_S = 120.0
"""A kept row that takes less is measured with two further seeds."""


def reproduce(
    ids: Sequence[str] = (),
    *,
    json_path: Path | None = None,
    html_path: Path | None = None,
    keep: Path | None = None,
    progress: Progress = silent,
    seed: int = 0,
    runs: Path | None = None,
    quick: bool = False,
    workers: int | None = None,
    claims: Sequence[Claim] = CLAIMS,
    change: Change = NONE,
) -> list[Row]:
    """Run the claims with these ``ids`` (none: all) and write what was found.

    ``keep`` is the folder of the kept table (``claims.json``, ``claims.md``): rows that were not
    run this time stay in it as they were, each with its own commit and date; the table says which
    of them were measured with an older judge.

    A row that is kept and takes under two minutes is measured with two further seeds; it passes
    when all three do.  ``change`` is laid over every recorded run; such rows are not kept.

    Another ``seed`` draws everything anew.  ``runs`` is where the recorded trials are kept: of one
    claim in that folder itself, of several in a folder of each; without it they are thrown away.

    An experiment that raises is a bug.  The others still run and are written, its own row says
    ``short`` and why, and the errors are raised at the end, so that nobody overlooks them.  What
    was found before Ctrl-C is written too.
    """
    if keep is not None and (quick or change):
        raise InputError("--keep renews the table of what is shipped: no --quick, --set, --plugin")
    chosen = _choose(ids, claims)
    folders = _folders(runs, chosen)
    commit, date = stamp()
    rows: list[Row] = []
    errors: list[Exception] = []
    with Bench(quick=quick, progress=progress, workers=workers, change=change) as bench:
        bench.rows_heard = {} if keep is None else kept_heard(keep)
        try:
            for claim in chosen:
                measure = Measure(claim, bench, folders.get(claim.id), commit, date)
                row = measure.row(seed)
                if keep is not None and row.seconds < FURTHER_SEEDS_BELOW_S and not measure.errors:
                    further = measure.verdicts(seed + 1, seed + 2)
                    row = row.at_further(further, None if measure.errors else measure.heard)
                if row.heard is not None:
                    bench.rows_heard[row.id] = row.heard
                else:
                    bench.rows_heard.pop(row.id, None)
                rows.append(row)
                errors += measure.errors
        finally:
            _write(rows, json_path, html_path, keep, commit, date, claims)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup("experiments failed", errors)
    return rows


def _choose(ids: Sequence[str], claims: Sequence[Claim]) -> list[Claim]:
    rows = {name: claim.id for claim in claims for name in _names(claim.id)}
    wanted = [given.strip().upper() for given in ids]
    for given in wanted:
        if given not in rows:
            raise UnknownName("claim", given, rows)
    chosen = {rows[given] for given in wanted}
    return [claim for claim in claims if not wanted or claim.id in chosen]


def _names(row: str) -> tuple[str, ...]:
    """``C1-C3`` holds three claims: it is found by each of them, too."""
    first, _, last = row.partition("-")
    if not last:
        return (row,)
    return (row, *(f"{row[0]}{k}" for k in range(int(first[1:]), int(last[1:]) + 1)))


def _folders(runs: Path | None, claims: Sequence[Claim]) -> dict[str, Path]:
    """Where each claim's runs are kept; what lies there already is found before anything runs."""
    if runs is None:
        return {}
    folders = {claim.id: runs if len(claims) == 1 else runs / claim.id for claim in claims}
    for claim, folder in folders.items():
        require_free(folder, claim)
    return folders


def _write(
    rows: list[Row],
    json_path: Path | None,
    html_path: Path | None,
    keep: Path | None,
    commit: str | None,
    date: str,
    claims: Sequence[Claim],
) -> None:
    if json_path is not None:
        write_json(json_path, rows, commit=commit, date=date)
    if keep is not None:
        keep_table(keep, rows, commit=commit, date=date, claims=claims)
    if html_path is not None:
        from annelid.report.claims import claims_page

        claims_page([row.page() for row in rows], html_path)


__all__ = [
    "CLAIMS",
    "Bench",
    "Case",
    "Change",
    "Claim",
    "Figure",
    "Outcome",
    "Row",
    "Series",
    "reproduce",
]
