"""``annelid sweep``: runs a scenario many times with varied fields and counts successes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import (
    ClusterOption,
    NominalOption,
    PluginOption,
    SetOption,
    WorkersOption,
    overrides,
    scenario_names,
)

if TYPE_CHECKING:
    from annelid.trial.summary import Setting, Summary


MEDIANS = "goal, speed and energy: medians"
IDENTICAL = (
    "Identical runs are one run: no interval. Without --nominal every trial has another robot."
)


def sweep(
    scenario: Annotated[
        str,
        typer.Argument(
            help="A .toml file, or the name of a shipped scenario.", autocompletion=scenario_names
        ),
    ],
    vary: Annotated[
        list[str],
        typer.Option(
            help="field=a,b,c or field=from:to:step or field~low..high or field~mean+-deviation; "
            "may be repeated, listed values then make a grid."
        ),
    ],
    repeats: Annotated[
        int,
        typer.Option(min=1, help="Trials per setting, each with its own seed and its own robot."),
    ] = 1,
    nominal: NominalOption = False,
    set_: SetOption = None,
    plugin: PluginOption = None,
    workers: WorkersOption = None,
    cluster: ClusterOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write. Default: runs/sweep-NAME-….")
    ] = None,
    report: Annotated[bool, typer.Option(help="Write report.html.")] = True,
) -> None:
    """Run a scenario many times with varied fields: success rates with 95 % intervals.

    Every trial draws its own robot from the scenario's tolerances. To see one again:
    annelid run SCENARIO --seed N --vary-robot, with N from trials.csv.

    Ctrl-C keeps the finished trials; the same command continues from there.

    Examples:

        annelid sweep default --vary world.bore_mm=38,40,42 --repeats 10

        annelid sweep default --vary robot.chain=TRRH,TRH --vary robot.each.R.mass_g~20..25

        annelid sweep snake --vary control.gaits.0.amplitude_deg=20:60:10 --nominal

        annelid sweep push --vary tolerances.friction_percent=0,10,20 --repeats 20
    """
    from annelid.cli.progress import counting
    from annelid.cli.screen import Screen
    from annelid.trial.pool import open_pool
    from annelid.trial.sweep import GO_ON, SUMMARY_CSV, SUMMARY_JSON, TRIALS_CSV, Sweep
    from annelid.trial.vary import parse_vary

    console = Screen()
    planned = Sweep(
        scenario,
        [parse_vary(text) for text in vary],
        repeats=repeats,
        overrides=overrides(set_),
        plugin_files=plugin or [],
        nominal=nominal,
    )
    total = len(planned.cells) * repeats
    with (
        open_pool(workers, cluster=cluster, go_on=GO_ON) as pool,
        counting(console, f"{total} trials", total) as tell,
    ):
        folder, summary = planned.run(out, pool=pool, tell=tell)
    console.print(_table(planned.scenario.name, summary))
    files = [folder / name for name in (SUMMARY_CSV, SUMMARY_JSON, TRIALS_CSV)]
    if report:
        from annelid.report.sweep import sweep_page

        rows = [setting.row() for setting in summary.settings]
        files.append(sweep_page(rows, folder / "report.html"))
    for file in files:
        console.print(str(file), soft_wrap=True)


def _table(name: str, summary: Summary) -> Any:
    from rich.table import Table

    listed = list(summary.settings[0].fields)
    title = f"Sweep of {name} over {', '.join(listed) or 'chance'}"
    table = Table(title=title, collapse_padding=True, pad_edge=False)
    for heading in _short(listed):
        table.add_column(heading, overflow="fold")
    for heading in ("success", "rate", "95 %", "goal\ns", "speed\ncm/s", "energy\nJ/m"):
        table.add_column(heading, justify="right", no_wrap=heading != "95 %")
    notes: dict[str, None] = {MEDIANS: None}
    for setting in summary.settings:
        table.add_row(*(str(setting.fields[field]) for field in listed), *_cells(setting))
        notes.update(dict.fromkeys(setting.errors))
    if any(setting.identical for setting in summary.settings):
        notes[IDENTICAL] = None
    if falls := sum(setting.falls for setting in summary.settings):
        trials = sum(setting.trials for setting in summary.settings)
        notes[f"{falls} of {trials} trials ended because the robot fell."] = None
    table.caption = "\n".join(notes)
    return table


def _short(fields: list[str]) -> list[str]:
    """The last words of each, as many as tell it from the others: a terminal is narrow."""
    for words in range(1, 10):
        shown = [".".join(field.split(".")[-words:]) for field in fields]
        if len(set(shown)) == len(shown):
            return shown
    return fields


def _cells(setting: Setting) -> tuple[str, ...]:
    from annelid.report.sweep import TOLD

    row = setting.row()
    shown = ("rate", "95 %", "goal, s", "speed, cm/s", "energy, J/m")
    return f"{setting.successes}/{setting.trials}", *(TOLD[name](row) for name in shown)
