"""What an experiment stands on: a seed, a second core, and somebody to tell how far it is."""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Callable, Iterable
from concurrent.futures import ProcessPoolExecutor
from types import TracebackType
from typing import Self, TypeVar

Given = TypeVar("Given")
Found = TypeVar("Found")

Progress = Callable[[str, float], None]
"""Told what is running and how much of it is done, from 0 to 1."""


def silent(what: str, done: float) -> None:
    """Progress that nobody looks at."""


class Bench:
    """Shared by the experiments of one run.  Close it, or use it in a ``with``."""

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
        self.workers = workers or len(os.sched_getaffinity(0))
        self._pool: ProcessPoolExecutor | None = None

    def map(
        self, work: Callable[[Given], Found], given: Iterable[Given], *, what: str = ""
    ) -> list[Found]:
        """``work`` on each of ``given``, in other processes, results in order.

        ``work`` is a function of a module and depends on what it is given alone: results do not
        depend on the number of workers.
        """
        todo = list(given)
        found: list[Found] = []
        if self.workers == 1 or len(todo) == 1:
            results: Iterable[Found] = map(work, todo)
        else:
            results = self._processes().map(work, todo)
        for result in results:
            found.append(result)
            self.progress(what, len(found) / len(todo))
        return found

    def _processes(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # Started afresh: a fork would copy an engine that has callbacks installed.
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(self.workers, mp_context=context)
        return self._pool

    def close(self) -> None:
        if self._pool is not None:
            self._pool.shutdown(cancel_futures=True)
            self._pool = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
