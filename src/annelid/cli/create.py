"""``annelid new``: the arguments of the command that writes a new plugin."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.echo import echo


class PluginKindName(StrEnum):
    MODULE = "module"
    WORLD = "world"
    GAIT = "gait"
    CONTROLLER = "controller"
    SERVO = "servo"
    SYSTEM = "system"
    LINK = "link"
    BEHAVIOUR = "behaviour"
    RULE = "rule"
    FAULT = "fault"
    OBJECTIVE = "objective"
    MEASURE = "measure"
    OPTIMISER = "optimiser"


def new(
    what: Annotated[PluginKindName, typer.Argument(help="Kind of plugin to write.")],
    name: Annotated[str, typer.Argument(help="Its name, such as wheel or front_wheel.")],
    folder: Annotated[Path, typer.Option(help="Folder to write it in.")] = Path(),
) -> None:
    """Write a working plugin of your own, such as a module or a gait, with its test.

    Examples:

        annelid new module wheel

        annelid new world stairs --folder plugins

        annelid new gait ripple
    """
    from annelid.cli.new import new as write
    from annelid.cli.new import next_steps

    echo(next_steps(what.value, write(what.value, name, folder)))
