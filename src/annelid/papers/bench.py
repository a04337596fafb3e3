"""What an experiment stands on: a seed, a second core, and somebody to tell how far it is."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from types import TracebackType
from typing import Self, TypeVar

from annelid.trial.pool import Pool, cores, processes

Given = TypeVar("Given")
Found = TypeVar("Found")

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
    ) -> None:
        """``quick``: fewer varied runs, for tests; a kept table is never made with it."""
        self.seed = seed
        self.quick = quick
        self.progress = progress
        self.workers = workers or cores()
        self._pool = processes(self.workers, go_on=GO_ON)

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
