"""Where evaluations run: here, in processes, or in any ``concurrent.futures.Executor``.

An executor is given :func:`annelid.offline.evaluate.work` with the study's definition, so a worker
needs nothing but an installed Annelid (and the plugin files, at the same paths).
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import (
    BrokenExecutor,
    CancelledError,
    Executor,
    ProcessPoolExecutor,
    as_completed,
)
from contextlib import contextmanager
from multiprocessing import connection
from typing import Protocol

from annelid.errors import AnnelidError, MissingDependency
from annelid.offline.evaluate import Evaluator, work
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.offline.study import Study


class WorkersLost(AnnelidError):
    """The workers are gone; what they had finished is in the store."""


class Evaluate(Protocol):
    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        """Evaluations of all genomes, each as soon as it is there, in any order."""


class Here:
    """In this process, one after the other."""

    def __init__(self, study: Study) -> None:
        self._evaluator = Evaluator(study)

    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        yield from map(self._evaluator, genomes)


class Elsewhere:
    """By an executor."""

    def __init__(self, study: Study, executor: Executor, *, name: str = "the executor") -> None:
        self._definition = study.definition()
        self._plugins = study.plugin_files
        self._executor = executor
        self._name = name

    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        try:
            futures = [
                self._executor.submit(work, self._definition, self._plugins, genome)
                for genome in genomes
            ]
            for future in as_completed(futures):
                yield future.result()
        except (BrokenExecutor, CancelledError, OSError, RuntimeError) as error:
            told = f"{type(error).__name__}: {str(error) or 'no reason given'}"
            raise WorkersLost(
                f"{self._name} was lost ({told}); "
                "what was done is kept, and --resume goes on from there"
            ) from error


@contextmanager
def processes(study: Study, workers: int | None = None) -> Iterator[Evaluate]:
    """All cores, or as many processes as asked for; one: this process."""
    number = workers or len(os.sched_getaffinity(0))
    if number == 1:
        yield Here(study)
        return
    # Started afresh: a fork would copy an engine that has callbacks installed.
    before = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(
        number, mp_context=multiprocessing.get_context("spawn"), initializer=_begin_worker
    )
    try:
        yield Elsewhere(study, pool, name="a worker process")
    except BaseException:
        for child in set(multiprocessing.active_children()) - before:
            child.terminate()
        raise
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


@contextmanager
def cluster(study: Study, address: str) -> Iterator[Evaluate]:
    """The workers of a Dask scheduler.  A task whose worker dies is given to another one."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise MissingDependency("--cluster needs Dask: pip install 'annelid[cluster]'") from None
    try:
        client = Client(address, timeout="5s", set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        raise WorkersLost(f"--cluster: no Dask scheduler answers at {address}: {error}") from None
    try:
        yield Elsewhere(study, client.get_executor(pure=False), name=f"the cluster at {address}")
    finally:
        client.close(timeout=2)


def _begin_worker() -> None:
    """Ctrl-C is for the parent to decide; and when it is killed, nobody else will end us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_end_with, args=(parent.sentinel,), daemon=True).start()


def _end_with(sentinel: int) -> None:
    connection.wait([sentinel])
    os._exit(1)
