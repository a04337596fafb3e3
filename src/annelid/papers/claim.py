"""A claim of a paper, and what became of it when we measured.

Everything here is plain data: an experiment measures, ``annelid.report`` draws.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from importlib.resources import files
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike

from annelid.papers.bench import Bench


@dataclass(frozen=True)
class Series:
    """One curve, or one set of points, of a figure."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    style: Literal["line", "points", "dashed"] = "line"

    @classmethod
    def of(
        cls,
        label: str,
        x: ArrayLike,
        y: ArrayLike,
        *,
        style: Literal["line", "points", "dashed"] = "line",
        most: int = 1000,
    ) -> Series:
        """From arrays, thinned to ``most`` points: a page needs no more."""
        xs, ys = np.asarray(x, float), np.asarray(y, float)
        every = max(1, -(-len(xs) // most))
        return cls(label, tuple(xs[::every].tolist()), tuple(ys[::every].tolist()), style)


@dataclass(frozen=True)
class Figure:
    """What the report draws; axis labels carry their unit."""

    title: str
    x_label: str
    y_label: str
    series: tuple[Series, ...]


@dataclass(frozen=True)
class Picture:
    """What curves cannot show: a map of colours, drawn already."""

    title: str
    png: bytes


@dataclass(frozen=True)
class Outcome:
    """What an experiment found."""

    ours: str
    """The measured values, short, with units."""
    passed: bool
    note: str = ""
    """What was fitted, predicted or assumed; and where ours is short, why."""
    values: Mapping[str, float] = field(default_factory=dict)
    """Every number behind ``ours``, by name with unit: ``error_cm_s``."""
    plots: Sequence[Figure] = ()
    pictures: Sequence[Picture] = ()


Kind = Literal["predicted", "fitted", "by construction"]
"""Nothing was fitted to the judged number; something was, and the note says what; or the number is
one that we put in."""


@dataclass(frozen=True)
class Claim:
    """One row of the table."""

    id: str
    title: str
    """The claim, in our words."""
    paper: str
    """The value as printed, and where."""
    kind: Kind
    experiment: Callable[[Bench], Outcome]
    file: str = ""
    """The module of this folder that measures it."""


def _experiment(file: str) -> Callable[[Bench], Outcome]:
    def experiment(bench: Bench) -> Outcome:
        outcome: Outcome = import_module(f"annelid.papers.{file}").experiment(bench)
        return outcome

    return experiment


def _claims() -> Iterator[Claim]:
    text = (files("annelid.papers") / "claims.toml").read_text("utf-8")
    for row in tomllib.loads(text)["claim"]:
        yield Claim(**row, experiment=_experiment(row["file"]))


CLAIMS: Final[tuple[Claim, ...]] = tuple(_claims())
"""Every claim, in order, as ``claims.toml`` has them: what is said, where, which file measures it.

An experiment is a function ``experiment(bench) -> Outcome`` in a file of its own, imported when it
runs; the table itself costs nothing to read."""
