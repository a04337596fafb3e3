"""Optimisers behind one protocol: ask for genomes, be told what they were worth.

An optimiser knows the loci of a space and nothing about robots.  It must be a pure function of its
options, its seed and what it is told: a study resumes by asking and telling all over again.

Yours is found by an entry point in the group ``annelid.optimisers`` that names a ``Kind``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import Any, Final, Protocol

from annelid.errors import MissingDependency, SpecError, UnknownName
from annelid.offline.space import Genome, Space
from annelid.spec import Spec

ENTRY_POINTS: Final = "annelid.optimisers"


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
class Kind:
    """A kind of optimiser."""

    options: type[Spec]
    build: Callable[[Any, Space, int], Optimiser]
    """``build(options, space, seed)``"""


BUILT_IN: Final[Mapping[str, str]] = MappingProxyType(
    {
        "ga": "annelid.offline.optimisers.ga:GA",
        "cma-es": "annelid.offline.optimisers.cma_es:CMA_ES",
        "qd": "annelid.offline.optimisers.qd:QD",
        "random": "annelid.offline.optimisers.baselines:RANDOM",
        "grid": "annelid.offline.optimisers.baselines:GRID",
    }
)
"""Name to the place of its :class:`Kind`; imported when it is asked for."""


class Optimisers:
    """Kinds by name, those of installed packages included."""

    def __init__(self) -> None:
        self._load: dict[str, Callable[[], object]] = {
            name: partial(_imported, name, place) for name, place in BUILT_IN.items()
        }
        for point in entry_points(group=ENTRY_POINTS):
            if point.name in self._load:
                raise SpecError(f"optimiser {point.name!r} is there already; choose another name")
            self._load[point.name] = point.load

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(self._load)

    def build(self, table: Mapping[str, Any], space: Space, *, seed: int) -> Optimiser:
        """From ``{kind = "ga", …}``; the rest are options of that kind."""
        options = dict(table)
        name = options.pop("kind", None)
        if not isinstance(name, str):
            raise SpecError(f"optimiser.kind: expected one of {', '.join(self.names)}, got {name}")
        if name not in self._load:
            raise UnknownName("optimiser", name, self._load, where="optimiser.kind")
        kind = self._load[name]()
        if not isinstance(kind, Kind):
            raise SpecError(f"optimiser {name!r}: expected an annelid.offline.optimisers.Kind")
        return kind.build(kind.options.parse(options, where="optimiser"), space, seed)


def filled(found: Sequence[Found]) -> list[float]:
    """Scores with the failed ones put below the worst of the others: optimisers that compute with
    scores, rather than compare them, cannot take an infinity."""
    known = [one.score for one in found if one.score is not None]
    worst = min(known, default=0.0)
    below = worst - max(1.0, max(known, default=0.0) - worst)
    return [below if one.score is None else one.score for one in found]


def _imported(name: str, place: str) -> object:
    module, _, attribute = place.partition(":")
    try:
        return getattr(import_module(module), attribute)
    except ModuleNotFoundError as error:
        if (error.name or "").startswith("annelid"):
            raise
        extra = "annelid[qd]" if name == "qd" else "annelid"
        raise MissingDependency(
            f"optimiser {name!r} needs {error.name}: pip install '{extra}'"
        ) from None
