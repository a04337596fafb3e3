"""A sweep: one scenario many times, with fields varied and chances repeated.

The builder's question is "how often does it work, and where does it stop working?"; the answer is
a success rate per setting with its uncertainty.  Trials run in all cores.  Every finished trial is
one line of ``trials.jsonl`` at once: a sweep that is stopped goes on where it was when the same
command is given again.
"""

from __future__ import annotations

import hashlib
import json
import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annelid.errors import AnnelidError, OutputError, SpecError
from annelid.kernel import RandomStreams
from annelid.modules import MODULES
from annelid.trial.fields import check_field
from annelid.trial.load import changed, load, naming
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.summary import Summary, summarise, write_csv
from annelid.trial.vary import Spread, Vary, cells

DEFINITION, TRIALS = "sweep.json", "trials.jsonl"
SUMMARY_CSV, SUMMARY_JSON, TRIALS_CSV = "summary.csv", "summary.json", "trials.csv"

DRAW = "tolerances.draw"

Tell = Callable[[int, int], None]
"""``(trials done, trials in all)``"""


@dataclass(frozen=True)
class Task:
    """One trial of the sweep: its place, and the fields set for it."""

    cell: int
    repeat: int
    fields: Mapping[str, Any]


class Sweep:
    """``source`` with ``varied`` fields, ``repeats`` trials per setting.

    Repeat ``k`` of every setting has the seed ``scenario.seed + k``: settings are compared under
    the same chances.  Each is another robot (``tolerances.draw``), unless ``nominal`` or the
    overrides say otherwise; ``annelid run SCENARIO --seed N --vary-robot`` makes one of them again.
    """

    def __init__(
        self,
        source: str | Path,
        varied: Sequence[Vary],
        *,
        repeats: int = 1,
        overrides: Mapping[str, Any] | None = None,
        plugin_files: Sequence[Path] = (),
        nominal: bool = False,
    ) -> None:
        self.plugin_files = tuple(Path(file).resolve() for file in plugin_files)
        self.varied = tuple(varied)
        self.repeats = repeats
        plugins = load_plugins(self.plugin_files)
        chosen = {DRAW: not nominal, **(overrides or {})}
        self.scenario = load(source, plugins=plugins, overrides=chosen)
        types = plugins.table(MODULES)
        for one in varied:
            check_field(one.field, self.scenario, types, where="--vary")
        self.cells = cells(varied)
        for cell in self.cells:  # a value that cannot be is known now, not in the middle
            changed(self.scenario, cell, plugins=plugins, where="--vary")

    def tasks(self) -> list[Task]:
        streams = RandomStreams(self.scenario.seed)
        spreads = [one for one in self.varied if isinstance(one, Spread)]
        return [
            Task(
                place,
                repeat,
                {
                    **cell,
                    **{one.field: one.draw(streams, place, repeat) for one in spreads},
                    "seed": self.scenario.seed + repeat,
                },
            )
            for place, cell in enumerate(self.cells)
            for repeat in range(self.repeats)
        ]

    def definition(self) -> dict[str, Any]:
        """What makes it this sweep and no other; the number of repeats may grow."""
        return {
            "scenario": self.scenario.model_dump(mode="json"),
            "varied": [vars(one) for one in self.varied],
            "plugins": [hashlib.sha256(f.read_bytes()).hexdigest() for f in self.plugin_files],
        }

    def folder(self, runs: Path) -> Path:
        """The same for the same sweep, so that giving the command again resumes it."""
        text = json.dumps(self.definition(), sort_keys=True)
        mark = hashlib.sha256(text.encode()).hexdigest()[:8]
        return runs / f"sweep-{self.scenario.name}-{mark}"

    def run(
        self,
        folder: Path | None = None,
        *,
        runs: Path = Path("runs"),
        workers: int | None = None,
        tell: Tell | None = None,
    ) -> tuple[Path, Summary]:
        """Do what is not done yet, and summarise; the results stay in the folder."""
        place = folder or self.folder(runs)
        try:
            done = self._open(place)
            todo = [task for task in self.tasks() if (task.cell, task.repeat) not in done]
            total = len(self.cells) * self.repeats
            with (place / TRIALS).open("a", encoding="utf-8") as file:
                for row in self._outcomes(todo, workers or os.cpu_count() or 1):
                    file.write(json.dumps(row) + "\n")
                    file.flush()
                    done[row["cell"], row["repeat"]] = row
                    if tell is not None:
                        tell(len(done), total)
            return place, self._summarise(place, done)
        except OSError as error:
            raise OutputError(f"{place}: could not write: {error.strerror}") from error
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; what was done is in {place}, and the same command goes on from there"
            ) from None

    def _open(self, place: Path) -> dict[tuple[int, int], dict[str, Any]]:
        """Make the folder, or read what an earlier run of the same sweep has left in it."""
        place.mkdir(parents=True, exist_ok=True)
        text = json.dumps(self.definition(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        mark = place / DEFINITION
        if not mark.exists():
            mark.write_text(text, encoding="utf-8")
        elif mark.read_text(encoding="utf-8") != text:
            raise SpecError(f"{place}: holds another sweep; choose another --out")
        rows = [row for row in _lines(place / TRIALS) if row["repeat"] < self.repeats]
        return {(row["cell"], row["repeat"]): row for row in rows}

    def _outcomes(self, todo: Sequence[Task], workers: int) -> Iterator[dict[str, Any]]:
        if workers == 1 or len(todo) < 2:
            plugins = load_plugins(self.plugin_files)
            for task in todo:
                yield outcome(self.scenario, task, plugins)
            return
        started = set(multiprocessing.active_children())
        pool = ProcessPoolExecutor(
            min(workers, len(todo)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_begin_worker,
            initargs=(self.scenario.model_dump(mode="json"), self.plugin_files),
        )
        try:
            for future in as_completed([pool.submit(_work, task) for task in todo]):
                yield future.result()
        except BrokenProcessPool:
            raise AnnelidError(
                "a worker process died (out of memory?); the same command goes on from here, "
                "--workers 1 needs least"
            ) from None
        except BaseException:
            for child in set(multiprocessing.active_children()) - started:
                child.terminate()
            raise
        finally:
            pool.shutdown(wait=False, cancel_futures=True)

    def _summarise(self, place: Path, done: Mapping[tuple[int, int], Mapping[str, Any]]) -> Summary:
        rows = [done[key] for key in sorted(done)]
        summary = summarise(self.cells, rows, fields=[one.field for one in self.varied])
        flat = [{**r["fields"], **r["metrics"], "error": r["error"]} for r in rows]
        write_csv(place / TRIALS_CSV, flat)
        write_csv(place / SUMMARY_CSV, [setting.row() for setting in summary.settings])
        text = json.dumps(summary.data(), indent=2, ensure_ascii=False)
        (place / SUMMARY_JSON).write_text(text + "\n", encoding="utf-8")
        return summary


def outcome(scenario: Scenario, task: Task, plugins: Plugins) -> dict[str, Any]:
    """Simulate one trial; a robot that does not fit, or a physics that blows up, is an outcome."""
    row: dict[str, Any] = {
        "cell": task.cell,
        "repeat": task.repeat,
        "fields": dict(task.fields),
        "metrics": {},
        "error": None,
    }
    try:
        with naming("sweep"):
            trial = Trial(changed(scenario, task.fields, plugins=plugins), plugins=plugins)
        row["metrics"] = trial.measure().model_dump(mode="json", exclude={"wall", "digest"})
    except AnnelidError as error:
        row["error"] = str(error)
    return row


def _lines(path: Path) -> list[dict[str, Any]]:
    """Whole lines only: the last one may have been cut by a kill."""
    if not path.exists():
        return []
    text = path.read_text(encoding="utf-8")
    whole = text[: text.rfind("\n") + 1]
    if whole != text:
        path.write_text(whole, encoding="utf-8")
    return [json.loads(line) for line in whole.splitlines()]


_WORKER: dict[str, Any] = {}
"""A worker's scenario and plugins, set once when its process begins."""


def _begin_worker(scenario: dict[str, Any], plugin_files: Sequence[Path]) -> None:
    from annelid.trial.load import parse

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides
    plugins = load_plugins(plugin_files)
    _WORKER.update(scenario=parse(scenario, plugins=plugins), plugins=plugins)


def _work(task: Task) -> dict[str, Any]:
    return outcome(_WORKER["scenario"], task, _WORKER["plugins"])
