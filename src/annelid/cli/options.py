"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from annelid.trial.plugins import Plugins

PluginOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin", help="A Python file with things of your own (annelid new); may be repeated."
    ),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="field=value, any field of the scenario; may be repeated."),
]


NominalOption = Annotated[
    bool,
    typer.Option(
        "--nominal",
        help="The robot as designed in every trial, instead of one drawn from its tolerances.",
    ),
]


def load_plugins(files: list[Path] | None) -> Plugins:
    """What the ``--plugin`` files define."""
    from annelid.trial.plugins import load

    return load(files or [])


def overrides(assignments: list[str] | None) -> dict[str, Any]:
    """``--set`` options as field to value."""
    from annelid.trial.fields import parse_assignment

    return dict(parse_assignment(text) for text in assignments or [])
