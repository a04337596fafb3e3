"""Options that several commands share."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.echo import echo

if TYPE_CHECKING:
    from annelid.trial.plugins import Plugins
    from annelid.trial.replay import Run


def finite(value: float | None) -> float | None:
    """A number of an option: bounds let ``nan`` pass, and without one ``inf``."""
    if value is not None and not isfinite(value):
        raise typer.BadParameter(f"expected a finite number, got {value}")
    return value


PluginOption = Annotated[
    list[Path] | None,
    typer.Option(
        "--plugin",
        help="A Python file with your own modules, worlds, gaits … (see: annelid new). May be "
        "repeated.",
    ),
]

SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        help="field=value: set any field of the file, such as world.bore_mm=42. May be repeated.",
    ),
]


NominalOption = Annotated[
    bool,
    typer.Option(
        "--nominal",
        help="Use the robot exactly as designed. Without it, every trial draws masses, friction, "
        "servos and start from the tolerances.",
    ),
]

SeedOption = Annotated[
    int | None,
    typer.Option(min=0, help="Seed of every random draw; the same seed repeats the run exactly."),
]

WorkersOption = Annotated[
    int | None,
    typer.Option(min=1, max=1024, help="Number of worker processes. Default: one per core."),
]

ClusterOption = Annotated[
    str | None,
    typer.Option(help="Address of a Dask scheduler that runs the trials: tcp://10.0.0.1:8786."),
]


FirstSeedOption = Annotated[int, typer.Option(min=0, help="Of the first; the others follow.")]

KeepOption = Annotated[bool, typer.Option("--keep", help="Write the table to results/ as well.")]


def scenario_names(incomplete: str) -> list[str]:
    """Shipped scenarios and TOML files, for completion in a shell."""
    from annelid.trial.load import shipped

    files = [str(path) for path in Path().glob("*.toml")]
    return [name for name in (*shipped(), *files) if name.startswith(incomplete)]


def load_plugins(files: list[Path] | None) -> Plugins:
    """What the ``--plugin`` files define."""
    from annelid.trial.plugins import load

    return load(files or [])


def open_run(folder: Path, files: list[Path] | None) -> Run:
    """A recorded run, held against its seal; one that was cut off says so."""
    from annelid.trial.replay import Run

    run = Run(folder, plugins=load_plugins(files))
    say_note(run)
    return run


def say_note(run: Run) -> None:
    """What a reader should know of a run that was cut off, beside what is asked for."""
    if run.note is not None:
        echo(f"annelid: {run.note}", err=True)


def overrides(assignments: list[str] | None) -> dict[str, Any]:
    """``--set`` options as field to value."""
    from annelid.trial.fields import parse_assignment

    return dict(parse_assignment(text) for text in assignments or [])
