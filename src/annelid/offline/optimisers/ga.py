"""The papers' genetic algorithm (000 Table 11, 001 Table IV), on pymoo.

Population 40, one-point crossover with probability 0.7, every locus mutated with 0.005.  Selection
and elitism are not printed; ours: parents by tournaments of two, and the best of a generation goes
on into the next as it is (FACTS §3).  A child takes the place of nobody in particular: but for the
elite, a generation consists of children.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import Field
from pymoo.algorithms.soo.nonconvex import ga as pymoo_ga
from pymoo.core.mutation import Mutation
from pymoo.core.population import Population
from pymoo.core.problem import Problem
from pymoo.core.sampling import Sampling
from pymoo.core.survival import Survival
from pymoo.operators.crossover.pntx import SinglePointCrossover
from pymoo.operators.selection.tournament import TournamentSelection

from annelid.boundary.cost import GENOMES_MAX
from annelid.errors import SpecError
from annelid.offline.optimisers import Found, Optimiser, OptimiserKind, filled
from annelid.offline.space import REAL, Genome, Space
from annelid.spec import Spec

Floats = NDArray[np.float64]


class GaOptions(Spec):
    population: int = Field(default=40, ge=2, le=GENOMES_MAX)
    """Genomes in a generation."""
    crossover: float = Field(default=0.7, ge=0, le=1)
    """Probability that two parents exchange their tails."""
    mutation: float = Field(default=0.005, ge=0, le=1)
    """Of each locus: a bit flips, a choice becomes another one, a real number moves."""
    elites: int = Field(default=1, ge=0)
    """How many of the best go on as they are."""
    real_step: float = Field(default=0.1, gt=0, le=1)
    """Standard deviation of a mutated real number, as a share of its range."""


class _Loci(Sampling):  # type: ignore[misc]
    def __init__(self, space: Space) -> None:
        super().__init__()
        self._space = space

    def _do(self, problem: Any, n_samples: int, *, random_state: Any, **_: Any) -> Floats:
        return np.array([self._space.draw(random_state) for _ in range(n_samples)], float)


class _LocusMutation(Mutation):  # type: ignore[misc]
    def __init__(self, space: Space, options: GaOptions) -> None:
        super().__init__(prob=1.0)
        self._sizes = np.array(space.sizes)
        self._rate, self._step = options.mutation, options.real_step

    def _do(self, problem: Any, X: Floats, *, random_state: Any, **_: Any) -> Floats:
        hit = random_state.random(X.shape) < self._rate
        sizes = np.broadcast_to(self._sizes, X.shape)
        # Adding 1 … n-1 and wrapping round reaches every other choice with the same chance.
        turns = 1 + np.floor(random_state.random(X.shape) * np.maximum(sizes - 1, 1))
        chosen = (X + turns) % np.maximum(sizes, 1)
        moved = np.clip(X + self._step * random_state.standard_normal(X.shape), 0, 1)
        other: Floats = np.where(sizes == REAL, moved, chosen)
        return np.where(hit, other, X)


class _ElitesAndChildren(Survival):  # type: ignore[misc]
    """The next generation: the best of the last one, and all children."""

    def __init__(self, elites: int) -> None:
        super().__init__(filter_infeasible=False)
        self._elites = elites

    def _do(self, problem: Any, pop: Any, *, n_survive: int, **_: Any) -> Any:
        children = n_survive - self._elites
        parents, born = pop[: len(pop) - children], pop[len(pop) - children :]
        best = np.argsort(parents.get("F")[:, 0], kind="stable")[: self._elites]
        return Population.merge(parents[best], born)


class Ga:
    def __init__(self, options: GaOptions, space: Space, seed: int) -> None:
        if options.elites >= options.population:
            raise SpecError(
                f"optimiser.elites: expected fewer than the population of {options.population}, "
                f"got {options.elites}"
            )
        self._algorithm = pymoo_ga.GA(
            pop_size=options.population,
            n_offsprings=options.population - options.elites,
            sampling=_Loci(space),
            selection=TournamentSelection(func_comp=pymoo_ga.comp_by_cv_and_fitness, pressure=2),
            crossover=SinglePointCrossover(prob=options.crossover),
            mutation=_LocusMutation(space, options),
            survival=_ElitesAndChildren(options.elites),
            eliminate_duplicates=False,
        )
        problem = Problem(n_var=len(space), n_obj=1, xl=0.0, xu=max(max(space.sizes) - 1, 1))
        self._algorithm.setup(problem, seed=seed, termination=("n_gen", 10**9))
        self._sizes = space.sizes
        self._asked: Any = None

    def ask(self) -> Sequence[Genome]:
        self._asked = self._algorithm.ask()
        return [
            tuple(
                float(x) if size == REAL else round(x)
                for x, size in zip(row, self._sizes, strict=True)
            )
            for row in self._asked.get("X").tolist()
        ]

    def tell(self, found: Sequence[Found]) -> None:
        costs = -np.array(filled(found))[:, None]
        self._asked.set("F", costs)
        for one, cost in zip(self._asked, costs, strict=True):
            one.F = cost
            one.evaluated = {"F"}
        self._algorithm.tell(infills=self._asked)


def _build(options: GaOptions, space: Space, seed: int) -> Optimiser:
    return Ga(options, space, seed)


GA = OptimiserKind("ga", "a genetic algorithm, as in the papers", GaOptions, _build)
