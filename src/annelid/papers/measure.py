"""Measures one claim: runs its experiment, with one seed or more, and makes its row."""

from __future__ import annotations

import time
from pathlib import Path

from annelid.errors import AnnelidError, InputError
from annelid.papers.bench import Bench
from annelid.papers.claim import Claim, Outcome
from annelid.papers.record import Row, Verdict, verdict

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
            seeds={str(seed): verdict(outcome)},
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
        return outcome
