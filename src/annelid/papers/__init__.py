"""The claims of the papers as runnable experiments.

Each row of ``table.CLAIMS`` is one small file that measures, compares and says ``pass`` or
``short``.  ``reproduce`` runs them and writes what was found; nothing in the table is typed in.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

from annelid.errors import UnknownName
from annelid.papers.bench import Bench, Progress, silent
from annelid.papers.case import Case, require_free
from annelid.papers.claim import Claim, Figure, Outcome, Series
from annelid.papers.record import Row, keep_table, stamp, write_json
from annelid.papers.table import CLAIMS

SEEDS_APART = 1_000_000
"""Between the first repeats of ``--seed N`` and ``--seed N + 1``: no draw is shared."""


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
) -> list[Row]:
    """Run the claims with these ``ids`` (none: all) and write what was found.

    ``keep`` is the folder of the kept table (``claims.json``, ``claims.md``): rows that were not
    run this time stay in it as they were, each with its own commit and date.

    Another ``seed`` draws everything anew.  ``runs`` is where the recorded trials are kept: of one
    claim in that folder itself, of several in a folder of each; without it they are thrown away.

    An experiment that raises is a bug.  The others still run and are written, its own row says
    ``short`` and why, and the errors are raised at the end, so that nobody overlooks them.  What
    was found before Ctrl-C is written too.
    """
    chosen = _choose(ids, claims)
    folders = _folders(runs, chosen)
    commit, date = stamp()
    rows: list[Row] = []
    errors: list[Exception] = []
    with Bench(seed=SEEDS_APART * seed, quick=quick, progress=progress, workers=workers) as bench:
        try:
            for claim in chosen:
                progress(claim.id, 0.0)
                bench.begin(claim.id, folders.get(claim.id))
                start = time.perf_counter()
                try:
                    outcome = claim.experiment(bench)
                except Exception as error:  # noqa: BLE001  (raised below, once all is written)
                    error.add_note(f"in the experiment for claim {claim.id}")
                    errors.append(error)
                    outcome = _failed(error)
                seconds = time.perf_counter() - start
                rows.append(
                    Row.of(
                        claim,
                        outcome,
                        runs=bench.trials_run,
                        seconds=seconds,
                        commit=commit,
                        date=date,
                    )
                )
        finally:
            _write(rows, json_path, html_path, keep, commit, date)
    if len(errors) == 1:
        raise errors[0]
    if errors:
        raise ExceptionGroup("experiments failed", errors)
    return rows


def _choose(ids: Sequence[str], claims: Sequence[Claim]) -> list[Claim]:
    known = {claim.id: claim for claim in claims}
    wanted = [given.strip().upper() for given in ids]
    for given in wanted:
        if given not in known:
            raise UnknownName("claim", given, known)
    return [claim for claim in claims if not wanted or claim.id in wanted]


def _folders(runs: Path | None, claims: Sequence[Claim]) -> dict[str, Path]:
    """Where each claim's runs are kept; what lies there already is found before anything runs."""
    if runs is None:
        return {}
    folders = {claim.id: runs if len(claims) == 1 else runs / claim.id for claim in claims}
    for claim, folder in folders.items():
        require_free(folder, claim)
    return folders


def _failed(error: Exception) -> Outcome:
    return Outcome(
        ours="not measured", passed=False, note=f"failed: {type(error).__name__}: {error}"
    )


def _write(
    rows: list[Row],
    json_path: Path | None,
    html_path: Path | None,
    keep: Path | None,
    commit: str | None,
    date: str,
) -> None:
    if json_path is not None:
        write_json(json_path, rows, commit=commit, date=date)
    if keep is not None:
        keep_table(keep, rows, commit=commit, date=date)
    if html_path is not None:
        from annelid.report.claims import claims_page

        claims_page([row.page() for row in rows], html_path)


__all__ = [
    "CLAIMS",
    "Bench",
    "Case",
    "Claim",
    "Figure",
    "Outcome",
    "Row",
    "Series",
    "reproduce",
]
