"""The optimisers, behind one protocol: ask for genomes, then tell their scores.

An optimiser knows the loci of a space and nothing about robots.  It must be a pure function of its
options, its seed and what it is told: a study resumes by asking and telling all over again.

``OPTIMISERS`` says how one of your own is brought (``annelid.registry``): as an ``OptimiserKind``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Protocol

from annelid.errors import SpecError, UnknownName
from annelid.offline.space import Genome, Space
from annelid.registry import Kind
from annelid.spec import Spec


@dataclass(frozen=True)
class Found:
    """What an optimiser is told of one genome."""

    genome: Genome
    score: float | None
    """More is better; None: it could not be judged."""
    measures: Mapping[str, float] = field(default_factory=dict)
    """Mean metrics of its runs and its numeric fields, by name."""


class Optimiser(Protocol):
    def ask(self) -> Sequence[Genome]:
        """The next generation; empty: there is nothing left to ask."""

    def tell(self, found: Sequence[Found]) -> None:
        """What became of the last generation, in the order in which it was asked for."""


@dataclass(frozen=True)
class OptimiserKind:
    """What a study names by ``optimiser.kind``."""

    name: str
    title: str
    """One line about it."""
    options: type[Spec]
    """What else may stand in ``[optimiser]``."""
    build: Callable[[Any, Space, int], Optimiser]
    """``build(options, space, seed)``"""


OPTIMISERS: Final[Kind[OptimiserKind]] = Kind(
    name="optimiser",
    plural="optimisers",
    base=OptimiserKind,
    key=lambda optimiser: str(optimiser.name),
    built_in={
        "ga": "annelid.offline.optimisers.ga:GA",
        "cma-es": "annelid.offline.optimisers.cma_es:CMA_ES",
        "qd": "annelid.offline.optimisers.qd:QD",
        "random": "annelid.offline.optimisers.baselines:RANDOM",
        "grid": "annelid.offline.optimisers.baselines:GRID",
    },
    instances=True,
    extra="annelid[qd]",
)


def build_optimiser(
    table: Mapping[str, Any],
    space: Space,
    *,
    seed: int,
    known: Mapping[str, OptimiserKind] | None = None,
) -> Optimiser:
    """From ``{kind = "ga", …}``; the rest are options of that kind."""
    options = dict(table)
    name = options.pop("kind", None)
    kinds = OPTIMISERS.table() if known is None else known
    if not isinstance(name, str):
        available = ", ".join(sorted(kinds))
        raise SpecError(f"optimiser.kind: expected one of {available}, got {name}")
    if name not in kinds:
        raise UnknownName("optimiser", name, kinds, where="optimiser.kind")
    kind = kinds[name]
    return kind.build(kind.options.parse(options, where="optimiser"), space, seed)


def filled(found: Sequence[Found]) -> list[float]:
    """Scores with the failed ones put below the worst of the others: optimisers that compute with
    scores, rather than compare them, cannot take an infinity."""
    known = [one.score for one in found if one.score is not None]
    worst = min(known, default=0.0)
    below = worst - max(1.0, max(known, default=0.0) - worst)
    return [below if one.score is None else one.score for one in found]
