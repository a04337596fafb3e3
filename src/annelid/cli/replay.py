"""``annelid replay``: draws a recorded run again, or checks that it repeats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import PluginOption, open_run

NOT_CHECKED = "It was ended from outside: the traces are the same so far; metrics are not compared."

RunArgument = Annotated[Path, typer.Argument(help="A run folder.")]


def replay(
    run: RunArgument,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Simulate the run again: compare traces and metrics bit for bit."
        ),
    ] = False,
    video: Annotated[bool, typer.Option(help="Render the video again.")] = True,
    programs: Annotated[
        bool,
        typer.Option("--programs", help="Allow programs that were written in the console to run."),
    ] = False,
    plugin: PluginOption = None,
) -> None:
    """Draw the report and video of a recorded run again, or check that it repeats exactly.

    Examples:

        annelid replay runs/default-001

        annelid replay runs/default-001 --check
    """
    from rich.console import Console

    console = Console()
    if not check:
        from annelid.report import write_report

        plugins = open_run(run, plugin).plugins
        paths = write_report(run, video=video, plugins=plugins)
        for said in (paths.report, paths.video, paths.note):
            if said:
                console.print(str(said), soft_wrap=True, highlight=False)
        return

    from annelid.cli.progress import simulating
    from annelid.trial.replay import replay as again

    recorded = open_run(run, plugin)
    with simulating(console, recorded.scenario) as progress:
        outcome = again(recorded, progress=progress, programs=programs)
    if outcome.same:
        console.print(f"{run}: the same, bit for bit ({outcome.recorded})", soft_wrap=True)
        if not outcome.checked:
            console.print(NOT_CHECKED, soft_wrap=True)
        return
    console.print(f"{run}: differs first in {outcome.difference}", soft_wrap=True)
    raise typer.Exit(1)
