"""``annelid bus``: who said what to whom, in a run that has been made."""

from __future__ import annotations

from typing import Annotated

import typer

from annelid.cli.options import PluginOption, load_plugins
from annelid.cli.replay import RunArgument


def bus(
    run: RunArgument,
    sender: Annotated[str | None, typer.Option("--from", help="Who speaks: R1, CC, 5.")] = None,
    to: Annotated[str | None, typer.Option(help="Who hears it, or was meant to.")] = None,
    command: Annotated[str | None, typer.Option(help="A command or word of the message.")] = None,
    link: Annotated[str | None, typer.Option(help="One of the links.")] = None,
    since: Annotated[float | None, typer.Option(min=0.0, help="From this time on, s.")] = None,
    until: Annotated[float | None, typer.Option(min=0.0, help="Before this time, s.")] = None,
    plugin: PluginOption = None,
) -> None:
    """The conversation on the wires of a run, message by message.

    Examples:

        annelid bus runs/erekobot-001 --until 2

        annelid bus runs/pipe-001 --from CC --command MS1
    """
    from annelid.report.conversation import FrameFilter, lines
    from annelid.report.wire import conversation
    from annelid.trial.replay import Run

    said = conversation(Run(run, plugins=load_plugins(plugin)))
    if not said:
        typer.echo(f"{run}: nothing was sent in this run", err=True)
        return
    chosen = FrameFilter(sender, to, link, command, since, until).of(said)
    for line in lines(chosen):
        typer.echo(line)
    if len(chosen) < len(said):
        typer.echo(f"{len(chosen)} of {len(said)} messages", err=True)
