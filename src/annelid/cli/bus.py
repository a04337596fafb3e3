"""``annelid bus``: prints the messages that the boards of a recorded run sent."""

from __future__ import annotations

from typing import Annotated

import typer

from annelid.cli.options import PluginOption, open_run
from annelid.cli.replay import RunArgument


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
        float | None, typer.Option(min=0.0, help="Only messages from this time on, s.")
    ] = None,
    until: Annotated[
        float | None, typer.Option(min=0.0, help="Only messages before this time, s.")
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
        typer.echo(f"{run}: nothing was sent in this run", err=True)
        return
    chosen = FrameFilter(sender, to, link, command, since, until).of(said)
    for line in lines(chosen):
        typer.echo(line)
    if len(chosen) < len(said):
        typer.echo(f"{len(chosen)} of {len(said)} messages", err=True)
