"""``annelid run``: simulates a scenario and writes the run folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import (
    PluginOption,
    SeedOption,
    SetOption,
    load_plugins,
    overrides,
    scenario_names,
)

if TYPE_CHECKING:
    from rich.text import Text

    from annelid.trial.metrics import Metrics
    from annelid.trial.plugins import Plugins
    from annelid.trial.scenario import Scenario

RULES = "rules"
"""Option of a system that takes files of rules."""


def run(
    scenario: Annotated[
        str,
        typer.Argument(
            help="A .toml file, or the name of a shipped scenario (see: annelid scenarios).",
            autocompletion=scenario_names,
        ),
    ] = "default",
    plugin: PluginOption = None,
    seed: SeedOption = None,
    vary_robot: Annotated[
        bool,
        typer.Option(
            "--vary-robot",
            help="Draw the robot from the scenario's tolerances: masses, friction, servos, "
            "sensors, start. The seed chooses them. Without it, the robot is as designed.",
        ),
    ] = False,
    duration: Annotated[float | None, typer.Option(help="Seconds to simulate.")] = None,
    set_: SetOption = None,
    rules: Annotated[
        list[Path] | None,
        typer.Option(
            help="A TOML file that adds, changes or removes rules of the central control. May be"
            " repeated."
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Run folder to write, new or empty. Default: runs/NAME-001, -002 …"),
    ] = None,
    video: Annotated[bool, typer.Option(help="Render video.mp4.")] = True,
    report: Annotated[bool, typer.Option(help="Write report.html.")] = True,
) -> None:
    """Simulate a scenario and write a run folder: trace, metrics, report, video.

    Examples:

        annelid run

        annelid run snake --duration 5 --seed 7

        annelid run snake --seed 7 --vary-robot --set tolerances.play_deg=1

        annelid run my.toml --plugin wheel.py --set world.bore_mm=42 --no-video

        annelid run --rules my-rules.toml
    """
    from annelid.cli.progress import simulating
    from annelid.cli.screen import Screen
    from annelid.trial.load import load, naming

    console = Screen()
    plugins = load_plugins(plugin)
    changes: dict[str, Any] = overrides(set_)
    if seed is not None:
        changes["seed"] = seed
    if vary_robot:
        changes["tolerances.draw"] = True
    if duration is not None:
        changes["duration_s"] = duration
    loaded = load(scenario, plugins=plugins, overrides=changes)
    if rules:
        loaded = _with_rules(loaded, rules, plugins, where=scenario)

    from annelid.trial.beyond import beyond
    from annelid.trial.run import Trial  # the engine, once there is something to simulate

    with naming(scenario):
        trial = Trial(loaded, plugins=plugins)
    for warning in beyond(trial.sim):
        console.print(f"note    {warning}", soft_wrap=True)
    with simulating(console, loaded) as progress:
        result = trial.run(out, progress=progress)
    console.print(_table(result.metrics))
    console.print(f"run     {result.folder}", soft_wrap=True)
    if report:
        from annelid.report import write_report

        with console.waiting("Drawing the report …"):
            paths = write_report(result.folder, video=video, plugins=plugins)
        console.print(f"report  {paths.report}", soft_wrap=True)
        if paths.video is not None:
            console.print(f"video   {paths.video}", soft_wrap=True)
        if paths.note:
            console.print(paths.note, soft_wrap=True)


def _with_rules(loaded: Scenario, files: list[Path], plugins: Plugins, *, where: str) -> Scenario:
    """The scenario with what the files say behind the rules it has; so the run folder has them."""
    from annelid.boundary.files import read_toml
    from annelid.errors import InputError
    from annelid.systems import SYSTEMS
    from annelid.trial.load import changed

    systems = plugins.table(SYSTEMS)
    name, options = loaded.control.system, loaded.control.options
    if options is None or RULES not in type(options).model_fields:
        able = [each for each in systems if RULES in systems[each].options.model_fields]
        raise InputError(
            f"--rules: {where}: expected a system that has rules ({', '.join(able)}), "
            f"got {'gaits' if name is None else name}"
        )
    given = options.model_dump(mode="json")[RULES]
    for file in files:
        given.append(read_toml(file))
        type(options).parse({RULES: given}, where=f"--rules {file}")
    return changed(loaded, {f"control.options.{RULES}": given}, plugins=plugins, where=where)


def _table(metrics: Metrics) -> Any:
    """What happened, for a person: a dozen numbers, in the units people think in."""
    from rich.table import Table

    table = Table(title=f"{metrics.scenario}, seed {metrics.seed}", show_header=False)
    for row in _rows(metrics):
        table.add_row(*row)
    return table


def _rows(metrics: Metrics) -> list[tuple[str, str | Text]]:
    from annelid.cli.screen import styled

    fell = metrics.fell_s is not None
    outcome: dict[bool | None, str | Text] = {
        True: styled("success", "green"),
        False: styled("not reached", "red"),
        None: "–",
    }
    wall = metrics.wall
    speed = None if metrics.speed_m_s is None else metrics.speed_m_s * 100
    rows: list[tuple[str, str | Text]] = [
        ("outcome", styled("fell", "red") if fell else outcome[metrics.success]),
        *_end(metrics),
        *_way(metrics),
        ("mean speed", _with_unit(speed, "cm/s")),
        ("energy", _with_unit(metrics.energy_j, "J")),
        ("energy per metre", _with_unit(metrics.energy_per_metre_j_m, "J/m")),
        ("cost of transport", _with_unit(metrics.cost_of_transport, "")),
        ("peak current", _with_unit(metrics.peak_current_a, "A", metrics.peak_current_at)),
        ("hottest winding", _with_unit(metrics.hottest_c, "°C", metrics.hottest_at)),
        ("tripped servos", ", ".join(metrics.tripped) or "none"),
        ("largest tilt", f"{metrics.tilt_max_deg:.0f}°"),
    ]
    if metrics.voltage_min_v is not None:
        rows.append(("lowest voltage", _with_unit(metrics.voltage_min_v, "V")))
    if metrics.battery_life_s is not None and metrics.charge is not None:
        life = f"{metrics.charge:.0%}, for {metrics.battery_life_s / 60:.3g} min more"
        rows.append(("battery", life))
    if metrics.faults or metrics.resets:
        counts = (
            f"{metrics.faults} faults, {metrics.resets} resets, {metrics.brown_outs} brown-outs"
        )
        rows.append(("trouble", counts))
    if metrics.statements:
        rows.append(("told the operator", _told(metrics)))
    for crash in metrics.crashes:
        rows.append(("crashed program", styled(crash, "red")))
    if wall is not None:
        rows.append(("real-time factor", f"{wall.real_time_factor:.1f} ({wall.seconds:.1f} s)"))
    return rows


def _told(metrics: Metrics) -> Text:
    """How many statements, and which of them are not so."""
    from annelid.cli.screen import styled

    false = [styled(f"false: {words}", "red") for words in metrics.statements_false]
    beside = f"; {metrics.statements_empty} claim nothing" if metrics.statements_empty else ""
    count = f"{metrics.statements} statements judged, {len(false) or 'none'} false{beside}"
    return styled("\n").join([styled(count), *false])


def _end(metrics: Metrics) -> list[tuple[str, str]]:
    """What ended the run, and when."""
    if metrics.fell_s is None:
        return [("stopped by", f"{metrics.stopped} at {metrics.time_s:.2f} s")]
    whole = len(metrics.fell_who) == metrics.modules
    who = "" if whole else f" ({', '.join(metrics.fell_who)})"
    return [("fell", f"at {metrics.fell_s:.1f} s: {metrics.fell_why}{who}")]


def _way(metrics: Metrics) -> list[tuple[str, str]]:
    """How far; for a robot that had to come home, how far out, and when it was back."""
    if not metrics.there_and_back:
        return [("progress", f"{metrics.progress_m * 1000:.0f} mm")]
    home = "no" if metrics.time_home_s is None else f"at {metrics.time_home_s:.1f} s"
    out = f"{metrics.progress_max_m * 1000:.0f} mm out"
    return [("way", f"{_with_unit(metrics.way_m, 'm')}, {out}"), ("home again", home)]


def _with_unit(value: float | None, unit: str, where: str | None = None) -> str:
    if value is None:
        return "–"
    place = f" at {where}" if where else ""
    return f"{value:.3g} {unit}".strip() + place
