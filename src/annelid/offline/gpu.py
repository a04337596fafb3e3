"""Evaluates all new gaits of a generation at once on a GPU (mujoco_warp).

For studies that search waves of one body and ask for distance, progress or speed; what a run costs
in current and heat is not computed there.  Single precision and the order of additions make such
runs differ in the last digits from one time to the next: what is in the store stays, but a resumed
study repeats the generation it was stopped in a little differently.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from time import perf_counter
from typing import Any, Final

import numpy as np

from annelid.errors import InputError, needing
from annelid.offline.fitness import Try, judged
from annelid.offline.landscape.job import make_job
from annelid.offline.landscape.result import distances, fell, sane, toppled
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.offline.study import Study
from annelid.trial.load import resolve

METRICS: Final = ("distance_m", "progress_m", "speed_m_s")


class OnGpu:
    """All runs of all genomes asked for, in one batch."""

    def __init__(self, study: Study) -> None:
        terms = study.spec.fitness.terms
        if unknown := [term.metric for term in terms if term.metric not in METRICS]:
            raise InputError(
                f"--gpu: fitness: {unknown[0]} is not computed there, {', '.join(METRICS)} are"
            )
        if not terms or study.spec.fitness.hopeless is not None:
            raise InputError("--gpu: expected a fitness of terms, without `hopeless`")
        make_job(study, [(study.space.draw(np.random.default_rng(0)), 0)])  # refuses what cannot be
        with needing("gpu", "--gpu"):
            from annelid.offline.landscape import warp_batch
        self._study = study
        self._compute = warp_batch.run
        _, self._world = resolve(study.scenario, study.plugins)

    def __call__(self, genomes: Sequence[Genome]) -> Iterator[Evaluation]:
        study = self._study
        allowed = [genome for genome in genomes if study.space.violation(genome) is None]
        for genome in genomes:
            if (why := study.space.violation(genome)) is not None:
                yield Evaluation(**self._known(genome), state="refused", why=why)
        if not allowed:
            return
        repeats = study.spec.repeats.runs
        begun = perf_counter()
        job = make_job(study, [(genome, k) for genome in allowed for k in range(repeats)])
        result = self._compute(job, say=lambda _: None)
        tries = self._tries(job, result)
        each = (perf_counter() - begun) / len(allowed)
        for place, genome in enumerate(allowed):
            own = tries[place * repeats : (place + 1) * repeats]
            yield Evaluation(
                **self._known(genome),
                **judged(study.spec.fitness, own),
                metrics=tuple(one.numbers for one in own),
                wall_s=each,
            )

    def _known(self, genome: Genome) -> dict[str, Any]:
        space = self._study.space
        return {
            "genome": space.key(genome),
            "seed": self._study.seed_of(genome),
            "fields": space.decode(genome),
        }

    def _tries(self, job: Mapping[str, Any], result: Mapping[str, Any]) -> list[Try]:
        """All runs, in order."""
        fitness = self._study.spec.fitness
        seconds = float(job["seconds"])
        limit = fitness.topple_deg
        fallen = toppled(result, limit) if limit is not None else np.zeros(len(job["qpos"]), bool)
        sound, below = sane(result), fell(result)
        tries = []
        for row, distance in enumerate(distances(result).tolist()):
            way = self._along(result["place"][row][0]) - self._along(job["qpos"][row][:3])
            lost = None
            if not sound[row]:
                lost = "its numbers ran away"
            elif fallen[row]:
                lost = "toppled"
            elif below[row]:
                lost = "fell: it is below the ground"
            numbers = {
                "distance_m": distance,
                "progress_m": way,
                "speed_m_s": way / seconds,
                "time_s": seconds,
            }
            tries.append(Try(numbers, partial(fitness.value, numbers), lost))
        return tries

    def _along(self, point: Any) -> float:
        x, y, z = (float(value) for value in point)
        return self._world.progress((x, y, z))
