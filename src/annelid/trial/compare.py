"""Compares scenarios or runs: the fields that differ, and the results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annelid.errors import InputError
from annelid.kernel.trace import digest
from annelid.trial.fields import flatten
from annelid.trial.folder import TRACE
from annelid.trial.metrics import Metrics
from annelid.trial.pool import Tell, processes
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario
from annelid.trial.summary import Setting
from annelid.trial.sweep import GO_ON, Sweep

_NOT_COMPARED = ("scenario", "seed", "wall", "digest")


@dataclass(frozen=True)
class ComparisonRow:
    """One quantity over all runs."""

    name: str
    values: tuple[Any, ...]

    @property
    def shown(self) -> tuple[str, ...]:
        return tuple(_show(value) for value in self.values)

    @property
    def change(self) -> str:
        """From the first run to the last, where both are numbers."""
        first, last = self.values[0], self.values[-1]
        if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in (first, last)):
            return ""
        if first == last:
            return "="
        share = f" ({(last - first) / abs(first):+.1%})" if first else ""
        return f"{last - first:+.4g}{share}"


@dataclass(frozen=True)
class Comparison:
    """Two things or more, the first being what the others are held against."""

    names: tuple[str, ...]
    settings: tuple[ComparisonRow, ...]
    """Only those that differ."""
    outcomes: tuple[ComparisonRow, ...]
    same: bool = False
    """Whether all are runs with equal traces, bit for bit."""
    notes: tuple[str, ...] = ()
    """What a reader should know of runs that were cut off."""


def compare_runs(runs: Sequence[Run]) -> Comparison:
    """Runs that have been made."""
    if len(runs) < 2:
        raise InputError(f"compare: expected two runs or more, got {len(runs)}")
    differing = differences([run.scenario for run in runs])
    metrics = [run.metrics for run in runs]
    outcomes = tuple(
        ComparisonRow(name, tuple(getattr(m, name) for m in metrics))
        for name in Metrics.model_fields
        if name not in _NOT_COMPARED
    )
    names = tuple(run.folder.resolve().name for run in runs)
    notes = tuple(run.note for run in runs if run.note is not None)
    return Comparison(names, differing, outcomes, _same_traces(runs), notes)


def _same_traces(runs: Sequence[Run]) -> bool:
    """By the traces themselves: what ``metrics.json`` says of them anybody can have written."""
    if not all((run.folder / TRACE).is_dir() and run.tables for run in runs):
        return False
    first = digest(runs[0].trace)
    return all(digest(run.trace) == first for run in runs[1:])


def compare_scenarios(
    things: Sequence[str | Path | Mapping[str, Any] | Scenario],
    *,
    on: str | Path | Mapping[str, Any] | Scenario | None = None,
    repeats: int,
    nominal: bool = False,
    workers: int | None = None,
    plugin_files: Sequence[Path] = (),
    tell: Tell | None = None,
) -> Comparison:
    """Scenarios, or chains of modules in the scenario ``on``: each is run so often, with the same
    seeds, and each trial with another robot unless ``nominal``."""
    if len(things) < 2:
        raise InputError(f"compare: expected two scenarios or chains or more, got {len(things)}")
    planned = [
        Sweep(
            thing if on is None else on,
            [],
            repeats=repeats,
            overrides={} if on is None else {"robot.chain": thing},
            plugin_files=plugin_files,
            nominal=nominal,
        )
        for thing in things
    ]
    settings: list[Setting] = []

    def count(done: int, _: int) -> None:
        if tell is not None:
            tell(repeats * len(settings) + done, repeats * len(planned))

    with processes(workers, go_on=GO_ON) as pool:
        for one in planned:
            settings += one.run(pool=pool, tell=count).summary.settings
    named = [one.scenario.name for one in planned]
    names = (
        str(thing) if isinstance(thing, str | Path) else name
        for thing, name in zip(things, named, strict=True)
    )
    differing = differences([one.scenario for one in planned])
    return Comparison(tuple(names), differing, _outcomes(settings))


def _outcomes(settings: Sequence[Setting]) -> tuple[ComparisonRow, ...]:
    bands = ["identical runs" if s.identical else _band(s.interval) for s in settings]
    columns: dict[str, list[Any]] = {
        "succeeded": [setting.successes if setting.judged else None for setting in settings],
        "rate": [setting.rate for setting in settings],
        "95 % of it": bands,
        "time to goal, s": [setting.time_to_goal_s for setting in settings],
        "speed, m/s": [setting.speed_m_s for setting in settings],
        "energy per metre, J/m": [setting.energy_per_metre_j_m for setting in settings],
        "falls": [setting.falls or None for setting in settings],
        "errors": ["; ".join(setting.errors) or None for setting in settings],
    }
    return tuple(ComparisonRow(name, tuple(values)) for name, values in columns.items())


def _band(interval: tuple[float, float] | None) -> str | None:
    return None if interval is None else f"{interval[0]:.0%}–{interval[1]:.0%}"


def differences(scenarios: Sequence[Scenario]) -> tuple[ComparisonRow, ...]:
    """The fields in which they differ."""
    settings = [flatten(scenario.model_dump(mode="json")) for scenario in scenarios]
    names = dict.fromkeys(name for setting in settings for name in setting)
    rows = (ComparisonRow(name, tuple(setting.get(name) for setting in settings)) for name in names)
    return tuple(row for row in rows if any(v != row.values[0] for v in row.values))


def _show(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "–"
    return str(value)
