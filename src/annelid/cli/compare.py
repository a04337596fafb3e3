"""``annelid compare``: runs, studies, scenarios or chains of modules, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.options import NominalOption, PluginOption, WorkersOption, load_plugins

if TYPE_CHECKING:
    from annelid.cli.screen import Screen
    from annelid.trial.compare import ComparisonRow


def compare(
    things: Annotated[
        list[str],
        typer.Argument(
            help="Two or more run folders, study folders, scenarios, or chains (with --on)."
        ),
    ],
    on: Annotated[
        str | None,
        typer.Option("--on", help="Compare chains of modules, such as TRRH TRH, in this scenario."),
    ] = None,
    repeats: Annotated[
        int, typer.Option(min=1, help="Trials of each scenario or chain; all get the same seeds.")
    ] = 8,
    workers: WorkersOption = None,
    nominal: NominalOption = False,
    html: Annotated[
        Path | None, typer.Option(help="Also write a page with curves to this file.")
    ] = None,
    plugin: PluginOption = None,
) -> None:
    """Show side by side how runs, studies, scenarios or chains differ: settings and results.

    Runs and studies are read from disk. Scenarios and chains are simulated first; each trial draws
    its own robot from the tolerances.

    Examples:

        annelid compare runs/default-001 runs/default-002 --html compared.html

        annelid compare runs/study-one runs/study-two

        annelid compare push my-robot.toml --repeats 20

        annelid compare TRRH TRH --on push
    """
    from annelid.cli.progress import counting
    from annelid.cli.screen import Screen
    from annelid.errors import InputError
    from annelid.offline import api
    from annelid.offline.folder import stores_in

    console = Screen()
    to_run = on is not None or all(map(api.is_scenario, things))
    if to_run and html is not None:
        raise InputError("--html: draws runs and studies that have been made")
    with counting(console, "trials", repeats * len(things) if to_run else 0) as tell:
        found = api.compare(
            *things,
            on=on,
            repeats=repeats,
            nominal=nominal,
            workers=workers,
            plugins=plugin or [],
            progress=tell,
        )
    for note in found.notes:
        echo(f"annelid: {note}", err=True)
    _print(console, "Set", found.names, found.settings)
    came = f"Came out, {repeats} trials each" if to_run else "Came out"
    studies = not to_run and bool(stores_in(Path(things[0])))
    _print(console, came, found.names, found.outcomes, change=not studies)
    if found.same:
        console.print("The traces are the same, bit for bit.")
    if html is not None:
        folders = [Path(thing) for thing in things]
        page = _studies_page(folders, html) if studies else _runs_page(folders, html, plugin)
        console.print(str(page), soft_wrap=True)


def _studies_page(folders: Sequence[Path], html: Path) -> Path:
    from annelid.offline.compare import comparison_page, studies_of

    return comparison_page(studies_of(folders), html)


def _runs_page(folders: Sequence[Path], html: Path, plugin: list[Path] | None) -> Path:
    from annelid.report.comparison import comparison_page

    return comparison_page(folders, html, plugins=load_plugins(plugin))


def _print(
    console: Screen,
    title: str,
    names: Sequence[str],
    rows: Sequence[ComparisonRow],
    *,
    change: bool = False,
) -> None:
    """A column for each thing, and how the last differs from the first."""
    from rich.table import Table

    if not rows:
        return
    table = Table("", *names, *(["change"] if change else []), title=title)
    for row in rows:
        table.add_row(row.name, *row.shown, *([row.change] if change else []))
    console.print(table)
