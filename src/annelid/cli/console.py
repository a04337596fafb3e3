"""``annelid console``: opens the web page on which a robot is watched and driven."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.options import PluginOption, SetOption, overrides, scenario_names


def console(
    source: Annotated[
        str,
        typer.Argument(
            help="A .toml file, the name of a shipped scenario, or a run folder to play back.",
            autocompletion=scenario_names,
        ),
    ] = "default",
    plugin: PluginOption = None,
    set_: SetOption = None,
    host: Annotated[
        str,
        typer.Option(
            help="Address to serve on. Any other than this machine's own (127.0.0.1) asks visitors"
            " for a token."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="TCP port; if it is taken, the next free one.")
    ] = 8080,
    token: Annotated[
        str | None,
        typer.Option(help="Password for visitors. Default: a random one, if --host needs it."),
    ] = None,
    edit_from_afar: Annotated[
        bool,
        typer.Option(
            "--edit-from-afar", help="Let visitors from other machines edit and run programs here."
        ),
    ] = False,
    runs: Annotated[Path, typer.Option(help="Folder in which run folders are written.")] = Path(
        "runs"
    ),
    open_: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = True,
) -> None:
    """Watch a robot in the browser, drive it, break it, program it; or play back a run.

    Examples:

        annelid console

        annelid console snake --port 9000 --no-open

        annelid console runs/default-001
    """
    from annelid.errors import needing

    with needing("console", "annelid console"):
        from annelid.console.page import Page
    from annelid.cli.options import load_plugins
    from annelid.console.gate import AccessGate, free_port
    from annelid.console.source import RunSource
    from annelid.trial.folder import SCENARIO

    gate = AccessGate(host, token=token)
    free_port(host, port)  # before anything is begun that would have to be ended
    plugins = load_plugins(plugin)
    shown: RunSource
    if (Path(source) / SCENARIO).is_file():
        from annelid.cli.options import open_run
        from annelid.console.playback import Playback

        shown = Playback(open_run(Path(source), plugin))
        page = Page(shown, gate=gate, port=port, plugins=plugins)
    else:
        from annelid.console.session import Session
        from annelid.trial.load import load

        scenario = load(source, plugins=plugins, overrides=overrides(set_))
        shown = Session(runs=runs, plugins=[str(file) for file in plugin or ()])
        page = Page(shown, gate=gate, port=port, plugins=plugins, edit_from_afar=edit_from_afar)
        shown.open(scenario)
    echo(f"console  {page.address}")
    if not gate.open:
        echo("Anybody with this address and its token can drive the robot.")
    if open_:
        import webbrowser

        webbrowser.open(page.address)
    try:
        page.run()
    finally:
        page.close()
