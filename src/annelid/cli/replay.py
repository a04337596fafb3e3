"""``annelid replay`` and ``annelid bus``: a recorded run drawn, checked, and its messages."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.options import PluginOption, finite, open_run

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
    from annelid.cli.screen import Screen

    console = Screen()
    if not check:
        from annelid.report import write_report

        plugins = open_run(run, plugin).plugins
        paths = write_report(run, video=video, plugins=plugins)
        for said in (paths.report, paths.video, paths.note):
            if said:
                console.print(str(said), soft_wrap=True)
        return

    from annelid.cli.progress import simulating
    from annelid.trial.replay import replay as again

    recorded = open_run(run, plugin)
    with simulating(console, recorded.scenario) as progress:
        outcome = again(recorded, progress=progress, programs=programs)
    if not outcome.same:
        console.print(f"{run}: differs first in {outcome.difference}", soft_wrap=True)
    elif outcome.checked:
        console.print(f"{run}: the same, bit for bit ({outcome.recorded})", soft_wrap=True)
    else:
        console.print(
            f"{run}: it was killed, or it failed; what is there, up to {outcome.reached_s:.3f} s, "
            "is the same.",
            soft_wrap=True,
        )
    for left_out in outcome.unchecked:
        console.print(f"Not compared: {left_out}", soft_wrap=True)
    if not outcome.same:
        raise typer.Exit(1)


def bus(
    run: RunArgument,
    sender: Annotated[
        str | None, typer.Option("--from", help="Only messages of this sender: R1, CC, 5.")
    ] = None,
    to: Annotated[str | None, typer.Option(help="Only messages to this receiver.")] = None,
    command: Annotated[
        str | None, typer.Option(help="Only messages with this command or word.")
    ] = None,
    link: Annotated[str | None, typer.Option(help="Only messages on this link.")] = None,
    since: Annotated[
        float | None,
        typer.Option(min=0.0, callback=finite, help="Only messages from this time on, s."),
    ] = None,
    until: Annotated[
        float | None,
        typer.Option(min=0.0, callback=finite, help="Only messages before this time, s."),
    ] = None,
    plugin: PluginOption = None,
) -> None:
    """List the messages that the boards of a run sent to each other.

    Examples:

        annelid bus runs/erekobot-001 --until 2

        annelid bus runs/pipe-001 --from CC --command MS1
    """
    from annelid.report.conversation import FrameFilter, lines
    from annelid.report.wire import conversation

    said = conversation(open_run(run, plugin))
    if not said:
        echo(f"{run}: nothing was sent in this run", err=True)
        return
    chosen = FrameFilter(sender, to, link, command, since, until).of(said)
    for line in lines(chosen):
        echo(line)
    if len(chosen) < len(said):
        echo(f"{len(chosen)} of {len(said)} messages", err=True)
