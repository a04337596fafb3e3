"""``annelid export`` and ``annelid schema``: robots, worlds, runs and fields for other tools."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.options import PluginOption, load_plugins, say_note


def export(
    source: Annotated[str, typer.Argument(help="A scenario (name or file), or a run folder.")],
    form: Annotated[
        str,
        typer.Argument(
            help="Of a scenario: mjcf, urdf, stl, svg (its pipes), and c-header and the like "
            "where its system has them. Of a run folder: csv, parquet, mcap, rerun, and those too."
        ),
    ],
    out: Annotated[
        Path | None, typer.Option(help="File to write. Default: in this folder, or the screen.")
    ] = None,
    plugin: PluginOption = None,
) -> None:
    """Write a robot with its world, or a recorded run, as files for other tools.

    Examples:

        annelid export snake mjcf --out snake.xml

        annelid export default svg

        annelid export default c-header --out microtub_protocol.h

        annelid export runs/default-001 mcap
    """
    from annelid.export.forms import export as write
    from annelid.export.forms import run_in

    plugins = load_plugins(plugin)
    run = run_in(source, plugins)
    if run is not None:
        say_note(run)
    done = write(source if run is None else run, form, out, plugins=plugins)
    if isinstance(done, Path):
        echo(done)
    else:
        typer.echo(done, nl=False)


def schema(
    file: Annotated[
        str,
        typer.Argument(
            help="What the file is: scenario or study.",
            autocompletion=lambda: ["scenario", "study"],
        ),
    ],
    plugin: PluginOption = None,
) -> None:
    """Print the JSON schema of a scenario or study, for editors that complete and check TOML.

    Examples:

        annelid schema scenario > scenario.schema.json

        annelid schema study --plugin mine.py > study.schema.json
    """
    import json

    from annelid.report.schema import schema as schema_of

    made = schema_of(file, load_plugins(plugin))
    typer.echo(json.dumps(made, indent=1, ensure_ascii=False))
