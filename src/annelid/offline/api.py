"""``annelid.evolve`` and ``annelid.compare`` for a script or a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annelid.errors import InputError, MissingFile
from annelid.offline import executors
from annelid.offline.compare import compare_studies, studies_of
from annelid.offline.executors import Evaluate
from annelid.offline.folder import BEST, STORE, default_folder, prepare, stores_in, write_results
from annelid.offline.search import Listen, Result, search
from annelid.offline.store import Evaluation, Store
from annelid.offline.study import Study, load_study
from annelid.trial.api import Source, dotted
from annelid.trial.compare import Comparison, compare_runs, compare_scenarios
from annelid.trial.load import load, shipped
from annelid.trial.lock import LOCK, locked
from annelid.trial.plugins import load as load_plugins
from annelid.trial.pool import Tell
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario


@dataclass(frozen=True)
class Evolved:
    """A study at its end."""

    study: Study
    folder: Path
    """With the curve, the best robot's scenario, and the store unless that is shared."""
    store: Path
    result: Result

    @property
    def best(self) -> Evaluation | None:
        """The best genome: its ``score``, its ``fields``, the ``metrics`` of its runs."""
        return self.result.best

    @property
    def scenario(self) -> Scenario:
        """The best robot, ready for :func:`annelid.run`."""
        if self.best is None:
            raise InputError(f"{self.folder}: no genome could be judged, there is no best robot")
        return load(self.folder / BEST, plugins=self.study.plugins)


def evolve(
    study: str | Path | Mapping[str, Any] | Study,
    *,
    resume: bool = False,
    generations: int | None = None,
    workers: int | None = None,
    cluster: str | None = None,
    gpu: bool = False,
    out: Path | str | None = None,
    store: Path | str | None = None,
    plugins: Sequence[Path | str] = (),
    progress: Listen | None = None,
    **fields: Any,
) -> Evolved:
    """Search gaits and configurations for the best robot of a study.

    ``study`` is a shipped name (``annelid studies`` lists them), a ``.toml`` file, a table, or a
    :class:`annelid.Study`; ``fields`` set fields of it, with two underscores for the dot.
    ``out`` is the study folder, else ``runs/study-NAME``.  Stopped at any moment, nothing is lost:
    ``resume=True`` goes on and ends at the same result::

        evolved = annelid.evolve("open-air", generations=5, seed=1)
        evolved.best.score, evolved.best.fields
        annelid.run(evolved.scenario)
    """
    if not isinstance(study, Study):
        changes = dotted(fields)
        if generations is not None:
            changes["budget.generations"] = generations
        study = load_study(study, changes=changes, plugin_files=[Path(file) for file in plugins])
    elif fields or plugins or generations is not None:
        raise InputError("evolve: fields and plugins of a Study are set when it is made")
    study.try_some()
    folder = default_folder(study) if out is None else Path(out)
    place = folder / STORE if store is None else Path(store)
    if resume and not place.exists():
        raise MissingFile(f"{place}: no study {study.spec.name!r} to resume")
    with locked(folder / LOCK, what=str(folder)):
        prepare(study, folder, place, resume=resume)
        where = _where(study, workers, cluster, gpu=gpu)
        with Store.open(place, make=True) as opened, where as evaluate:
            result = search(study, opened, evaluate, listen=progress)
        write_results(study, result, folder)
    return Evolved(study, folder, place, result)


def _where(
    study: Study, workers: int | None, address: str | None, *, gpu: bool
) -> AbstractContextManager[Evaluate]:
    """The evaluator asked for, to be used in a ``with``."""
    if gpu and address is not None:
        raise InputError("--gpu and --cluster: choose one of them")
    if gpu:
        from annelid.offline.gpu import OnGpu

        return nullcontext(OnGpu(study))
    if address is not None:
        return executors.cluster(study, address)
    return executors.processes(study, workers)


def compare(
    *things: Source | Run,
    on: Source | None = None,
    repeats: int = 8,
    nominal: bool = False,
    workers: int | None = None,
    plugins: Sequence[Path | str] = (),
    progress: Tell | None = None,
) -> Comparison:
    """Two or more things side by side: what was set differently, and what came of it.

    Runs (``Run`` or a run folder) and study folders are looked at as they are.  Scenarios, and
    with ``on`` chains of modules in that scenario, are run first, each ``repeats`` times::

        annelid.compare(annelid.run("push"), annelid.run("push", world__bore_mm=42))
        annelid.compare("TRRH", "TRH", on="push", repeats=20).outcomes
    """
    files = [Path(file) for file in plugins]
    if on is not None or all(map(is_scenario, things)):
        made = [thing for thing in things if isinstance(thing, Run)]
        if made:
            raise InputError(f"compare: with `on`, expected chains of modules, got {made[0]}")
        return compare_scenarios(
            [thing for thing in things if not isinstance(thing, Run)],
            on=on,
            repeats=repeats,
            nominal=nominal,
            workers=workers,
            plugin_files=files,
            tell=progress,
        )
    if all(isinstance(thing, str | Path) and stores_in(Path(thing)) for thing in things):
        return compare_studies(studies_of([Path(str(thing)) for thing in things]))
    loaded = load_plugins(files)
    return compare_runs(
        [
            thing if isinstance(thing, Run) else Run(Path(str(thing)), plugins=loaded)
            for thing in things
        ]
    )


def is_scenario(thing: Source | Run) -> bool:
    """Whether it has to be run before it can be compared."""
    if isinstance(thing, str | Path):
        return str(thing) in shipped() | shipped(claims=True) or Path(thing).suffix == ".toml"
    return not isinstance(thing, Run)
