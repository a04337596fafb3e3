"""What a genome amounts to where it can be computed: no trial is run, and there is no chance in it.

A study names such a measure by ``fitness.measure``; its terms are then numbers of the measure.  All
else is as in any study: space, optimisers, store, pages, and the best as a scenario to run.

Yours is found by an entry point in the group ``annelid.measures`` that names a function such as
``annelid.systems.climber.front.leg_positions:build``; one that is about the robots of a system is
named by that :class:`~annelid.systems.System`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import entry_points
from typing import Any, Final, Protocol

from annelid.errors import SpecError, UnknownName
from annelid.systems import Systems
from annelid.systems.front import found
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Scenario

ENTRY_POINTS: Final = "annelid.measures"


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


def build_measure(
    name: str, scenario: Scenario, plugins: Plugins, fields: Sequence[str]
) -> Measure:
    """The measure of that name, for these fields."""
    own = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    systems = Systems(*plugins.systems)
    theirs = {
        measure: place
        for system in systems.names
        for measure, place in systems[system].measures.items()
    }
    if twice := sorted(set(own) & set(theirs)):
        raise SpecError(f"measure {twice[0]!r} is there already; choose another name")
    if name in theirs:
        build: Build = found(theirs[name])
    elif name in own:
        build = own[name].load()
    else:
        raise UnknownName("measure", name, {**theirs, **own}, where="fitness.measure")
    return build(scenario, plugins, fields)
