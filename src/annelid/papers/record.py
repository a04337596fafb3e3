"""What is left of a reproduction: JSON for machines, a kept table for people."""

from __future__ import annotations

import json
import math
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from annelid.boundary.files import write_file, writing
from annelid.errors import AnnelidError, InputError, SpecError
from annelid.papers.bench import Bench
from annelid.papers.case import Heard
from annelid.papers.claim import CLAIMS, Claim, Figure, Kind, Outcome, Picture
from annelid.papers.judged_by import digest, standings

SEEDS_APART = 1_000_000
"""Between the first repeats of ``--seed N`` and ``--seed N + 1``: no draw is shared."""


class Measure:
    """One claim on the bench.  An experiment that raises is a bug: its row says ``short`` and why,
    and the error is kept for whoever asked."""

    def __init__(
        self, claim: Claim, bench: Bench, runs: Path | None, commit: str | None, date: str
    ) -> None:
        self.claim, self.bench = claim, bench
        self.errors: list[Exception] = []
        self.heard = Heard()
        """In all runs of the row, those of further seeds too."""
        self._runs, self._stamp = runs, (commit, date)

    def row(self, seed: int) -> Row:
        start = time.perf_counter()
        outcome = self._outcome(seed)
        commit, date = self._stamp
        return Row.of(
            self.claim,
            outcome,
            seconds=round(time.perf_counter() - start, 1),
            commit=commit,
            date=date,
            runs=dict(self.bench.trials_run),
            heard=None if self.errors else self.heard,
            seeds={str(seed): verdict(outcome)},
            judge=digest(self.claim, self.bench.trials_run),
        )

    def verdicts(self, *seeds: int) -> dict[str, Verdict]:
        return {str(seed): verdict(self._outcome(seed)) for seed in seeds}

    def _outcome(self, seed: int) -> Outcome:
        claim, bench = self.claim, self.bench
        bench.seed = SEEDS_APART * seed
        bench.progress(claim.id, 0.0)
        bench.begin(claim.id, self._runs)
        try:
            outcome = claim.experiment(bench)
        except Exception as error:
            if bench.change and isinstance(error, AnnelidError):
                raise  # what the user asked for cannot be
            error.add_note(f"in the experiment for claim {claim.id}")
            self.errors.append(error)
            says = f"failed: {type(error).__name__}: {error}"
            return Outcome(ours="not measured", passed=False, note=says)
        if bench.change and not bench.trials_run:
            raise InputError(f"{claim.id} makes no recorded run: --set and --plugin change nothing")
        self.heard += bench.heard
        return truthful(outcome, bench.heard)


def truthful(outcome: Outcome, heard: Heard) -> Outcome:
    """No row passes in which a robot has told its operator what is not so."""
    if not heard.false:
        return outcome
    said = "; ".join(heard.false)
    note = f"{outcome.note}  Told to the operator, and not so: {said}.".strip()
    return replace(outcome, passed=False, note=note)


JSON_NAME, TABLE_NAME, PAGES_NAME = "claims.json", "claims.md", "claims"

Verdict = Literal["pass", "short"]


@dataclass(frozen=True)
class Row:
    """A claim and what we found, with the code and day it was found with."""

    id: str
    claim: str
    paper: str
    kind: Kind
    ours: str
    verdict: Verdict
    """Pass only where every seed that was tried says so."""
    note: str
    values: Mapping[str, float | None]
    """None where nothing could be measured (JSON knows no NaN)."""
    seconds: float
    commit: str | None
    date: str
    runs: Mapping[str, int] = field(default_factory=dict)
    """Scenario to number of recorded trials that were judged."""
    heard: Heard | None = None
    """What robots told their operators in all runs of this row; None: nobody has listened."""
    seeds: Mapping[str, Verdict] = field(default_factory=dict)
    """``--seed`` to its verdict: this one and, of a quick row that is kept, two further ones."""
    judge: str | None = None
    """Digest of the files that judged it (``judged_by.py``)."""
    plots: tuple[Figure, ...] = ()
    pictures: tuple[Picture, ...] = ()

    @classmethod
    def of(cls, claim: Claim, outcome: Outcome, **measured: Any) -> Self:
        """``measured``: seconds, commit, date, runs, heard, seeds, judge."""
        return cls(
            id=claim.id,
            claim=claim.title,
            paper=claim.paper,
            kind=claim.kind,
            ours=outcome.ours,
            verdict=verdict(outcome),
            note=outcome.note,
            values={
                name: float(value) if math.isfinite(value) else None
                for name, value in outcome.values.items()
            },
            plots=tuple(outcome.plots),
            pictures=tuple(outcome.pictures),
            **measured,
        )

    def at_further(self, seeds: Mapping[str, Verdict], heard: Heard | None) -> Row:
        """With what other seeds say; the numbers stay those of the first.  ``heard``: in all."""
        said = {**self.seeds, **seeds}
        passed = set(said.values()) == {"pass"}
        return replace(self, seeds=said, heard=heard, verdict="pass" if passed else "short")

    def page(self) -> dict[str, Any]:
        """Everything, plots too, as the report draws it."""
        return asdict(self)

    def record(self) -> dict[str, Any]:
        """Without what is drawn, as it is kept."""
        drawn = ("plots", "pictures")
        return {name: value for name, value in asdict(self).items() if name not in drawn}


