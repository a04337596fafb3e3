"""Reads what the plots need from a run, in everyday units: mm, °, mA, s."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from annelid.errors import MissingFile, SpecError, UnknownKey
from annelid.trial.folder import SCENARIO
from annelid.trial.plugins import Plugins
from annelid.trial.replay import Run

if TYPE_CHECKING:
    from annelid.kernel.trace import Event
    from annelid.trial.metrics import Metrics
    from annelid.trial.scenario import Scenario

Floats = NDArray[np.float64]

_PEOPLE: dict[str, tuple[str, float]] = {
    "m": ("mm", 1000.0),
    "rad": ("°", float(np.degrees(1.0))),
    "A": ("mA", 1000.0),
    "level": ("level", 1.0),
    "1": ("", 1.0),
}
"""Unit of the trace to (unit of the screen, factor); others stay as they are."""

NOTEWORTHY = (
    *("cut", "join", "trip", "goal", "home", "fell", "unstable"),
    *("fault", "mended", "off", "reset", "crash"),
)
"""Events that are marked in the plots."""


ALWAYS: Mapping[str, tuple[str, ...]] = {
    "robot": ("progress", "x", "y", "z", "power", "energy"),
    "power": ("voltage", "current", "charge"),
}
"""Columns that every table of this name has."""


class Recording:
    """One run, ready to be drawn.  Tables that were not recorded are empty, not errors."""

    def __init__(self, folder: Path | str, *, plugins: Plugins = Plugins()) -> None:  # noqa: B008
        self.run = Run(folder, plugins=plugins)
        self.folder = self.run.folder

    @property
    def scenario(self) -> Scenario:
        return self.run.scenario

    @cached_property
    def scenario_text(self) -> str:
        return (self.folder / SCENARIO).read_text(encoding="utf-8")

    @cached_property
    def metrics(self) -> Metrics | None:
        """None where the run was killed before it could write them."""
        try:
            return self.run.metrics
        except MissingFile:
            return None

    @cached_property
    def events(self) -> list[Event]:
        return self.run.events() if "events" in self.run.tables else []

    @cached_property
    def marks(self) -> list[tuple[float, str]]:
        """Moments to mark in a plot over time, at most a dozen."""
        found = [
            (event.time_ns * 1e-9, _short(event)) for event in self.events
            if event.kind in NOTEWORTHY
        ]  # fmt: skip
        return found[:12]

    @cached_property
    def letters(self) -> str:
        uses = self.scenario.robot.uses()
        return "".join(use.type for use in uses)

    def time(self, table: str) -> Floats:
        """s."""
        return self.run.time(table) if table in self.run.tables else np.empty(0)

    def column(self, table: str, name: str) -> tuple[Floats, str]:
        """(values, unit) as people read them; no values where there is no such column."""
        if table not in self.run.tables:
            return np.empty(0), ""
        rows = self.run[table]
        if name not in rows:
            if name in ALWAYS.get(table, ()):
                raise UnknownKey("column", name, rows, where=f"{self.folder}: table {table!r}")
            return np.empty(0), ""
        if not np.issubdtype(rows[name].dtype, np.number):
            raise SpecError(f"{self.folder}: table {table!r}: {name}: expected numbers, got words")
        unit, factor = _PEOPLE.get(self._units(table)[name], (self._units(table)[name], 1.0))
        return np.asarray(rows[name], float) * factor, unit

    def motors(self) -> list[str]:
        return [name for name, _ in self.group("actuators", "target")]

    def group(self, table: str, quantity: str) -> Iterator[tuple[str, str]]:
        """(name, column) of all columns ``quantity[name]``."""
        if table in self.run.tables:
            for column in self._units(table):
                if column.startswith(f"{quantity}[") and column.endswith("]"):
                    yield column[len(quantity) + 1 : -1], column

    def sensors(self) -> dict[tuple[str, str], list[str]]:
        """Columns of the sensor table by (kind of sensor, unit that people read)."""
        groups: dict[tuple[str, str], list[str]] = {}
        if "sensors" in self.run.tables:
            for column, unit in list(self._units("sensors").items())[1:]:
                kind = column.split(".")[1] if "." in column else column
                stem = re.sub(r"(_\w+|\d+)$", "", kind)
                groups.setdefault((stem, _PEOPLE.get(unit, (unit, 1.0))[0]), []).append(column)
        return groups

    def _units(self, table: str) -> dict[str, str]:
        return self.run.trace.schema(table).units


def _short(event: Event) -> str:
    if event.kind == "fault":
        return f"{str(event.detail.get('fault', '')).replace('_', ' ')} {event.source}"
    if event.kind in ("trip", "mended", "off", "reset", "crash"):
        return f"{event.kind} {event.source}"
    if event.kind in ("cut", "join"):
        return f"{event.kind} {event.detail.get('a', '')}"
    return event.kind
