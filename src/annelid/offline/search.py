"""The search: asks the optimiser, looks up or simulates, tells it the scores, stores everything.

Only what the store does not know is simulated, within a study and after a stop alike.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from time import perf_counter, process_time

import numpy as np

from annelid.errors import AnnelidError
from annelid.offline.evaluate import measures
from annelid.offline.executors import Evaluate
from annelid.offline.optimisers import Found
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study


@dataclass(frozen=True)
class Generation:
    """How one generation did."""

    number: int
    best: float | None
    """Of all so far."""
    mean: float | None
    """Of this generation's judged ones."""
    evaluations: int
    """Different genomes so far."""
    asked: int
    """Genomes so far, repeated ones counted again."""


@dataclass(frozen=True)
class Standing:
    """What a listener is told, after every evaluation."""

    generation: int
    generations: int
    done: int
    """Of this generation's genomes that have to be simulated."""
    todo: int
    simulated: int
    """By this process."""
    wall_s: float
    best: float | None
    mean: float | None
    """Of the last whole generation."""


Listen = Callable[[Standing], None]


@dataclass(frozen=True)
class Result:
    """A study at its end."""

    best: Evaluation | None
    curve: tuple[Generation, ...]
    evaluations: dict[str, Evaluation]
    marks: dict[str, Evaluation]
    overhead_s: float
    """CPU time of the search itself in this process: asking, telling, keeping."""


def search(
    study: Study, store: Store, evaluate: Evaluate, *, listen: Listen | None = None
) -> Result:
    """Run a study to the end of its budget, from wherever the store says it is."""
    spec = study.spec
    with store.locked(spec.name):
        identity = store.begin(spec.name, study.definition(), study.resolved())
        try:
            return _StudySearch(study, store, identity, evaluate, listen).run()
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; every finished evaluation is in {store.path}, and --resume goes on "
                "from there"
            ) from None


class _StudySearch:
    def __init__(
        self,
        study: Study,
        store: Store,
        identity: int,
        evaluate: Evaluate,
        listen: Listen | None,
    ) -> None:
        self._study, self._store, self._id = study, store, identity
        self._evaluate = evaluate
        self._listen = listen or (lambda _: None)
        self._known = store.evaluations(identity)
        self._curve: list[Generation] = []
        self._measures: dict[str, Mapping[str, float]] = {}
        """Of what has been told once: most of a late generation is looked up."""
        self._asked: set[str] = set()
        self._count = 0
        self._best: float | None = None
        self._simulated = 0
        self._begun = perf_counter()
        self._waiting = 0.0

    def run(self) -> Result:
        cpu = process_time()
        study = self._study
        optimiser = study.optimiser()
        for number in range(study.spec.budget.generations):
            genomes = optimiser.ask()
            if not genomes:
                break
            keys = [study.space.key(genome) for genome in genomes]
            self._store.add_generation(self._id, number, keys)
            self._simulate(number, genomes, keys)
            found = [self._known[key] for key in keys]
            optimiser.tell(
                [
                    Found(genome, one.score, self._measured(one))
                    for genome, one in zip(genomes, found, strict=True)
                ]
            )
            self._close(number, keys, found)
        marks = self._marks()
        overhead = process_time() - cpu - self._waiting
        asked = {key: self._known[key] for key in sorted(self._asked)}
        return Result(best_of(asked.values()), tuple(self._curve), asked, marks, overhead)

    def _measured(self, one: Evaluation) -> Mapping[str, float]:
        if one.genome not in self._measures:
            self._measures[one.genome] = measures(one)
        return self._measures[one.genome]

    def _simulate(self, number: int, genomes: Sequence[Genome], keys: Sequence[str]) -> None:
        missing = {
            key: genome for key, genome in zip(keys, genomes, strict=True) if key not in self._known
        }
        self._tell(number, 0, len(missing))
        if not missing:
            return
        done = 0
        results = iter(self._evaluate(list(missing.values())))
        while True:
            begun = process_time()
            evaluation = next(results, None)
            self._waiting += process_time() - begun
            if evaluation is None:
                break
            self._store.add(self._id, evaluation)
            self._known[evaluation.genome] = evaluation
            done += 1
            self._simulated += 1
            self._tell(number, done, len(missing))
        if lacking := [key for key in missing if key not in self._known]:
            raise AnnelidError(f"generation {number}: no evaluation came back for {lacking[0]}")

    def _close(self, number: int, keys: Sequence[str], found: Sequence[Evaluation]) -> None:
        self._asked.update(keys)
        self._count += len(keys)
        scores = [one.score for one in found if one.score is not None]
        if scores:
            self._best = max(scores) if self._best is None else max(self._best, *scores)
        mean = float(np.mean(scores)) if scores else None
        self._curve.append(Generation(number, self._best, mean, len(self._asked), self._count))

    def _marks(self) -> dict[str, Evaluation]:
        """Points of interest, simulated as any other genome."""
        todo = self._study.marks
        keys = {name: self._study.space.key(genome) for name, genome in todo.items()}
        self._simulate(len(self._curve), list(todo.values()), list(keys.values()))
        return {name: self._known[key] for name, key in keys.items()}

    def _tell(self, number: int, done: int, todo: int) -> None:
        self._listen(
            Standing(
                generation=number,
                generations=self._study.spec.budget.generations,
                done=done,
                todo=todo,
                simulated=self._simulated,
                wall_s=perf_counter() - self._begun,
                best=self._best,
                mean=self._curve[-1].mean if self._curve else None,
            )
        )


def best_of(evaluations: Iterable[Evaluation]) -> Evaluation | None:
    """The highest score; of equal ones the first genome in order, so that it is always the same."""
    judged = [(-one.score, one.genome, one) for one in evaluations if one.score is not None]
    return min(judged, key=lambda entry: entry[:2], default=(0.0, "", None))[2]
