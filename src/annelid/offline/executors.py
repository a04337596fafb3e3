"""Where evaluations run: in this machine's processes, on a cluster, or in any executor.

A worker is given the study's definition, so it needs nothing but an installed Annelid (and the
plugin files, at the same paths).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Protocol

from annelid.offline.evaluate import evaluator
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.offline.study import Study
from annelid.trial import pool
from annelid.trial.pool import Pool, Prepared

GO_ON = "what was done is kept, and --resume goes on from there"


class Evaluate(Protocol):
    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        """Evaluations of all genomes, each as soon as it is there, in any order."""


class ByPool:
    """Evaluations by a pool, or in this process."""

    def __init__(self, study: Study, pool: Pool | None = None) -> None:
        self._work = Prepared[Genome, Evaluation](
            evaluator, (study.definition(), study.plugin_files)
        )
        self._pool = pool or Pool()

    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        return self._pool.map(self._work, genomes)


@contextmanager
def processes(study: Study, workers: int | None = None) -> Iterator[Evaluate]:
    """All cores, or as many processes as asked for; one: this process."""
    with pool.processes(workers, go_on=GO_ON) as opened:
        yield ByPool(study, opened)


@contextmanager
def cluster(study: Study, address: str) -> Iterator[Evaluate]:
    """The workers of a Dask scheduler."""
    with pool.open_pool(cluster=address, go_on=GO_ON) as opened:
        yield ByPool(study, opened)
