"""Quality-diversity search (``ribs``): keeps the best genome of every cell of a map.

The map has an axis per *measure*: a gene (a slope, a wavelength of the ground) or a metric of the
run (energy per metre, tilt).  Every cell keeps its best, so one study answers "which gait where".
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final, Self

import numpy as np
from pydantic import Field, model_validator
from ribs.archives import GridArchive
from ribs.emitters import IsoLineEmitter

from annelid.boundary.cost import GENOMES_MAX
from annelid.errors import SpecError
from annelid.offline.optimisers import Found, Optimiser, OptimiserKind
from annelid.offline.space import REAL, Genome, Space
from annelid.spec import Spec

CELLS_MAX: Final = 1_000_000


class MapAxis(Spec):
    """One axis of the map."""

    name: str
    """A searched field, or a metric."""
    low: float
    """Where the axis begins."""
    high: float
    """Where it ends."""
    cells: int = Field(default=10, ge=1, le=10_000)
    """Into which it is divided."""

    @model_validator(mode="after")
    def _has_a_range(self) -> Self:
        if self.low >= self.high:
            raise ValueError(f"expected low below high, got {self.low:g} and {self.high:g}")
        return self


class QdOptions(Spec):
    measures: tuple[MapAxis, ...] = Field(min_length=1)
    """The axes of the map."""
    population: int = Field(default=40, ge=1, le=GENOMES_MAX)
    """Genomes in a generation."""
    first: int = Field(default=2, ge=1)
    """Generations drawn at random before cells breed."""
    wander: float = Field(default=0.05, gt=0)
    """Isotropic step, and with ``follow`` that along the line to another elite (Iso+LineDD)."""
    follow: float = Field(default=0.2, ge=0)
    """Step along the line to another elite."""

    @model_validator(mode="after")
    def _fits_in_memory(self) -> Self:
        cells = prod(axis.cells for axis in self.measures)
        if cells > CELLS_MAX:
            raise ValueError(
                f"measures: expected a map of at most {CELLS_MAX:,} cells, got {cells:,}"
            )
        if (drawn := self.first * self.population) > GENOMES_MAX:
            raise ValueError(
                f"first: expected at most {GENOMES_MAX:,} genomes drawn, got {drawn:,}"
            )
        return self


class Qd:
    def __init__(self, options: QdOptions, space: Space, seed: int) -> None:
        self._options = options
        self._space = space
        size = len(space)
        self.archive = GridArchive(
            solution_dim=size,
            dims=[measure.cells for measure in options.measures],
            ranges=[(measure.low, measure.high) for measure in options.measures],
            seed=seed,
        )
        stream = np.random.default_rng(seed)
        self._emitter = IsoLineEmitter(
            self.archive,
            iso_sigma=options.wander,
            line_sigma=options.follow,
            initial_solutions=stream.random((options.first * options.population, size)),
            bounds=[(0.0, 1.0)] * size,
            batch_size=options.population,
            seed=seed,
        )
        self._asked = np.empty((0, size))
        self._first: list[np.ndarray] = []

    def ask(self) -> Sequence[Genome]:
        if not self._first and self.archive.empty:
            asked = self._emitter.ask()  # all initial solutions, which we take in turns
            parts = max(1, len(asked) // self._options.population)
            self._first = list(np.array_split(asked, parts))
        self._asked = self._first.pop(0) if self._first else self._emitter.ask()
        return [self._genome(row) for row in self._asked]

    def tell(self, found: Sequence[Found]) -> None:
        judged = {k: one.score for k, one in enumerate(found) if one.score is not None}
        if not judged:
            return
        axes = self._options.measures
        measures = [[self._measure(found[k], axis) for axis in axes] for k in judged]
        self.archive.add(self._asked[list(judged)], list(judged.values()), measures)

    def _genome(self, row: np.ndarray) -> Genome:
        """A choice is the part of the unit interval that a number falls into."""
        return tuple(
            float(x) if size == REAL else min(int(x * size), size - 1)
            for x, size in zip(row.tolist(), self._space.sizes, strict=True)
        )

    @staticmethod
    def _measure(one: Found, axis: MapAxis) -> float:
        if axis.name not in one.measures:
            known = ", ".join(sorted(one.measures))
            raise SpecError(f"optimiser.measures: {axis.name!r} is not measured; there are {known}")
        return one.measures[axis.name]


def _build(options: QdOptions, space: Space, seed: int) -> Optimiser:
    return Qd(options, space, seed)


QD = OptimiserKind(
    "qd", "quality-diversity: a map with the best genome of every cell", QdOptions, _build
)
