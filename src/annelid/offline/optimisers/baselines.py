"""The two simplest searches, to compare others with: random, and the whole grid."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, product

from pydantic import Field

from annelid.boundary.cost import GENOMES_MAX
from annelid.errors import SpecError
from annelid.kernel import RandomStreams
from annelid.offline.optimisers import Found, Optimiser, OptimiserKind
from annelid.offline.space import REAL, Genome, Space
from annelid.spec import Spec

GRID_MAX = 10_000_000


class RandomOptions(Spec):
    population: int = Field(default=40, ge=1, le=GENOMES_MAX)
    """Genomes in a generation."""


class Random:
    """Every genome equally likely, each time anew."""

    def __init__(self, options: RandomOptions, space: Space, seed: int) -> None:
        self._population = options.population
        self._space = space
        self._stream = RandomStreams(seed)["optimiser/random"]

    def ask(self) -> Sequence[Genome]:
        return [self._space.draw(self._stream) for _ in range(self._population)]

    def tell(self, found: Sequence[Found]) -> None:
        """Chance does not learn."""


class GridOptions(Spec):
    points: int = Field(default=5, ge=2)
    """Along a real number, both ends included; loci of choices take all of theirs."""
    batch: int = Field(default=40, ge=1)
    """Genomes in a generation."""


class GridSearch:
    """All genomes in order, the last locus running fastest; ends when they are done."""

    def __init__(self, options: GridOptions, space: Space, seed: int) -> None:
        axes = [
            [k / (options.points - 1) for k in range(options.points)]
            if size == REAL
            else list(range(size))
            for size in space.sizes
        ]
        self.count = 1
        for axis in axes:
            self.count *= len(axis)
        if self.count > GRID_MAX:
            raise SpecError(
                f"optimiser: a grid of {self.count:,} points; at most {GRID_MAX:,}. Fewer bits, or "
                'kind = "random"'
            )
        self._rest: Iterator[Genome] = product(*axes)
        self._batch = options.batch

    def ask(self) -> Sequence[Genome]:
        return list(islice(self._rest, self._batch))

    def tell(self, found: Sequence[Found]) -> None:
        """The order is fixed."""


def _random(options: RandomOptions, space: Space, seed: int) -> Optimiser:
    return Random(options, space, seed)


def _grid(options: GridOptions, space: Space, seed: int) -> Optimiser:
    return GridSearch(options, space, seed)


RANDOM = OptimiserKind("random", "genomes drawn at random: a baseline", RandomOptions, _random)
GRID = OptimiserKind("grid", "every point of a grid", GridOptions, _grid)
