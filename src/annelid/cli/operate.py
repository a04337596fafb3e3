"""``annelid operate``: sit at the operator's terminal while the simulation runs, here or in another
process; ``annelid central``: the central control as a process of its own."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import PluginOption, SetOption, load_plugins, overrides
from annelid.cli.terminal import Keyboard, Seat, Terminal

if TYPE_CHECKING:
    from annelid.hardware.counterpart import Counterpart
    from annelid.trial.run import Trial

ADDRESS = "tcp:PORT, tcp:HOST:PORT or serial:PATH"


def operate(
    scenario: Annotated[
        str, typer.Argument(help="A .toml file, or a shipped name, of a MICROTUB robot.")
    ] = "explore-straight",
    plugin: PluginOption = None,
    speed: Annotated[
        float, typer.Option(min=0.01, help="Robot's seconds per second; as fast as it can at most.")
    ] = 1.0,
    duration: Annotated[float, typer.Option(min=0.1, help="Seconds until it ends.")] = 3600.0,
    seed: Annotated[int | None, typer.Option(min=0, help="Another chance.")] = None,
    set_: SetOption = None,
    out: Annotated[Path | None, typer.Option(help="Run folder, new or empty.")] = None,
    listen: Annotated[
        str | None, typer.Option(help=f"Operators come in at {ADDRESS}, not at this keyboard.")
    ] = None,
    connect: Annotated[
        str | None, typer.Option(help="Be the operator of a robot that listens there.")
    ] = None,
    central: Annotated[
        str | None, typer.Option(help="The central control is a process that comes in there.")
    ] = None,
) -> None:
    """Type HLC commands to a robot while it runs; what was typed replays with the run.

    The scenario's own operator says nothing; you do.  TAB completes, help explains.

    Examples:

        annelid operate

        annelid operate explore-straight --speed 5

        printf 'wait 2\\nEXP\\nwait 20\\nSIR 5\\nwait 1\\nquit\\n' | annelid operate --speed 100

        annelid operate explore-straight --listen tcp:4100     (and, in another shell:)

        annelid operate --connect tcp:4100

        annelid operate explore-straight --central tcp:4101    (and: annelid central tcp:4101)
    """
    from annelid.errors import InputError

    if connect is not None:
        if any(each is not None for each in (plugin, seed, set_, out, listen, central)):
            raise InputError("--connect: the robot runs elsewhere; expected no other options here")
        _sit_there(connect)
        return
    from annelid.trial.load import load, naming
    from annelid.trial.run import Trial

    plugins = load_plugins(plugin)
    changes: dict[str, Any] = {**overrides(set_), "duration_s": duration, "stop_at_goal": False}
    if seed is not None:
        changes["seed"] = seed
    loaded = load(scenario, plugins=plugins, overrides=changes)
    if loaded.control.system != "microtub":
        raise InputError(
            f"{scenario}: operate: expected a robot with an operator (control.system = "
            f'"microtub"), got {loaded.control.system or "gaits"!r}'
        )
    changes["control.options.operator"] = []
    if central is not None:
        changes["control.options.central"] = "elsewhere"
    seat = _seat(listen)
    loaded = load(scenario, plugins=plugins, overrides=changes)
    with naming(scenario):
        trial = Trial(loaded, plugins=plugins)
    other = None if central is None else _await_central(trial, central)
    _run(trial, seat, other, speed=speed, out=out)


def central(
    address: Annotated[str, typer.Argument(help=f"Of a robot that waits: {ADDRESS}.")],
    plugin: PluginOption = None,
) -> None:
    """Be the central control of a robot that is simulated in another process.

    Start the robot first, with annelid operate --central ADDRESS.  Its time is the robot's: on a
    slow machine or a slow line both take longer, and nothing else changes.

    Examples:

        annelid central tcp:4101

        annelid central serial:/dev/ttyUSB0
    """
    from annelid.hardware.address import parse_address
    from annelid.hardware.central import run_central

    typer.echo(f"central  at {address}")
    plugins = load_plugins(plugin)
    result = run_central(
        parse_address(address), behaviours=plugins.behaviours, extras=plugins.extras, tell=_say
    )
    typer.echo(
        f"done     {result.seconds:.1f} s; {result.sent} frames sent, {result.heard} heard; "
        f"the run ended: {result.end}"
    )


SHOWN = ("configuration", "mode", "task", "movement", "restart")
"""Events of the central control that are worth a line."""


def _say(t_ns: int, kind: str, detail: Any) -> None:
    if kind in SHOWN:
        words = ", ".join(f"{name} {value}" for name, value in detail.items())
        typer.echo(f"{t_ns / 1e9:9.2f} s  {kind}: {words}")


def _sit_there(address: str) -> None:
    from annelid.hardware.address import parse_address
    from annelid.hardware.operator_line import prompt

    keyboard = Keyboard()
    prompt(parse_address(address), keyboard.lines(), show=keyboard.show)


def _seat(listen: str | None) -> Seat:
    if listen is None:
        typer.echo("help explains, quit ends.")
        return Keyboard()
    from annelid.hardware.address import parse_address
    from annelid.hardware.lines import Doorstep
    from annelid.hardware.operator_line import RemoteSeat

    doorstep = Doorstep(parse_address(listen))
    typer.echo(f"operators come in at {doorstep.address}: annelid operate --connect ADDRESS")
    return RemoteSeat(doorstep, say=typer.echo)


def _await_central(trial: Trial, address: str) -> Counterpart:
    from annelid.hardware.address import parse_address
    from annelid.hardware.counterpart import Counterpart
    from annelid.hardware.lines import Doorstep
    from annelid.systems.microtub.network import PC

    doorstep = Doorstep(parse_address(address))
    other = Counterpart(trial, PC, doorstep, say=typer.echo)
    typer.echo(f"waiting for the central control: annelid central {doorstep.address}")
    while not other.wait():
        pass
    typer.echo("the central control is here")
    return other


def _run(
    trial: Trial, seat: Seat, other: Counterpart | None, *, speed: float, out: Path | None
) -> None:
    from annelid.kernel import Pacer

    terminal = Terminal(trial, seat)
    pacer = Pacer(time.monotonic_ns, terminal.idle, speed=speed)
    terminal.begin()
    last = "the run has failed"
    try:
        result = trial.run(out, pacer=pacer)
        last = f"run     {result.folder}"
    except KeyboardInterrupt as stop:
        last = str(stop)
    finally:
        seat.end(last)
        if other is not None:
            other.close(last)
