"""``annelid compare``: runs, studies, scenarios or chains of modules, side by side."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import NominalOption, PluginOption, load_plugins

if TYPE_CHECKING:
    from rich.console import Console
    from rich.progress import Progress

    from annelid.trial.compare import Row
    from annelid.trial.summary import Setting


def compare(
    things: Annotated[
        list[str],
        typer.Argument(help="Two or more run folders, studies, scenarios, or chains (--on)."),
    ],
    on: Annotated[
        str | None,
        typer.Option("--on", help="A scenario: what is compared are chains, such as TRRH TRH."),
    ] = None,
    repeats: Annotated[
        int, typer.Option(min=1, help="Trials of each scenario or chain, with the same chances.")
    ] = 8,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes; else all cores.")] = None,
    nominal: NominalOption = False,
    html: Annotated[Path | None, typer.Option(help="Also draw a page with curves.")] = None,
    plugin: PluginOption = None,
) -> None:
    """What was set differently, and what came of it.

    Runs and studies are looked at as they are; scenarios and chains are run first, each trial with
    another robot drawn from its tolerances.

    Examples:

        annelid compare runs/default-001 runs/default-002 --html compared.html

        annelid compare runs/study-one runs/study-two

        annelid compare push my-robot.toml --repeats 20

        annelid compare TRRH TRH --on push
    """
    from annelid.errors import InputError
    from annelid.offline.folder import stores_in
    from annelid.trial.load import shipped

    folders = [Path(thing) for thing in things]
    known = shipped()
    scenarios = all(thing in known or thing.endswith(".toml") for thing in things)
    if on is not None or scenarios:
        if html is not None:
            raise InputError("--html: draws runs and studies that have been made")
        _compare_scenarios(things, on, repeats, workers, plugin or [], nominal=nominal)
    elif all(stores_in(folder) for folder in folders):
        _compare_studies(folders, html)
    else:
        _compare_runs(folders, html, plugin)


def _compare_scenarios(
    things: Sequence[str],
    on: str | None,
    repeats: int,
    workers: int | None,
    plugin: Sequence[Path],
    *,
    nominal: bool,
) -> None:
    from rich.console import Console

    from annelid.cli.progress import counting
    from annelid.errors import InputError
    from annelid.trial.compare import differences
    from annelid.trial.sweep import Sweep

    if len(things) < 2:
        raise InputError(f"compare: expected two scenarios or chains or more, got {len(things)}")
    console = Console()
    planned = [
        Sweep(
            on or thing,
            [],
            repeats=repeats,
            overrides={} if on is None else {"robot.chain": thing},
            plugin_files=plugin,
            nominal=nominal,
        )
        for thing in things
    ]
    settings: list[Setting] = []
    with counting(console, "trials", repeats * len(planned), 0) as bar:
        for one in planned:
            before = repeats * len(settings)
            tell = partial(_count, bar, before)
            settings += one.run(workers=workers, tell=tell)[1].settings
    _print(console, "Set", things, differences([one.scenario for one in planned]))
    _print(console, f"Came out, {repeats} trials each", things, _outcomes(settings), change=True)


def _count(bar: Progress, before: int, done: int, _: int) -> None:
    bar.update(bar.task_ids[0], completed=before + done)


def _outcomes(settings: Sequence[Setting]) -> list[Row]:
    from annelid.trial.compare import Row

    bands = ["identical runs" if s.identical else _band(s.interval) for s in settings]
    columns: dict[str, list[Any]] = {
        "succeeded": [setting.successes if setting.judged else None for setting in settings],
        "rate": [setting.rate for setting in settings],
        "95 % of it": bands,
        "time to goal, s": [setting.time_to_goal_s for setting in settings],
        "speed, m/s": [setting.speed_m_s for setting in settings],
        "energy per metre, J/m": [setting.energy_per_metre_j_m for setting in settings],
        "falls": [setting.falls or None for setting in settings],
        "errors": ["; ".join(setting.errors) or None for setting in settings],
    }
    return [Row(name, tuple(values)) for name, values in columns.items()]


def _band(interval: tuple[float, float] | None) -> str | None:
    return None if interval is None else f"{interval[0]:.0%}–{interval[1]:.0%}"


def _compare_studies(folders: Sequence[Path], html: Path | None) -> None:
    from rich.console import Console

    from annelid.offline import compare as studies

    console = Console()
    kept = studies.studies_of(folders)
    names = studies.labels(kept)
    _print(console, "Set", names, studies.settings(kept))
    _print(console, "Came out", names, studies.outcomes(kept))
    if html is not None:
        console.print(str(studies.comparison_page(kept, html)), soft_wrap=True, highlight=False)


def _compare_runs(folders: Sequence[Path], html: Path | None, plugin: list[Path] | None) -> None:
    from rich.console import Console

    from annelid.trial.compare import compare as compared
    from annelid.trial.replay import Run

    console = Console()
    plugins = load_plugins(plugin)
    comparison = compared([Run(folder, plugins=plugins) for folder in folders])
    names = [folder.name for folder in folders]
    _print(console, "Set", names, comparison.settings)
    _print(console, "Came out", names, comparison.outcomes, change=True)
    if comparison.same:
        console.print("The traces are the same, bit for bit.")
    if html is not None:
        from annelid.report.comparison import comparison_page

        page = comparison_page(folders, html, plugins=plugins)
        console.print(str(page), soft_wrap=True, highlight=False)


def _print(
    console: Console, title: str, names: Sequence[str], rows: Sequence[Row], *, change: bool = False
) -> None:
    """A column for each thing, and how the last differs from the first."""
    from rich.table import Table

    if not rows:
        return
    table = Table("", *names, *(["change"] if change else []), title=title)
    for row in rows:
        table.add_row(row.name, *row.shown, *([row.change] if change else []))
    console.print(table)
