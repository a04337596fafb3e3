"""``annelid schema``: the fields of a file as JSON schema, for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from annelid.cli.options import PluginOption, load_plugins


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
