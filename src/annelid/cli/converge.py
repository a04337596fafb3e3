"""``annelid converge``: does the answer depend on the timestep?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import PluginOption

KEPT = Path("results/physics.md")


def converge(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Files or shipped names; else one of each kind of locomotion."),
    ] = None,
    repeats: Annotated[int, typer.Option(min=1, help="Runs per timestep, each a new seed.")] = 2,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; else all cores.")] = None,
    plugin: PluginOption = None,
    keep: Annotated[
        bool, typer.Option("--keep", help=f"Renew the kept table, {KEPT} (shipped ones only).")
    ] = False,
) -> None:
    """Run scenarios at 0.25, 0.5, 1 and 2 ms and compare their speeds with the finest.

    The speed is that of the robot's centre over the second half of a run.  A scenario whose default
    timestep is more than 3 % off the finest is short.

    Examples:

        annelid converge my.toml

        annelid converge snake caterpillar --repeats 4
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.errors import InputError
    from annelid.papers.bench import Bench
    from annelid.papers.convergence import SHIPPED, mesh_table, rest_table, speeds, table
    from annelid.papers.record import stamp

    if keep and scenarios:
        raise InputError("--keep renews the shipped table; leave out the scenarios")
    if plugin and not scenarios:
        raise InputError("--plugin: for which scenario? None is given")
    files = tuple(plugin or ())
    chosen = [(name, None) for name in scenarios] if scenarios else list(SHIPPED)
    console = Console()
    with (
        console.status("Comparing timesteps …") as status,
        Bench(
            workers=workers, progress=lambda what, done: status.update(f"{what}: {done:.0%}")
        ) as bench,
    ):
        found = [
            speeds(bench, name, duration_s=duration, repeats=repeats, plugin_files=files)
            for name, duration in chosen
        ]
        tables = [table(found)]
        if not scenarios:
            tables += [rest_table(bench), mesh_table(bench)]
    for lines in tables:
        head, _, *rows = ([cell.strip() for cell in line.split("|")[1:-1]] for line in lines)
        shown = Table(*head)
        for row in rows:
            shown.add_row(*row)
        console.print(shown)
    if keep:
        commit, day = stamp()
        KEPT.parent.mkdir(exist_ok=True)
        text = [
            "# Time steps, rest and meshes",
            "",
            f"Measured {day} at {commit or 'an unknown commit'} by `annelid converge --keep`; "
            f"{repeats} runs each.  Above 1 ms servos are quasi-static.",
            *(line for lines in tables for line in ("", *lines)),
        ]
        KEPT.write_text("\n".join(text) + "\n", encoding="utf-8")
        console.print(str(KEPT))
