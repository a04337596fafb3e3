"""``annelid reproduce`` and ``annelid bench``: what we claim, measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib.util import find_spec
from itertools import groupby
from pathlib import Path
from typing import Annotated

import typer

from annelid.cli.options import (
    PluginOption,
    SetOption,
    WorkersOption,
    load_plugins,
    overrides,
)

JsonOption = Annotated[Path | None, typer.Option("--json", help="Also write the rows here.")]


def reproduce(
    ids: Annotated[
        list[str] | None, typer.Argument(help="Claims such as A1 A3. Default: all.")
    ] = None,
    json_file: JsonOption = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Report to write.")] = Path(
        "runs/reproduce/report.html"
    ),
    keep: Annotated[
        bool, typer.Option("--keep", help="Renew these rows of the kept table in results/.")
    ] = False,
    runs: Annotated[
        Path | None,
        typer.Option("--runs", help="Keep every recorded run here: one row per folder."),
    ] = None,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of every random draw; another draws other robots.")
    ] = 0,
    quick: Annotated[
        bool, typer.Option("--quick", help="Few repeats: a first look, too few to judge by.")
    ] = False,
    assignments: SetOption = None,
    plugin: PluginOption = None,
    workers: WorkersOption = None,
) -> None:
    """Run the papers' claims as experiments and write a table of verdicts.

    --set and --plugin change every recorded run of a row, to test how robust it is.

    Examples:

        annelid reproduce

        annelid reproduce A1 A3 --json claims.json

        annelid reproduce A9 --runs runs/a9 --seed 1

        annelid reproduce A4 --set world.bore_mm=42
    """
    from rich.table import Table

    from annelid.cli.screen import Screen
    from annelid.papers import Change
    from annelid.papers import reproduce as run_claims

    console = Screen()
    with console.waiting("Reproducing …") as status:
        rows = run_claims(
            ids or [],
            json_path=json_file,
            html_path=html_file,
            keep=Path("results") if keep else None,
            workers=workers,
            seed=seed,
            runs=runs,
            quick=quick,
            change=Change(overrides(assignments), tuple(plugin or ())),
            progress=lambda claim, done: status.update(f"{claim}: {done:.0%}"),
        )
    table = Table("id", "claim", "paper", "kind", "ours", "verdict", title="Claims")
    for row in rows:
        table.add_row(row.id, row.claim, row.paper, row.kind, row.ours, row.verdict)
    console.print(table)
    if runs is not None:
        for row in rows:
            count = sum(row.runs.values())
            told = f"{count} runs in {runs}" if count else "measured without recorded runs"
            console.print(f"{row.id}: {told}", soft_wrap=True)
    for path in (html_file, json_file):
        if path is not None:
            console.print(str(path), soft_wrap=True)


def bench(
    json_file: JsonOption = None,
    quick: Annotated[bool, typer.Option("--quick", help="Fewer repeats, no 60 s run.")] = False,
    keep: Annotated[
        bool, typer.Option("--keep", help="Renew the kept table, results/bench.md.")
    ] = False,
    plugin: PluginOption = None,
) -> None:
    """Measure speeds and compare them with their limits.

    Examples:

        annelid bench

        annelid bench --quick --json bench.json
    """
    from rich.table import Table

    from annelid.cli.screen import Screen
    from annelid.errors import InputError
    from annelid.offline.bench import cores_busy, landscape_on_gpu, search_overhead
    from annelid.trial.bench import bench as measure
    from annelid.trial.bench_row import BenchRow

    console = Screen()
    plugins = load_plugins(plugin)
    if keep and plugin:
        raise InputError("--keep renews the table of what is shipped; leave out --plugin")
    with console.waiting("Measuring …") as status:
        more: list[Callable[[], Sequence[BenchRow]]] = [
            lambda: [search_overhead(quick=quick)],
            lambda: [cores_busy(quick=quick)],
            lambda: [landscape_on_gpu()],
        ]
        if find_spec("viser") is not None:
            from annelid.console.bench import cost, updates

            more += [lambda: [cost(quick=quick)], lambda: updates(quick=quick)]
        if find_spec("gymnasium") is not None:
            from annelid.gym.bench import steps_beside_engine

            more.append(lambda: steps_beside_engine(quick=quick))
        rows = measure(
            json_path=json_file,
            quick=quick,
            tell=status.update,
            more=more,
            plugins=plugins,
        )
    table = Table("what", "value", "limit", "verdict", title="Bench")
    for row in rows:
        table.add_row(row.name, *row.told, row.verdict)
    console.print(table)
    for extra, module in (("console", "viser"), ("gym", "gymnasium")):
        if find_spec(module) is None:
            console.print(f"not measured: {extra} (pip install 'annelid[{extra}]')")
    if keep:
        from annelid.papers.record import stamp
        from annelid.trial.bench import kept_table

        commit, day = stamp()
        Path("results").mkdir(exist_ok=True)
        Path("results/bench.md").write_text(kept_table(rows, commit=commit, day=day))
    for detail, names in groupby(rows, key=lambda row: row.detail):
        console.print(f"{', '.join(row.name for row in names)}: {detail}")
