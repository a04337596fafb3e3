"""``annelid new``: a module type or a world of one's own, to start from."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer


class What(StrEnum):
    MODULE = "module"
    WORLD = "world"


def new(
    what: Annotated[What, typer.Argument(help="What to begin.")],
    name: Annotated[str, typer.Argument(help="Its name, such as wheel or front_wheel.")],
    folder: Annotated[Path, typer.Option(help="Where to write it.")] = Path(),
) -> None:
    """Write a working module type or world in one file, with its test.

    Examples:

        annelid new module wheel

        annelid new world stairs --folder plugins
    """
    from annelid.cli.new import new_module, new_world, next_steps

    written = (new_module if what is What.MODULE else new_world)(name, folder)
    typer.echo(next_steps(written))
