"""Annelid: design, simulate, control and evolve robots made of modules.

::

    import annelid

    run = annelid.run("default", robot__chain="TRRH", duration_s=10)
    run.metrics.progress_m
    run["robot"]["progress"]

===============================  ==================================================================
``Scenario``, ``load``           what a run depends on: robot, world, control, seed
``run``, ``Run``                 simulate a scenario; what it recorded
``sweep``                        a scenario over varied fields: success rates
``compare``                      runs, studies, scenarios or chains side by side
``evolve``, ``Study``            search gaits and configurations
``modules``, ``worlds``          what robots are made of and move in: ``annelid.worlds.Pipe``
``errors``                       everything that is raised on purpose
===============================  ==================================================================
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annelid import errors as errors
    from annelid import modules as modules
    from annelid import worlds as worlds
    from annelid.offline.api import compare as compare
    from annelid.offline.api import evolve as evolve
    from annelid.offline.study import Study as Study
    from annelid.trial.api import load as load
    from annelid.trial.api import run as run
    from annelid.trial.api import sweep as sweep
    from annelid.trial.replay import Run as Run
    from annelid.trial.scenario import Scenario as Scenario

__version__ = "0.1.0.dev0"

_LATE = {
    "Run": "annelid.trial.replay",
    "Scenario": "annelid.trial.scenario",
    "Study": "annelid.offline.study",
    "compare": "annelid.offline.api",
    "evolve": "annelid.offline.api",
    "load": "annelid.trial.api",
    "run": "annelid.trial.api",
    "sweep": "annelid.trial.api",
}
"""Imported when first asked for: ``import annelid`` itself stays quick."""

_PARTS = ("errors", "modules", "worlds")

__all__ = [
    "Run",
    "Scenario",
    "Study",
    "__version__",
    "compare",
    "errors",
    "evolve",
    "load",
    "modules",
    "run",
    "sweep",
    "worlds",
]


def __getattr__(name: str) -> Any:
    from importlib import import_module

    if name in _PARTS:
        return import_module(f"annelid.{name}")
    if name not in _LATE:
        raise AttributeError(f"module 'annelid' has no attribute {name!r}")
    return getattr(import_module(_LATE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
