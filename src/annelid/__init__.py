"""Annelid: design, simulate, control and evolve robots made of modules.

::

    import annelid

    run = annelid.run("default", robot__chain="TRRH", duration_s=10)
    run.metrics.progress_m
    run["robot"]["progress"]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from annelid.trial.api import run as run
    from annelid.trial.replay import Run as Run

__version__ = "0.1.0.dev0"

__all__ = ["Run", "__version__", "run"]

_LATE = {"run": "annelid.trial.api", "Run": "annelid.trial.replay"}
"""Imported when first asked for: ``import annelid`` itself stays quick."""


def __getattr__(name: str) -> Any:
    if name not in _LATE:
        raise AttributeError(f"module 'annelid' has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(_LATE[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
