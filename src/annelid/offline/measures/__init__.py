"""Measures: numbers of a genome that are computed, without a simulation or a random draw.

A study names such a measure by ``fitness.measure``; its terms are then numbers of the measure.  All
else is as in any study: space, optimisers, store, pages, and the best as a scenario to run.

``MEASURES`` says how one of your own is brought (``annelid.registry``): as a ``MeasureKind``.  One
that is about the robots of a system is named by that :class:`~annelid.systems.System`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from annelid.registry import Kind
from annelid.systems import SYSTEMS
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario


class Measure(Protocol):
    @property
    def names(self) -> Sequence[str]:
        """What it measures, each with its unit: ``distance_m``."""

    def __call__(self, fields: Mapping[str, Any]) -> Mapping[str, float]:
        """From the fields that a genome sets; a number that it does not have is left out."""

    def scenario(self, fields: Mapping[str, Any]) -> Mapping[str, Any]:
        """What the best's scenario sets for these fields: mostly the same."""


Build = Callable[[Scenario, Plugins, Sequence[str]], Measure]
"""``build(scenario, plugins, fields)``: for a study that searches those fields of that scenario.
Raises an input error when it cannot tell what one of them does."""


@dataclass(frozen=True)
class MeasureKind:
    """What a study names by ``fitness.measure``."""

    name: str
    title: str
    """One line about it."""
    build: Build


def _of_systems() -> dict[str, str]:
    systems = SYSTEMS.table().values()
    return {name: place for system in systems for name, place in system.measures.items()}


MEASURES: Final[Kind[MeasureKind]] = Kind(
    name="measure",
    plural="measures",
    base=MeasureKind,
    key=lambda measure: str(measure.name),
    built_in=_of_systems,
    instances=True,
)


def build_measure(
    name: str, scenario: Scenario, plugins: Plugins, fields: Sequence[str]
) -> Measure:
    """The measure of that name, for these fields."""
    kind = plugins.table(MEASURES).find(name, where="fitness.measure")
    return kind.build(scenario, plugins, fields)
