"""``annelid replay``: draws a recorded run again, or checks that it repeats."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import PluginOption, load_plugins

RunArgument = Annotated[Path, typer.Argument(help="A run folder.")]


def replay(
    run: RunArgument,
    check: Annotated[
        bool,
        typer.Option(
            "--check", help="Simulate the run again and compare the two traces bit for bit."
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
