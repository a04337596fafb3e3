"""The rows of a run as poses, joint states and readings, for players of recordings."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from annelid.errors import InputError
from annelid.trial.recorder import POSE
from annelid.trial.replay import Run

Floats = NDArray[np.float64]
Times = NDArray[np.int64]


@dataclass(frozen=True)
class Rows:
    """What was recorded at the same moments."""

    times_ns: Times
    values: Mapping[str, Floats]
    """Name to a row for each moment."""


def poses(run: Run) -> Rows:
    """Of every module: x y z (m), then qw qx qy qz."""
    table = _table(run, "modules")
    names = [name[2:-1] for name in table if name.startswith("x[")]
    found = {name: np.stack([table[f"{part}[{name}]"] for part in POSE], axis=1) for name in names}
    return Rows(np.asarray(table["time_ns"]), found)


def joints(run: Run) -> Rows:
    """Of every motor: position (rad or m), target, current (A)."""
    if "actuators" not in run:
        return Rows(np.zeros(0, np.int64), {})
    table = _table(run, "actuators")
    names = [name[9:-1] for name in table if name.startswith("position[")]
    quantities = ("position", "target", "current")
    found = {
        name: np.stack([table[f"{each}[{name}]"] for each in quantities], axis=1) for name in names
    }
    return Rows(np.asarray(table["time_ns"]), found)


def numbers(run: Run, table: str) -> Rows:
    """Of ``robot`` or ``sensors``: one number each; none where nothing was recorded."""
    if table not in run:
        return Rows(np.zeros(0, np.int64), {})
    columns = dict(run[table])
    times = np.asarray(columns.pop("time_ns"))
    return Rows(times, {name: np.asarray(each, float) for name, each in columns.items()})


def _table(run: Run, name: str) -> Mapping[str, Floats]:
    if name not in run:
        raise InputError(f"{run.folder}: has no table {name!r}; was the run cut short?")
    return run[name]
