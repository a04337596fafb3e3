"""The folder of a study: its store, its file, its curve, its best robot.

======================  =======================================================================
``studies.sqlite``      every evaluation (``store``); several studies may share one elsewhere
``study.toml``          the study in full; it needs no other file
``curve.csv``           generation by generation
``best.toml``           the best robot's scenario, ready for ``annelid run``
``best``                a run of it, with report and video
``report.html``         all of it on a page
======================  =======================================================================
"""

from __future__ import annotations

import csv
from dataclasses import asdict
from pathlib import Path
from typing import Final

from annelid.boundary.files import writing
from annelid.errors import InputError, MissingFile
from annelid.offline.search import Generation, Result, best_of
from annelid.offline.space import Space, SpaceSpec
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study, StudySpec
from annelid.trial.load import save
from annelid.trial.run import Trial
from annelid.trial.toml import dumps

STORE: Final = "studies.sqlite"
STUDY: Final = "study.toml"
CURVE: Final = "curve.csv"
BEST: Final = "best.toml"
BEST_RUN: Final = "best"
REPORT: Final = "report.html"


def default_folder(study: Study, runs: Path = Path("runs")) -> Path:
    return runs / f"study-{study.spec.name}"


def prepare(study: Study, folder: Path, place: Path, *, resume: bool) -> None:
    """Begin the folder of a study with its store at ``place``; an old study is only touched on
    purpose."""
    with writing(folder):
        known = place.exists() and study.spec.name in _names(place)
        if known and not resume:
            raise InputError(
                f"{place}: study {study.spec.name!r} has been begun; --resume goes on with it, "
                "another --out begins anew"
            )
        if resume and not known:
            raise MissingFile(f"{place}: no study {study.spec.name!r} to resume")
        (folder / STUDY).write_text(dumps(study.resolved()), encoding="utf-8")


def _names(place: Path) -> tuple[str, ...]:
    with Store.open(place) as store:
        return store.names


def write_results(study: Study, result: Result, folder: Path) -> None:
    """Curve and best scenario."""
    with (folder / CURVE).open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, fieldnames=list(Generation.__dataclass_fields__))
        writer.writeheader()
        writer.writerows(asdict(generation) for generation in result.curve)
    if result.best is not None:
        scenario = study.made(study.space.read(result.best.genome))
        save(
            scenario.model_copy(update={"name": f"best-of-{study.spec.name}"[:80]}),
            folder / BEST,
            plugins=study.plugins,
        )


def run_best(study: Study, folder: Path) -> Path:
    """Simulate the best robot once more, recorded; its run folder."""
    from annelid.trial.load import load

    place = folder / BEST_RUN
    number = 1
    while place.exists():  # a resumed study may have found a better one
        number += 1
        place = folder / f"{BEST_RUN}-{number}"
    trial = Trial(load(folder / BEST, plugins=study.plugins), plugins=study.plugins)
    return trial.run(place).folder


class StoredStudy:
    """A study as the store has it, without simulating anything."""

    def __init__(self, store: Store, name: str) -> None:
        self.name = name
        identity = store.id(name)
        self.spec = StudySpec.parse(store.spec(name), where=f"{store.path}: {name}")
        self.space = Space(SpaceSpec.model_validate(self.spec.space))
        self.evaluations = store.evaluations(identity)
        self.generations = store.generations(identity)

    @property
    def best(self) -> Evaluation | None:
        asked = {key for keys in self.generations for key in keys}
        return best_of(one for key, one in self.evaluations.items() if key in asked)

    @property
    def finished(self) -> bool:
        return len(self.generations) >= self.spec.budget.generations and all(
            key in self.evaluations for keys in self.generations for key in keys
        )


def stores_in(place: Path) -> list[Path]:
    """A store, those of a study folder, or of all study folders in a folder of runs."""
    if place.is_file():
        return [place]
    if (place / STORE).is_file():
        return [place / STORE]
    return sorted(place.glob(f"*/{STORE}"))
