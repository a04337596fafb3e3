"""``annelid converge``: measures how much a result depends on the timestep."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import PluginOption, WorkersOption

KEPT = Path("results/physics.md")
REPEATS_MAX = 10_000


def converge(
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Files or shipped names. Default: one for each kind of locomotion."),
    ] = None,
    repeats: Annotated[
        int,
        typer.Option(min=1, max=REPEATS_MAX, help="Runs per timestep, each with its own seed."),
    ] = 2,
    workers: WorkersOption = None,
    plugin: PluginOption = None,
    keep: Annotated[
        bool, typer.Option("--keep", help=f"Write the table to {KEPT} (shipped scenarios only).")
    ] = False,
) -> None:
    """Run scenarios with timesteps of 0.25, 0.5, 1 and 2 ms and compare the speeds.

    The speed is that of the robot's centre over the second half of a run.  A scenario falls
    short if its speed at the default timestep differs by more than 3 % from the finest.

    Examples:

        annelid converge my.toml

        annelid converge snake caterpillar --repeats 4
    """
    from rich.table import Table

    from annelid.cli.screen import Screen
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
    console = Screen()
    with (
        console.waiting("Comparing timesteps …") as status,
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