def verdict(outcome: Outcome) -> Verdict:
    return "pass" if outcome.passed else "short"


def stamp() -> tuple[str | None, str]:
    """(commit of this source or None, day).  A ``+`` says that the source was edited since."""
    return _commit(), datetime.now(UTC).strftime("%Y-%m-%d")


def measured_by(command: str) -> str:
    """The line of a kept page that says which code gave it, and how to have it again."""
    commit, day = stamp()
    return f"Measured {day} at {commit} by `{command}`."


def _commit() -> str | None:
    """None unless this very file is under version control (an installed copy is not)."""
    here = Path(__file__).resolve()
    if _git(here, "ls-files", "--error-unmatch", here.name) is None:
        return None
    head = _git(here, "rev-parse", "HEAD")
    edited = _git(here, "status", "--porcelain", "--untracked-files=no", "--", "..")
    return None if head is None else head + ("+" if edited else "")


def _git(here: Path, *words: str) -> str | None:
    try:
        done = subprocess.run(
            ["git", "-C", str(here.parent), *words],
            capture_output=True,
            text=True,
            check=True,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip()


def kept_heard(folder: Path) -> dict[str, Heard]:
    """Of the rows of a kept table for which it was noted."""
    rows = _read_records(folder / JSON_NAME)
    return {row["id"]: Heard.read(row["heard"]) for row in rows if row.get("heard") is not None}


def write_json(path: Path, rows: Sequence[Row], *, commit: str | None, date: str) -> None:
    _write_records(path, [row.record() for row in rows], commit=commit, date=date)


def keep_table(
    folder: Path,
    rows: Sequence[Row],
    *,
    commit: str | None,
    date: str,
    claims: Sequence[Claim] = CLAIMS,
) -> None:
    """Renew these rows of the kept table and their pages; the others stay as they were found.  The
    table says which of them were measured with an older judge, and which never."""
    from annelid.papers.pages import overview, write_page

    kept = {row["id"]: row for row in _read_records(folder / JSON_NAME)}
    kept |= {row.id: row.record() for row in rows}
    found = standings(list(kept.values()), claims)
    records = [record for record, stands in found if stands != "not measured"]
    _write_records(folder / JSON_NAME, records, commit=commit, date=date)
    with writing(folder):
        for row in rows:
            write_page(folder / PAGES_NAME, row.page())
        pages = {path.stem for path in (folder / PAGES_NAME).glob("*.md")}
    write_file(folder / TABLE_NAME, overview(found, PAGES_NAME, pages))


def _read_records(path: Path) -> list[dict[str, Any]]:
    if not path.is_file():
        return []
    try:
        rows: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))["rows"]
    except (ValueError, KeyError, TypeError) as error:
        raise SpecError(
            f"{path}: not a table of claims ({error}); remove it to begin anew"
        ) from None
    return rows


def _write_records(
    path: Path, records: Sequence[Mapping[str, Any]], *, commit: str | None, date: str
) -> None:
    page = {"commit": commit, "date": date, "rows": records}
    write_file(path, json.dumps(page, indent=1, ensure_ascii=False, allow_nan=False) + "\n")
