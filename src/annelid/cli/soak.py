"""``annelid soak``: a console and runs for long, and what they take."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from operator import attrgetter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annelid.boundary.markdown import markdown_table
from annelid.cli.options import KeepOption, finite

if TYPE_CHECKING:
    from annelid.reliability.soak import Soaked

MINUTES_MAX = 100_000.0
"""Two months."""


def soak(
    minutes: Annotated[
        float,
        typer.Option(min=0.1, max=MINUTES_MAX, callback=finite, help="Minutes to run."),
    ] = 30.0,
    keep: KeepOption = False,
) -> None:
    """Run a console and simulations for a long time; check that nothing grows (Linux).

    A console on this machine is visited again and again; meanwhile one process simulates the same
    run over and over, and every one has to come out alike. The exit code is 1 if anything grows; in
    less than ten minutes memory still warms up.

    Examples:

        annelid soak --minutes 30

        annelid soak --minutes 180 --keep
    """
    from annelid.cli.progress import counting
    from annelid.cli.screen import Screen
    from annelid.reliability.record import keep as record
    from annelid.reliability.soak import soak as soaking

    console = Screen()
    parts: tuple[Soaked, ...] = ()
    cut = False
    with tempfile.TemporaryDirectory() as folder:
        try:
            with counting(console, "minutes", round(minutes)) as tell:
                for told in soaking(Path(folder), minutes):
                    parts = told
                    tell(int(told[0].lasted_s / 60))
        except KeyboardInterrupt:  # the table is of what is done
            cut = True
    lines = list(soak_lines(parts))
    console.print("\n".join(lines), soft_wrap=True)
    if keep and parts:
        lasted = parts[0].lasted_s / 60
        console.print(str(record("Soak", f"annelid soak --minutes {lasted:.0f}", lines)))
    if cut:
        raise KeyboardInterrupt("interrupted; the table is of what was done")
    if any(part.why_not for part in parts):
        raise typer.Exit(1)


def soak_lines(parts: tuple[Soaked, ...]) -> Iterator[str]:
    """The table, and what has grown."""
    yield "Medians of the second quarter of the time, and of its last."
    head = ("part", "minutes", "visits or runs", "memory, MB", "files", "threads")
    rows = []
    for part in parts:
        taken = (
            "{:.0f} to {:.0f}".format(*part.grown(attrgetter(name)))
            for name in ("memory_mb", "files", "threads")
        )
        end = (part.differed, part.why_not or "nothing")
        rows.append((part.part, f"{part.lasted_s / 60:.0f}", part.times, *taken, *end))
    yield from ("", *markdown_table((*head, "differ", "grown"), rows))
