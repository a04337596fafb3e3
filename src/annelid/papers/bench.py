"""What an experiment gets: a seed, a pool of processes, and somebody to tell how far it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

from annelid.papers.case import NONE, Case, Change, Heard, Judge, Judged, mark_folder
from annelid.trial.pool import Pool, cores, processes

Given = TypeVar("Given")
Found = TypeVar("Found")
Key = TypeVar("Key", bound=Hashable)

Progress = Callable[[str, float], None]
"""Told what is running and how much of it is done, from 0 to 1."""


GO_ON = "run its claim again by name; the other claims are not touched"


def silent(what: str, done: float) -> None:
    """Progress that nobody looks at."""


class Bench:
    """Shared by the experiments of one run; use it in a ``with``."""

    def __init__(
        self,
        *,
        seed: int = 0,
        quick: bool = False,
        progress: Progress = silent,
        workers: int | None = None,
        change: Change = NONE,
    ) -> None:
        """``seed`` is that of the first repeat.  ``quick``: fewer varied runs, for tests; a kept
        table is never made with it, nor with a ``change`` of the runs."""
        self.seed = seed
        self.quick = quick
        self.progress = progress
        self.workers = workers or cores()
        self.change = change
        self._pool = processes(self.workers, go_on=GO_ON)
        self._claim = ""
        self._runs: Path | None = None
        self.trials_run: Counter[str] = Counter()
        """Scenario to number of recorded trials, since the claim was begun."""
        self.heard = Heard()
        """In those trials."""
        self.rows_heard: dict[str, Heard] = {}
        """What was heard in whole rows, by their id: those measured before on this bench, and those
        of the kept table."""

    def begin(self, claim: str, runs: Path | None) -> None:
        """The next trials are of this claim; they are kept in ``runs``, or thrown away."""
        self._claim, self._runs, self.trials_run, self.heard = claim, runs, Counter(), Heard()

    def trials(
        self, cases: Mapping[Key, Case], judge: Judge[Found], *, repeats: int = 1
    ) -> dict[Key, list[Found]]:
        """Run every case so many times, with seeds from :attr:`seed` on, and judge each run."""
        if self._runs is not None:
            mark_folder(self._runs, self._claim)
        seeds = range(self.seed, self.seed + repeats)
        todo = [case.repeat(str(key), seed) for key, case in cases.items() for seed in seeds]
        judged = self.map(Judged(judge, self._runs, self.change), todo, what=self._claim)
        self.trials_run.update(one.source for one in todo)
        self.heard = sum((told for _, told in judged), self.heard)
        found = iter(judged)
        return {key: [next(found)[0] for _ in seeds] for key in cases}

    def map(
        self, work: Callable[[Given], Found], given: Iterable[Given], *, what: str = ""
    ) -> list[Found]:
        """``work`` on each of ``given``, in other processes, results in order.

        ``work`` is a function of a module and depends on what it is given alone: results do not
        depend on the number of workers.
        """
        todo = list(given)
        pool = self._pool if len(todo) > 1 else Pool()

        def tell(done: int, of: int) -> None:
            self.progress(what, done / of)

        return list(pool.map(work, todo, ordered=True, tell=tell))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.__exit__(kind, error, trace)
