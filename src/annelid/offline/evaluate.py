"""Evaluates one genome in a worker: build, simulate or compute, judge.

Nothing that a genome does wrong reaches the search as an exception: a robot that cannot be built,
a physics that blows up, a fitness that raises or is no number, all are outcomes and are kept.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import asin, degrees, isfinite
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import numpy as np

from annelid.errors import AnnelidError
from annelid.offline.escape import escaped
from annelid.offline.fitness import Try, judged
from annelid.offline.rerun import GaitRunner
from annelid.offline.space import Genome
from annelid.offline.store import Evaluation
from annelid.offline.study import Study
from annelid.physics.simulation import Simulation
from annelid.trial.metrics import Metrics
from annelid.trial.run import Trial

_LEFT_OUT = {"wall", "digest", "scenario", "interrupted"}


@dataclass(frozen=True)
class Ran:
    """One run: its numbers, why it is lost (None: it is not), and CPU time of simulating it."""

    metrics: Metrics
    lost: str | None
    simulating_s: float


class Evaluator:
    """Bound to a study; one in every worker."""

    def __init__(self, study: Study) -> None:
        self.study = study
        measured = study.measure is not None
        self._gaits = GaitRunner(study) if not measured and GaitRunner.fits(study) else None

    def __call__(self, genome: Genome) -> Evaluation:
        study = self.study
        known: dict[str, Any] = {
            "genome": study.space.key(genome),
            "seed": study.seed_of(genome),
            "fields": study.space.decode(genome),
        }
        if (why := study.space.violation(genome)) is not None:
            return Evaluation(**known, state="refused", why=why)
        wall, cpu = perf_counter(), process_time()
        tries: list[Try] = []
        try:
            for repeat in range(study.spec.repeats.runs):
                tries.append(self._try(genome, known["fields"], repeat))
            verdict = judged(study.spec.fitness, tries)
        except Exception as error:  # noqa: BLE001  any fault of a genome is an outcome
            told = (
                str(error)
                if isinstance(error, AnnelidError)
                else f"{type(error).__name__}: {error}"
            )
            verdict = {"state": "failed", "why": told}
        return Evaluation(
            **known,
            **verdict,
            metrics=tuple(one.numbers for one in tries),
            wall_s=perf_counter() - wall,
            cpu_s=process_time() - cpu,
            simulating_s=sum(one.simulating_s for one in tries),
        )

    def _try(self, genome: Genome, fields: Mapping[str, Any], repeat: int) -> Try:
        measure, judge = self.study.measure, self.study.judge
        if measure is not None:
            begun = process_time()
            numbers = measure(fields)
            spent = process_time() - begun
            return Try(numbers, lambda: self.study.spec.fitness.value(numbers), simulating_s=spent)
        ran = self.run(genome, repeat)
        return Try(_kept(ran.metrics), lambda: judge(ran.metrics), ran.lost, ran.simulating_s)

    def run(self, genome: Genome, repeat: int = 0) -> Ran:
        """One run of a genome; by the short way where the study allows it."""
        if self._gaits is not None:
            sim, metrics, stepping = self._gaits.run(genome, repeat)
        else:
            trial = Trial(self.study.at(genome, repeat=repeat), plugins=self.study.plugins)
            hopeless = self.study.spec.fitness.hopeless
            if hopeless is not None:
                trial.give_up(hopeless.after_s, lambda: trial.tally.way < hopeless.progress_m)
            begun = process_time()
            metrics = trial.measure()
            sim, stepping = trial.sim, process_time() - begun
        fell = None
        if metrics.fell_s is not None:
            fell = f"fell at {metrics.fell_s:.1f} s: {metrics.fell_why}"
        return Ran(metrics, fell or self._lost(sim), stepping)

    def _lost(self, sim: Simulation) -> str | None:
        limit = self.study.spec.fitness.topple_deg
        if limit is not None and (leans := lean(sim)) > limit:
            return f"toppled, {leans:.0f}° to the side"
        return escaped(sim)


def lean(sim: Simulation) -> float:
    """How far the modules' left sides point out of the horizontal, on average, degrees.

    A chain that bends up and down keeps its sides level whatever its pitch; one that has fallen
    over does not.
    """
    w, x, y, z = sim.poses()[:, 3:].T
    up = np.clip(2 * (y * z + w * x), -1.0, 1.0)
    return degrees(asin(float(np.abs(up).mean())))


def _kept(metrics: Metrics) -> Mapping[str, Any]:
    return metrics.model_dump(mode="json", exclude=_LEFT_OUT)


def measures(evaluation: Evaluation) -> dict[str, float]:
    """Mean metrics of its runs and its numeric fields: what a map of gaits may have as its axes."""
    found: dict[str, float] = {}
    for name in evaluation.metrics[0] if evaluation.metrics else ():
        values = [run[name] for run in evaluation.metrics]
        if all(isinstance(v, int | float) and isfinite(v) for v in values):
            found[name] = sum(values) / len(values)
    for name, value in evaluation.fields.items():
        if isinstance(value, int | float):
            found[name] = float(value)
    return found


def evaluator(definition: str, plugin_files: tuple[Path, ...]) -> Evaluator:
    """For any process of any pool: everything it needs is in what it is given."""
    return Evaluator(Study.from_definition(definition, plugin_files))
