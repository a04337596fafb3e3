"""The fitness of a genome: weighted metrics of its runs, over several varied runs.

A run's value is the weighted sum of its terms; a negative weight asks for little of something.
What can be computed without a run is not run: ``measure`` names who computes it (``measures``).
A genome's score is a statistic of its runs' values; mean, low quantile and spread are kept in any
case, because the best of single scores is a lucky one (LAB: 4-6 %).

Robots do not win by falling or by leaving the world: such a run is *lost* and counts as ``lost``
says, whatever way it has covered meanwhile.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any, Final, Literal, Self

import numpy as np
from pydantic import Field, PositiveFloat, model_validator

from annelid.errors import InputError, UnknownName
from annelid.offline.objectives import OBJECTIVES
from annelid.spec import Spec
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import Plugins

Judge = Callable[[Metrics], float]
"""A fitness function: from the metrics of a run to its value; more is better."""

LOW: Final = 0.1
"""The low quantile that is always reported."""

_NUMBERS: Final = frozenset(
    name
    for name, field in Metrics.model_fields.items()
    if field.annotation in (float, int, float | None, bool | None)
)


class FitnessTerm(Spec):
    """One of the metrics, and what it is worth."""

    metric: str
    """A number of :class:`annelid.trial.metrics.Metrics`, ``success`` counts 1 or 0; or one of the
    fitness's measure."""
    weight: float = 1.0
    """What the number is multiplied by; below 0, less is better."""
    missing: float | None = None
    """Where a run has no such number (no time to a goal that was not reached); None: the
    evaluation has failed."""

    @model_validator(mode="after")
    def _counts(self) -> Self:
        if self.weight == 0:
            raise ValueError(f"a weight of 0 says nothing about {self.metric}")
        return self

    def value(self, numbers: Mapping[str, Any]) -> float:
        found = numbers.get(self.metric)
        if found is None:
            if self.missing is None:
                raise InputError(
                    f"fitness: this run has no {self.metric}; give the term a value for `missing`"
                )
            found = self.missing
        return self.weight * float(found)


class Hopeless(Spec):
    """Runs that need not be seen to their end."""

    after_s: PositiveFloat
    """When it is looked at."""
    progress_m: float
    """A robot that has not come this far by then is stopped, and judged by its run so far."""


class Fitness(Spec):
    terms: tuple[FitnessTerm, ...] = ()
    """Metrics with weights, summed."""
    own: str | None = None
    """Name of an objective (``objectives.py``, annelid objectives), instead of terms."""
    measure: str | None = None
    """What computes the numbers of the terms; None: trials are run."""
    across: Literal["mean", "median", "low", "least"] = "mean"
    """The statistic of the runs' values; ``low`` is the quantile of 10 %."""
    topple_deg: float | None = Field(default=None, gt=0, le=90)
    """Lost when the modules, taken together, lean further to a side at the end; None: may."""
    lost: float | None = None
    """What a lost run counts; None: 0, which is only for fitnesses that cannot be negative."""
    hopeless: Hopeless | None = None
    """When a run is given up early; None: never."""

    @model_validator(mode="after")
    def _says_enough(self) -> Self:
        if bool(self.terms) == (self.own is not None):
            raise ValueError("give either terms or the name of your own fitness, one of them")
        if self.lost is None and any(term.weight < 0 for term in self.terms):
            raise ValueError("with a negative weight 0 may be a good score: say what `lost` is")
        if self.measure is None:
            if (unknown := self.unknown(_NUMBERS)) is not None:
                raise ValueError(str(unknown))
        elif of_runs := [
            name for name in ("own", "topple_deg", "hopeless") if getattr(self, name) is not None
        ]:
            raise ValueError(f"{of_runs[0]} is about runs; with a measure nothing is run")
        return self

    def unknown(self, known: Collection[str]) -> UnknownName | None:
        """What is wrong with the first term of a number that is not there."""
        names = [term.metric for term in self.terms if term.metric not in known]
        return UnknownName("metric", names[0], known) if names else None

    def value(self, numbers: Mapping[str, Any]) -> float:
        """The sum of the terms."""
        return sum(term.value(numbers) for term in self.terms)

    def judge(self, plugins: Plugins) -> Judge:
        """From a run's metrics to its value."""
        if self.own is None:
            return lambda metrics: self.value(vars(metrics))
        return plugins.table(OBJECTIVES).find(self.own, where="fitness.own").judge


@dataclass(frozen=True)
class Scores:
    """What the runs of one genome came to."""

    score: float
    mean: float
    low: float
    spread: float
    """Standard deviation between runs."""
    runs: tuple[float, ...]


def scored(values: Sequence[float], across: str) -> Scores:
    """The statistic asked for, and those that are always told; a NaN fails the evaluation."""
    if not all(isfinite(value) for value in values):
        raise InputError(f"fitness: expected finite numbers, got {list(values)}")
    if len(values) == 1:  # what statistics there are; a search asks thousands of times
        alone = float(values[0])
        return Scores(alone, alone, alone, 0.0, (alone,))
    mean, low = float(np.mean(values)), float(np.quantile(values, LOW))
    chosen = {
        "mean": mean,
        "median": float(np.median(values)),
        "low": low,
        "least": float(min(values)),
    }
    return Scores(chosen[across], mean, low, float(np.std(values)), tuple(map(float, values)))


@dataclass(frozen=True)
class Try:
    """A run or a computation, not yet judged: judging may raise, and its numbers are kept then."""

    numbers: Mapping[str, Any]
    value: Callable[[], float]
    """What it is worth, if it is not lost."""
    lost: str | None = None
    """Why it does not count: the robot fell, left the world, or its numbers ran away."""
    simulating_s: float = 0.0
    """CPU time."""


def judged(fitness: Fitness, tries: Sequence[Try]) -> dict[str, Any]:
    """Score and statistics as an :class:`~annelid.offline.store.Evaluation` keeps them.

    A lost run counts as the fitness says (``lost``), however far it came.
    """
    floor = 0.0 if fitness.lost is None else fitness.lost
    values = [float(one.value()) if one.lost is None else floor for one in tries]
    lost = [f"run {k}: {one.lost}" for k, one in enumerate(tries) if one.lost is not None]
    return {
        "state": "ok",
        **vars(scored(values, fitness.across)),
        "why": "; ".join(lost) or None,
    }
