"""The runs of a claim as data: shipped scenarios, what is set in them, and a judge.

::

    CASES = {
        "all three": Case("a09-mixed"),
        "push alone": Case("a09-mixed", {"control.gaits": [{"gait": "push"}]}),
    }

    def judge(run: Run) -> float:
        return run.metrics.progress_m

    found = bench.trials(CASES, judge, repeats=10)      # {"all three": [0.31, 0.30, …], …}

Every run is a trial as anybody's: it is simulated, recorded into a run folder, and the judge reads
that folder.  The judge works in the process that made the run, so only its numbers travel.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from annelid.boundary.files import write_file
from annelid.errors import OutputError
from annelid.trial.load import load
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.replay import Run
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.sweep import DRAW

Found = TypeVar("Found")

Judge = Callable[[Run], Found]
"""A function of a module: what a recorded run amounts to, in numbers."""

MARK = "claim.json"
"""In a folder of kept runs: whose they are."""


@dataclass(frozen=True)
class Change:
    """What somebody who doubts a row changes in all of its runs."""

    fields: Mapping[str, Any] = field(default_factory=dict)
    """Dotted field to value; stronger than what the row sets."""
    plugins: Sequence[Path] = ()
    """Python files with what those fields may name."""

    def __bool__(self) -> bool:
        return bool(self.fields or self.plugins)


NONE: Final = Change()


@dataclass(frozen=True)
class Case:
    """One setting of an experiment; its repeats differ by their seed, and so by their robot."""

    scenario: str
    """A shipped one: of those that ``annelid scenarios``, with or without ``--claims``, lists."""
    fields: Mapping[str, Any] = field(default_factory=dict)
    """Dotted field to value, as ``annelid run --set`` takes them."""
    varied: Callable[[int], Mapping[str, Any]] | None = None
    """More fields, drawn from the seed of a repeat: a bend to either side, say."""
    nominal: str = ""
    """Why the robot is not drawn from its tolerances; empty: it is."""

    def repeat(self, label: str, seed: int) -> Repeat:
        drawn = {} if self.varied is None else self.varied(seed)
        name = re.sub(r"[^A-Za-z0-9_-]+", "-", label).strip("-")
        fields = {
            "name": f"{self.scenario}.{name}.{seed}" if name else f"{self.scenario}.{seed}",
            "seed": seed,
            DRAW: not self.nominal,
            **self.fields,
            **drawn,
        }
        return Repeat(self.scenario, fields)


@dataclass(frozen=True)
class Repeat:
    """One run to be made."""

    source: str
    fields: Mapping[str, Any]

    def scenario(self, change: Change = NONE, plugins: Plugins = Plugins()) -> Scenario:  # noqa: B008
        return load(self.source, overrides={**self.fields, **change.fields}, plugins=plugins)


@dataclass(frozen=True)
class Heard:
    """What robots told their operators, as the witnesses of the runs judged it."""

    statements: int = 0
    """Those that were judged."""
    false: tuple[str, ...] = ()
    misled: int = 0
    """Not so either; they rest on a sensor that the run itself broke."""
    empty: int = 0
    """Besides: those in which nothing is judged."""
    unjudged: tuple[str, ...] = ()
    """Kinds that no witness judges, sorted."""
    intervals: int = 0
    held: int = 0

    @classmethod
    def of(cls, run: Run) -> Heard:
        told = run.metrics
        return cls(
            told.statements,
            told.statements_false,
            len(told.statements_misled),
            told.statements_empty,
            told.statements_unjudged,
            told.intervals,
            told.intervals_held,
        )

    @classmethod
    def read(cls, kept: Mapping[str, Any]) -> Heard:
        """From a kept table."""
        lists = {name: tuple(each) for name, each in kept.items() if isinstance(each, list)}
        return cls(**{**kept, **lists})

    def __add__(self, other: Heard) -> Heard:
        return Heard(
            self.statements + other.statements,
            self.false + other.false,
            self.misled + other.misled,
            self.empty + other.empty,
            tuple(sorted({*self.unjudged, *other.unjudged})),
            self.intervals + other.intervals,
            self.held + other.held,
        )


@dataclass(frozen=True)
class Judged(Generic[Found]):
    """Runs a repeat and judges what was recorded; the run is kept in ``runs`` or thrown away."""

    judge: Judge[Found]
    runs: Path | None = None
    change: Change = NONE

    def __call__(self, repeat: Repeat) -> tuple[Found, Heard]:
        plugins = load_plugins(self.change.plugins)
        trial = Trial(repeat.scenario(self.change, plugins), plugins=plugins)
        if self.runs is not None:
            return self._found(Run(trial.run(runs=self.runs).folder, plugins=plugins))
        with TemporaryDirectory(prefix="annelid-") as folder:
            return self._found(Run(trial.run(Path(folder)).folder, plugins=plugins))

    def _found(self, run: Run) -> tuple[Found, Heard]:
        return self.judge(run), Heard.of(run)


def require_free(folder: Path, claim: str) -> None:
    """Refuse a folder in which something else lies than runs of this claim."""
    mark = folder / MARK
    try:
        if mark.is_file():
            holds = f"runs of {json.loads(mark.read_text('utf-8'))['claim']}"
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            holds = "something else"
        else:
            return
    except (OSError, ValueError, KeyError, TypeError):
        holds = "something else"
    if holds != f"runs of {claim}":
        raise OutputError(f"--runs: {folder} holds {holds}; {claim} needs a new or empty folder")


def mark_folder(folder: Path, claim: str) -> None:
    """Make the folder and write whose runs come into it."""
    require_free(folder, claim)
    write_file(folder / MARK, json.dumps({"claim": claim}) + "\n")


def places(run: Run, module: str) -> NDArray[np.float64]:
    """Where the front of a module was, a row x y z for each sample, m."""
    table = run["modules"]
    return np.stack([table[f"{axis}[{module}]"] for axis in "xyz"], axis=1)


def along(run: Run, module: str) -> NDArray[np.float64]:
    """How far along the world's way the front of a module was at each sample, m."""
    world = run.scenario.world
    return np.array([world.progress((x, y, z)) for x, y, z in places(run, module).tolist()])
