"""Runs side by side: the fields in which their scenarios differ, and all their metrics."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annelid.errors import InputError
from annelid.trial.fields import flatten
from annelid.trial.metrics import Metrics
from annelid.trial.replay import Run
from annelid.trial.scenario import Scenario

_NOT_COMPARED = ("scenario", "seed", "wall", "digest")


@dataclass(frozen=True)
class Row:
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
    settings: tuple[Row, ...]
    """Only those that differ."""
    outcomes: tuple[Row, ...]
    same: bool
    """Whether the traces are equal, bit for bit."""


def compare(runs: Sequence[Run]) -> Comparison:
    """Two or more runs, the first being what the others are held against."""
    if len(runs) < 2:
        raise InputError(f"compare: expected two runs or more, got {len(runs)}")
    differing = differences([run.scenario for run in runs])
    metrics = [run.metrics for run in runs]
    outcomes = tuple(
        Row(name, tuple(getattr(m, name) for m in metrics))
        for name in Metrics.model_fields
        if name not in _NOT_COMPARED
    )
    digests = {m.digest for m in metrics}
    return Comparison(differing, outcomes, len(digests) == 1 and None not in digests)


def differences(scenarios: Sequence[Scenario]) -> tuple[Row, ...]:
    """The fields in which they differ."""
    settings = [flatten(scenario.model_dump(mode="json")) for scenario in scenarios]
    names = dict.fromkeys(name for setting in settings for name in setting)
    rows = (Row(name, tuple(setting.get(name) for setting in settings)) for name in names)
    return tuple(row for row in rows if any(v != row.values[0] for v in row.values))


def _show(value: Any) -> str:
    if value is None:
        return "–"
    if isinstance(value, float):
        return f"{value:.5g}"
    if isinstance(value, tuple | list):
        return ", ".join(map(str, value)) or "–"
    return str(value)
