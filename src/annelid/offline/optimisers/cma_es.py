"""CMA-ES, for spaces of real numbers (``cma``)."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from pydantic import Field

from annelid.boundary.cost import GENOMES_MAX
from annelid.errors import SpecError
from annelid.kernel import RandomStreams
from annelid.offline.optimisers import Found, Optimiser, OptimiserKind, filled
from annelid.offline.space import REAL, Genome, Space
from annelid.spec import Spec

with warnings.catch_warnings():  # it warns of its own optional parts
    warnings.simplefilter("ignore")
    import cma


class CmaOptions(Spec):
    population: int | None = Field(default=None, ge=3, le=GENOMES_MAX)
    """None: 4 + 3·ln(n), which CMA-ES recommends."""
    step: float = Field(default=0.3, gt=0, le=1)
    """Standard deviation at the beginning, as a share of each range."""


class CmaEs:
    """Begins in the middle of every range; ends when it has converged."""

    def __init__(self, options: CmaOptions, space: Space, seed: int) -> None:
        if any(size != REAL for size in space.sizes):
            raise SpecError(
                "optimiser: cma-es searches real numbers alone; leave `bits` out of the genes, and "
                'choose kind = "ga" or "qd" for chains and choices'
            )
        if len(space) < 2:
            raise SpecError("optimiser: cma-es needs two genes or more")
        stream = RandomStreams(seed)["optimiser/cma-es"]
        settings: dict[str, Any] = {
            "seed": np.nan,  # it would seed NumPy's global generator
            "randn": lambda *shape: stream.standard_normal(shape),
            "bounds": [0, 1],
            "verbose": -9,
            "verb_log": 0,
        }
        if options.population is not None:
            settings["popsize"] = options.population
        self._strategy = cma.CMAEvolutionStrategy([0.5] * len(space), options.step, settings)
        self._asked: list[np.ndarray] = []

    def ask(self) -> Sequence[Genome]:
        if self._strategy.stop():
            return []
        self._asked = self._strategy.ask()
        return [tuple(float(min(max(x, 0.0), 1.0)) for x in row) for row in self._asked]

    def tell(self, found: Sequence[Found]) -> None:
        self._strategy.tell(self._asked, [-score for score in filled(found)])


def _build(options: CmaOptions, space: Space, seed: int) -> Optimiser:
    return CmaEs(options, space, seed)


CMA_ES = OptimiserKind(
    "cma-es", "CMA-ES, an evolution strategy for real numbers", CmaOptions, _build
)
