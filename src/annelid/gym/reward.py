"""Rewards: weights of metrics, so that the sum over an episode is what its metrics amount to.

::

    # reward.toml
    progress_m = 1.0
    energy_j = -0.02
    fell = -1.0

A step's reward is how much each metric has changed in it, times its weight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

import numpy as np

from annelid.boundary.files import read_toml
from annelid.errors import SpecError, UnknownName
from annelid.kernel import to_seconds
from annelid.trial.run import Trial

Measure = Callable[[Trial], float]

MEASURES: Final[Mapping[str, Measure]] = MappingProxyType(
    {
        "progress_m": lambda trial: trial.tally.gained(trial.sim),
        "progress_max_m": lambda trial: trial.tally.furthest,
        "distance_m": lambda trial: trial.tally.distance(trial.sim),
        "energy_j": lambda trial: float(trial.sim.actuators.energy().sum()),
        "time_s": lambda trial: to_seconds(trial.sim.now_ns),
        "tripped": lambda trial: float(len(trial.tally.tripped)),
        "success": lambda trial: float(trial.tally.success() or False),
        "fell": lambda trial: float(trial.tally.falls.fall is not None),
    }
)
"""What can be rewarded, named as in ``metrics.json``; ``success`` and ``fell`` are 0 or 1 and
``tripped`` counts servos.  Energy is that of the motors."""

DEFAULT: Final[Mapping[str, float]] = MappingProxyType({"progress_m": 1.0})

Weights = Mapping[str, float] | Path | str | None
"""A table, a TOML file with one, or None: a metre of progress counts 1."""


class Reward:
    """Of one episode."""

    def __init__(self, weights: Mapping[str, float], trial: Trial) -> None:
        self._terms = [(MEASURES[name], weight) for name, weight in weights.items()]
        self._trial = trial
        self._before = self._values()

    def step(self) -> float:
        """Since the last call."""
        values = self._values()
        gained = float(sum(values) - sum(self._before))
        self._before = values
        return gained

    def _values(self) -> list[float]:
        self._trial.tally.see(self._trial.sim)
        return [weight * measure(self._trial) for measure, weight in self._terms]


def weights_of(given: Weights) -> dict[str, float]:
    """Checked, from a table or a file."""
    if given is None:
        return dict(DEFAULT)
    if not isinstance(given, Mapping | str | Path):
        raise SpecError(f"reward: expected a table of weights or a TOML file, got {given!r:.60}")
    where = "reward" if isinstance(given, Mapping) else str(given)
    table: Mapping[str, Any] = given if isinstance(given, Mapping) else read_toml(Path(given))
    for name, weight in table.items():
        if name not in MEASURES:
            raise UnknownName("metric", name, MEASURES, where=where)
        number = isinstance(weight, int | float) and not isinstance(weight, bool)
        if not number or not np.isfinite(weight):
            raise SpecError(f"{where}: {name}: expected a number, got {weight!r}")
    if not any(table.values()):
        raise SpecError(f"{where}: expected a weight for at least one of {', '.join(MEASURES)}")
    return {name: float(weight) for name, weight in table.items()}
