"""Prints one line, without what a terminal would obey; :mod:`annelid.cli.screen` has the tables.

Apart from it because Rich takes time to import.
"""

from __future__ import annotations

import typer

from annelid.boundary.plain import visible


def echo(words: object, *, err: bool = False) -> None:
    """On the screen, or beside what is asked for."""
    typer.echo(visible(str(words)), err=err)
