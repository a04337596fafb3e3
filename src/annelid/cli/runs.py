"""``annelid replay`` and ``annelid compare``: runs that have been made, looked at again."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import PluginOption, load_plugins

RunArgument = Annotated[Path, typer.Argument(help="A run folder.")]


def replay(
    run: RunArgument,
    check: Annotated[
        bool, typer.Option("--check", help="Simulate again and compare bit for bit.")
    ] = False,
    video: Annotated[bool, typer.Option(help="Render the video anew.")] = True,
    programs: Annotated[
        bool, typer.Option("--programs", help="Run programs that were written in the console.")
    ] = False,
    plugin: PluginOption = None,
) -> None:
    """Draw a run's report and video again, or prove that it repeats.

    Examples:

        annelid replay runs/default-001

        annelid replay runs/default-001 --check
    """
    from rich.console import Console

    console = Console()
    if not check:
        from annelid.report import write_report

        paths = write_report(run, video=video, plugins=load_plugins(plugin))
        for said in (paths.report, paths.video, paths.note):
            if said:
                console.print(str(said), soft_wrap=True, highlight=False)
        return

    from annelid.cli.progress import simulating
    from annelid.trial.replay import Run
    from annelid.trial.replay import replay as again

    recorded = Run(run, plugins=load_plugins(plugin))
    with simulating(console, recorded.scenario) as progress:
        outcome = again(recorded, progress=progress, programs=programs)
    if outcome.same:
        console.print(f"{run}: the same, bit for bit ({outcome.recorded})", soft_wrap=True)
        return
    console.print(f"{run}: differs first in {outcome.difference}", soft_wrap=True)
    raise typer.Exit(1)


def compare(
    runs: Annotated[list[Path], typer.Argument(help="Two or more run folders, or studies.")],
    html: Annotated[Path | None, typer.Option(help="Also draw a page with curves.")] = None,
    plugin: PluginOption = None,
) -> None:
    """Runs, or studies, side by side: what was set differently, and what came of it.

    Examples:

        annelid compare runs/default-001 runs/default-002

        annelid compare runs/default-00* --html compared.html

        annelid compare runs/study-one runs/study-two
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.offline.folder import stores_in

    if all(stores_in(folder) for folder in runs):
        _compare_studies(runs, html)
        return

    from annelid.trial.compare import compare as compared
    from annelid.trial.replay import Run

    plugins = load_plugins(plugin)
    comparison = compared([Run(folder, plugins=plugins) for folder in runs])
    console = Console()
    for title, rows in (("Set", comparison.settings), ("Came out", comparison.outcomes)):
        table = Table("", *(folder.name for folder in runs), title=title)
        if title == "Came out":
            table.add_column("change")
        for row in rows:
            table.add_row(row.name, *row.shown, *([row.change] if title == "Came out" else []))
        if rows:
            console.print(table)
    if comparison.same:
        console.print("The traces are the same, bit for bit.")
    if html is not None:
        from annelid.report.comparison import comparison_page

        page = comparison_page(runs, html, plugins=plugins)
        console.print(str(page), soft_wrap=True, highlight=False)


def _compare_studies(folders: list[Path], html: Path | None) -> None:
    from rich.console import Console
    from rich.table import Table

    from annelid.offline import compare as studies

    console = Console()
    kept = studies.studies_of(folders)
    for title, rows in (("Set", studies.settings(kept)), ("Came out", studies.outcomes(kept))):
        table = Table("", *studies.labels(kept), title=title)
        for row in rows:
            table.add_row(row.name, *row.shown)
        if rows:
            console.print(table)
    if html is not None:
        console.print(str(studies.comparison_page(kept, html)), soft_wrap=True, highlight=False)
