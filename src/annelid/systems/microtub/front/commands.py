"""``annelid central`` runs the central control as its own process; ``annelid study learn``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from annelid.cli.echo import echo
from annelid.cli.operate import ADDRESS
from annelid.cli.options import PluginOption, load_plugins
from annelid.cli.studies import NameOption, PlaceArgument, kept_study


def central(
    address: Annotated[str, typer.Argument(help=f"Address of the waiting robot: {ADDRESS}.")],
    plugin: PluginOption = None,
) -> None:
    """Run the central control of a MICROTUB robot that another process simulates.

    Start the robot first, with annelid operate --central ADDRESS.  Its time is the robot's: on a
    slow machine or a slow line both take longer, and nothing else changes.

    Examples:

        annelid central tcp:4101

        annelid central serial:/dev/ttyUSB0
    """
    from annelid.behaviour import BEHAVIOURS
    from annelid.hardware.address import parse_address
    from annelid.modules import MODULES
    from annelid.systems import RULES
    from annelid.systems.microtub.front.central import run_central

    echo(f"central  at {address}")
    plugins = load_plugins(plugin)
    result = run_central(
        parse_address(address),
        behaviours=plugins.of(BEHAVIOURS),
        extras=plugins.of(RULES),
        modules=plugins.of(MODULES),
        tell=_say,
    )
    echo(
        f"done     {result.seconds:.1f} s; {result.sent} frames sent, {result.heard} heard; "
        f"the run ended: {result.end}"
    )


SHOWN = ("configuration", "mode", "task", "movement", "restart")
"""Events of the central control that are worth a line."""


def _say(t_ns: int, kind: str, detail: Any) -> None:
    if kind in SHOWN:
        words = ", ".join(f"{name} {value}" for name, value in detail.items())
        echo(f"{t_ns / 1e9:9.2f} s  {kind}: {words}")


def learn(
    place: PlaceArgument,
    out: Annotated[Path, typer.Option("--out", "-o", help="TOML file of rules to write.")],
    name: NameOption = None,
    runs: Annotated[
        int, typer.Option(min=1, help="New runs of each candidate, to measure how good it is.")
    ] = 20,
    likely: Annotated[
        int, typer.Option(min=1, help="Number of candidates: the best of the study.")
    ] = 3,
    plugin: PluginOption = None,
) -> None:
    """Turn the best gait of a study into a rule for the central control.

    Read the file, then: annelid infer RRRRRR --rules rules.toml, annelid run … --rules rules.toml

    Examples:

        annelid study learn runs/study-open-air -o rules.toml
    """
    from annelid.systems.microtub.front.learn import learn as learnt
    from annelid.systems.microtub.front.learn import write_rules

    rule = learnt(kept_study(place, name), runs=runs, likely=likely, plugin_files=plugin or [])
    path = write_rules((rule,), out)
    echo(f"{rule.name}: {rule.ability}, grade {rule.grade}, {rule.gait}")
    echo(f"{rule.evidence.value:.3f} m/s in {rule.evidence.runs} runs, low {rule.evidence.low:.3f}")
    echo(str(path))
