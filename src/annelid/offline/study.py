"""The study: a file that describes a search, and what follows from it before simulation.

::

    name = "open-air"
    scenario = "snake"                 # a shipped name, a file beside this one, or a table
    set = {"control.tick_ms" = 15}     # fields of the scenario, as with --set

    [[space.genes]]
    field = "control.gaits.0.amplitude_deg"
    low = 0
    high = 90
    bits = 7

    [optimiser]
    kind = "ga"
    population = 40

    [fitness]
    terms = [{metric = "distance_m"}]

    [repeats]
    runs = 1

    [budget]
    generations = 175
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from copy import deepcopy
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, field_validator

from annelid.boundary.files import find_file, is_file, read_toml, whole_path
from annelid.errors import InputError
from annelid.modules import MODULES
from annelid.offline.fitness import Fitness
from annelid.offline.measures import Measure, build_measure
from annelid.offline.optimisers import OPTIMISERS, Optimiser, build_optimiser
from annelid.offline.space import Genome, Space, SpaceSpec
from annelid.spec import Spec
from annelid.trial.fields import check_field
from annelid.trial.load import changed, load, naming, parse
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.scenario import Scenario
from annelid.trial.vary import Spread, parse_vary

TRIES = 20
"""Random genomes that are built, though not simulated, before a study begins: a field that takes
no value of its gene is then known at once."""


class Repeats(Spec):
    """How often a genome is tried; runs differ by their seed and by what is varied."""

    runs: int = Field(default=1, ge=1, le=10_000)
    """Of each genome."""
    vary: tuple[str, ...] = ()
    """Spreads as of ``annelid sweep``: ``"world.surface.friction~0.5..0.7"``."""

    @field_validator("vary")
    @classmethod
    def _spreads(cls, given: tuple[str, ...]) -> tuple[str, ...]:
        for text in given:
            if not isinstance(parse_vary(text), Spread):
                raise ValueError(f"expected a spread such as world.bore_mm~39..41, got {text!r}")
        return given

    def spreads(self) -> list[Spread]:
        return [one for one in map(parse_vary, self.vary) if isinstance(one, Spread)]


class Budget(Spec):
    generations: int = Field(default=50, ge=1)
    """Rounds of ask and tell.  May be raised later: the study goes on."""


class StudySpec(Spec):
    name: str = Field(default="study", pattern=r"^[A-Za-z0-9][A-Za-z0-9_.-]{0,80}$")
    """Also the name of its folder: letters, digits, ``-``, ``_``, ``.``."""
    about: str = ""
    """One line for people."""
    seed: int = Field(default=0, ge=0)
    """Of the optimiser, and of all runs together with the genome."""
    scenario: str | Mapping[str, Any] = "default"
    """What is run: a shipped name, a file beside this one, or a table."""
    set: Mapping[str, Any] = Field(default_factory=dict)
    """Fields of the scenario that are changed, as with ``--set``."""
    space: SpaceSpec
    """What is searched."""
    optimiser: Mapping[str, Any] = Field(default_factory=lambda: {"kind": "ga"})
    """How; ``kind`` chooses one of ``annelid optimisers``."""
    fitness: Fitness
    """What counts."""
    repeats: Repeats = Repeats()
    """How often each genome is tried."""
    budget: Budget = Budget()
    """When the search ends."""
    marks: Mapping[str, Mapping[str, Any]] = Field(default_factory=dict)
    """Points of interest, name to fields: evaluated at the end and ranked among the others."""


class Study:
    """What is searched: a scenario, a space of genomes, an optimiser and a fitness, checked.

    :func:`annelid.offline.study.load_study` reads one by shipped name, file or table, and
    :func:`annelid.evolve` searches it; ``study.at(genome)`` is the scenario of a genome.
    """

    def __init__(
        self,
        spec: StudySpec,
        *,
        folder: Path | None = None,
        plugin_files: Sequence[Path] = (),
        where: str = "study",
    ) -> None:
        self.spec = spec
        self.plugin_files = tuple(whole_path(file) for file in plugin_files)
        self.plugins: Plugins = load_plugins(self.plugin_files)
        with naming(f"{where}: scenario"):
            self.scenario = self._scenario(folder)
        self.space = Space(spec.space)
        with naming(f"{where}: space"):
            types = self.plugins.table(MODULES)
            spreads = [spread.field for spread in spec.repeats.spreads()]
            for field in (*spec.space.touched, *spreads):
                check_field(field, self.scenario, types, where="scenario")
        with naming(f"{where}: marks"):
            self.marks = {name: self.space.encode(at) for name, at in spec.marks.items()}
        with naming(f"{where}: fitness"):
            self.judge = spec.fitness.judge(self.plugins)
            self.measure = self._measure()
        with naming(where):
            self.optimiser()

    def _scenario(self, folder: Path | None) -> Scenario:
        source = self.spec.scenario
        if isinstance(source, Mapping):
            found = parse(source, plugins=self.plugins, folder=folder)
        else:
            beside = None if folder is None else folder / source
            found = load(
                beside if beside is not None and is_file(beside) else source, plugins=self.plugins
            )
        return changed(found, self.spec.set, plugins=self.plugins)

    def _measure(self) -> Measure | None:
        """What computes the terms; None: trials are run."""
        name = self.spec.fitness.measure
        if name is None:
            return None
        repeats = self.spec.repeats
        if repeats.runs > 1 or repeats.vary:
            raise InputError(f"measure {name!r} comes to the same each time: leave `repeats` out")
        measure = build_measure(name, self.scenario, self.plugins, self.spec.space.fields)
        if (unknown := self.spec.fitness.unknown(measure.names)) is not None:
            raise unknown
        return measure

    def optimiser(self) -> Optimiser:
        """A fresh one, at its beginning."""
        known = self.plugins.table(OPTIMISERS)
        return build_optimiser(self.spec.optimiser, self.space, seed=self.spec.seed, known=known)

    def try_some(self) -> None:
        """Refuse a space of which nothing can be built; some genomes may well not fit."""
        stream = np.random.default_rng(self.spec.seed)
        problem: InputError | None = None
        for _ in range(TRIES):
            genome = self.space.draw(stream)
            if self.space.violation(genome) is not None:
                continue
            try:
                self.at(genome)
            except InputError as error:
                problem = error
            else:
                return
        if problem is not None:
            raise problem

    def at(self, genome: Genome, *, repeat: int = 0) -> Scenario:
        """The scenario of one run of a genome."""
        return changed(self.scenario, self.fields(genome, repeat=repeat), plugins=self.plugins)

    def made(self, genome: Genome) -> Scenario:
        """The scenario in which a genome is put to use."""
        fields = self.fields(genome)
        if self.measure is not None:
            fields |= self.measure.scenario(self.space.decode(genome))
        return changed(self.scenario, fields, plugins=self.plugins)

    def fields(self, genome: Genome, *, repeat: int = 0) -> dict[str, Any]:
        """What that run sets in the scenario, its seed included."""
        from annelid.kernel import RandomStreams

        first = self.seed_of(genome)
        streams = RandomStreams(first)
        spreads = {s.field: s.draw(streams, 0, repeat) for s in self.spec.repeats.spreads()}
        return {**self.space.decode(genome), **spreads, "seed": first + repeat}

    def seed_of(self, genome: Genome) -> int:
        """Of its first run: from the genome, so that it does not matter when or where it runs."""
        text = f"{self.spec.seed}/{self.space.key(genome)}"
        digest = hashlib.blake2b(text.encode(), digest_size=4, person=b"annelid gen")
        return int.from_bytes(digest.digest(), "little") >> 1

    def definition(self) -> str:
        """All that its evaluations depend on, as one text: what a worker rebuilds it from, and what
        tells it from another study."""
        spec = self.spec.model_dump(mode="json", exclude={"set", "budget", "about", "marks"})
        spec["scenario"] = self.scenario.model_dump(mode="json")
        return json.dumps(spec, sort_keys=True, ensure_ascii=False)

    def resolved(self) -> dict[str, Any]:
        """The whole spec as a table that needs no other file."""
        spec = self.spec.model_dump(mode="json")
        return {**spec, "scenario": self.scenario.model_dump(mode="json"), "set": {}}

    @classmethod
    def from_definition(cls, text: str, plugin_files: Sequence[Path] = ()) -> Study:
        return cls(StudySpec.parse(json.loads(text), where="study"), plugin_files=plugin_files)


def shipped() -> dict[str, Path]:
    """The studies that come with Annelid, by name."""
    folder = Path(str(files("annelid"))) / "studies"
    return {path.stem: path for path in sorted(folder.glob("*.toml"))}


def load_study(
    source: str | Path | Mapping[str, Any],
    *,
    changes: Mapping[str, Any] | None = None,
    plugin_files: Sequence[Path] = (),
) -> Study:
    """A study by path, shipped name or table; ``changes`` set fields: ``budget.generations``."""
    from annelid.trial.fields import set_field

    folder: Path | None = None
    if isinstance(source, Mapping):
        table, where = deepcopy(dict(source)), "study"
    else:
        path = find_file(source, "study", shipped)
        table, where, folder = read_toml(path), str(source), path.parent
    for field, value in (changes or {}).items():
        set_field(table, field, value, where=where)
    spec = StudySpec.parse(table, where=where)
    return Study(spec, folder=folder, plugin_files=plugin_files, where=where)
