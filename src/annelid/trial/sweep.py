"""A sweep: one scenario many times, with varied fields and seeds.

The builder's question is "how often does it work, and where does it stop working?"; the answer is
a success rate per setting with its uncertainty.  Trials run in all cores.  Every finished trial is
one line of ``trials.jsonl`` at once: a sweep that is stopped goes on where it was when the same
command is given again.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from annelid.boundary.cost import TRIALS_MAX, require_at_most
from annelid.boundary.files import read_bytes, whole_path, writing
from annelid.errors import AnnelidError, SpecError
from annelid.kernel import RandomStreams
from annelid.modules import MODULES
from annelid.trial.fields import check_field
from annelid.trial.load import changed, load, naming, parse
from annelid.trial.lock import LOCK, locked
from annelid.trial.plugins import Plugins
from annelid.trial.plugins import load as load_plugins
from annelid.trial.pool import Pool, Prepared, Tell, processes
from annelid.trial.rows import read_rows
from annelid.trial.run import Trial
from annelid.trial.scenario import Scenario
from annelid.trial.summary import Summary, summarise, write_csv
from annelid.trial.vary import Spread, Vary, cells

DEFINITION, TRIALS = "sweep.json", "trials.jsonl"
SUMMARY_CSV, SUMMARY_JSON, TRIALS_CSV = "summary.csv", "summary.json", "trials.csv"

ROW = {"cell", "repeat", "fields", "metrics", "error"}
"""Of every line of ``trials.jsonl``."""

DRAW = "tolerances.draw"

GO_ON = "what was done is kept; the same sweep again goes on from there, --workers 1 needs least"
"""After a worker process died."""


@dataclass(frozen=True)
class SweepTrial:
    """One trial of the sweep: its place, and the fields set for it."""

    cell: int
    repeat: int
    fields: Mapping[str, Any]


class Swept(NamedTuple):
    """A finished sweep."""

    folder: Path
    summary: Summary
    """Success rates and medians, setting by setting."""

    @property
    def trials(self) -> list[dict[str, Any]]:
        """Of every trial: its ``fields``, its ``metrics``, and the ``error`` that ended it."""
        return read_rows(self.folder / TRIALS, ROW)


class Sweep:
    """``source`` with ``varied`` fields, ``repeats`` trials per setting.

    Repeat ``k`` of every setting has the seed ``scenario.seed + k``: settings are compared under
    the same chances.  Each is another robot (``tolerances.draw``), unless ``nominal`` or the
    overrides say otherwise; ``annelid run SCENARIO --seed N --vary-robot`` makes one of them again.
    """

    def __init__(
        self,
        source: str | Path | Mapping[str, Any] | Scenario,
        varied: Sequence[Vary],
        *,
        repeats: int = 1,
        overrides: Mapping[str, Any] | None = None,
        plugin_files: Sequence[Path] = (),
        nominal: bool = False,
    ) -> None:
        self.plugin_files = tuple(whole_path(file) for file in plugin_files)
        self.varied = tuple(varied)
        self.repeats = repeats
        plugins = load_plugins(self.plugin_files)
        chosen = {DRAW: not nominal, **(overrides or {})}
        self.scenario = load(source, plugins=plugins, overrides=chosen)
        types = plugins.table(MODULES)
        for one in varied:
            check_field(one.field, self.scenario, types, where="--vary")
        self.cells = cells(varied)
        trials = len(self.cells) * repeats
        require_at_most("trials", trials, TRIALS_MAX, where=f"sweep with --repeats {repeats}")
        for cell in self.cells:  # a value that cannot be is known now, not in the middle
            changed(self.scenario, cell, plugins=plugins, where="--vary")

    def tasks(self) -> list[SweepTrial]:
        streams = RandomStreams(self.scenario.seed)
        spreads = [one for one in self.varied if isinstance(one, Spread)]
        return [
            SweepTrial(
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
        pool: Pool | None = None,
        tell: Tell | None = None,
    ) -> Swept:
        """Do what is not done yet, and summarise; the results stay in the folder.

        ``pool`` is where trials run, and the caller closes it; None: processes on all cores.
        ``tell`` is told how many trials are done, and how many there are.
        """
        place = folder or self.folder(runs)
        try:
            with writing(place), locked(place / LOCK, what=str(place)):
                if pool is not None:
                    return Swept(place, self._run(place, pool, tell))
                with processes(go_on=GO_ON) as own:
                    return Swept(place, self._run(place, own, tell))
        except KeyboardInterrupt:
            raise KeyboardInterrupt(
                f"interrupted; what was done is in {place}, and the same command goes on from there"
            ) from None

    def _run(self, place: Path, pool: Pool, tell: Tell | None) -> Summary:
        done = self._open(place)
        todo = [task for task in self.tasks() if (task.cell, task.repeat) not in done]
        total = len(self.cells) * self.repeats
        definition = json.dumps(self.scenario.model_dump(mode="json"))
        work = Prepared[SweepTrial, dict[str, Any]](trials_of, (definition, self.plugin_files))
        chosen = pool if len(todo) > 1 else Pool()  # one trial is sooner done here
        with (place / TRIALS).open("a", encoding="utf-8") as file:
            for row in chosen.map(work, todo):
                file.write(json.dumps(row) + "\n")
                file.flush()
                done[row["cell"], row["repeat"]] = row
                if tell is not None:
                    tell(len(done), total)
        return self._summarise(place, done)

    def _open(self, place: Path) -> dict[tuple[int, int], dict[str, Any]]:
        """Sign the folder, or read what an earlier run of the same sweep has left in it."""
        text = json.dumps(self.definition(), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
        mark = place / DEFINITION
        if not mark.exists():
            mark.write_text(text, encoding="utf-8")
        elif read_bytes(mark).decode("utf-8", errors="replace") != text:
            raise SpecError(f"{place}: holds another sweep; choose another --out")
        rows = [row for row in read_rows(place / TRIALS, ROW) if row["repeat"] < self.repeats]
        return {(row["cell"], row["repeat"]): row for row in rows}

    def _summarise(self, place: Path, done: Mapping[tuple[int, int], Mapping[str, Any]]) -> Summary:
        rows = [done[key] for key in sorted(done)]
        summary = summarise(self.cells, rows, fields=[one.field for one in self.varied])
        flat = [{**r["fields"], **r["metrics"], "error": r["error"]} for r in rows]
        write_csv(place / TRIALS_CSV, flat)
        write_csv(place / SUMMARY_CSV, [setting.row() for setting in summary.settings])
        text = json.dumps(summary.data(), indent=2, ensure_ascii=False)
        (place / SUMMARY_JSON).write_text(text + "\n", encoding="utf-8")
        return summary


def outcome(scenario: Scenario, task: SweepTrial, plugins: Plugins) -> dict[str, Any]:
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


def trials_of(
    definition: str, plugin_files: Sequence[Path]
) -> Callable[[SweepTrial], dict[str, Any]]:
    """What a worker does with each task of a sweep."""
    plugins = load_plugins(plugin_files)
    scenario = parse(json.loads(definition), plugins=plugins)
    return lambda task: outcome(scenario, task, plugins)
