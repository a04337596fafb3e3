"""``annelid operate``: types commands to a running robot, from this terminal or another process."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.echo import echo
from annelid.cli.options import (
    PluginOption,
    SeedOption,
    SetOption,
    finite,
    load_plugins,
    overrides,
    scenario_names,
)
from annelid.cli.terminal import Keyboard, OperatorSeat, OperatorTerminal

if TYPE_CHECKING:
    from annelid.hardware.counterpart import Counterpart
    from annelid.systems.front import Apart, Words
    from annelid.trial.run import Trial

ADDRESS = "tcp:PORT, tcp:HOST:PORT or serial:PATH"


def operate(
    scenario: Annotated[
        str,
        typer.Argument(
            help="A .toml file, or the name of a shipped scenario; its robot must have a terminal.",
            autocompletion=scenario_names,
        ),
    ] = "explore-straight",
    plugin: PluginOption = None,
    speed: Annotated[
        float,
        typer.Option(
            min=0.01,
            callback=finite,
            help="Simulated seconds per real second; a slow machine may reach less.",
        ),
    ] = 1.0,
    duration: Annotated[
        float, typer.Option(min=0.1, help="Simulated seconds until the run ends.")
    ] = 3600.0,
    seed: SeedOption = None,
    set_: SetOption = None,
    out: Annotated[Path | None, typer.Option(help="Run folder to write, new or empty.")] = None,
    listen: Annotated[
        str | None, typer.Option(help=f"Take commands from {ADDRESS} instead of this keyboard.")
    ] = None,
    connect: Annotated[
        str | None,
        typer.Option(
            help="Operate a robot that another process runs with --listen at this address."
        ),
    ] = None,
    central: Annotated[
        str | None,
        typer.Option(
            help="Wait here for the process that runs the central control (see: annelid central)."
        ),
    ] = None,
) -> None:
    """Type commands to a robot while it runs; a replay repeats them.

    The commands that the scenario lists are not sent; yours are.  TAB completes, help explains.

    Examples:

        annelid operate

        annelid operate explore-straight --speed 5

        printf 'wait 2\\nEXP\\nwait 20\\nSIR 5\\nwait 1\\nquit\\n' | annelid operate --speed 100

        annelid operate explore-straight --listen tcp:4100     (and, in another shell:)

        annelid operate --connect tcp:4100

        annelid operate explore-straight --central tcp:4101    (and: annelid central tcp:4101)
    """
    from annelid.errors import InputError
    from annelid.systems import SYSTEMS, with_words

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
    systems, name = plugins.table(SYSTEMS), loaded.control.system
    system = None if name is None else systems[name]
    if system is None or system.words is None:
        listen_to = ", ".join(with_words(systems))
        raise InputError(
            f"{scenario}: operate: expected a robot with an operator (control.system one of "
            f"{listen_to}), got {name or 'gaits'!r}"
        )
    options = {**system.words.silent}
    if central is not None:
        if system.apart is None:
            raise InputError(f"--central: {name} has no central control that could run elsewhere")
        options |= system.apart.options
    changes |= {f"control.options.{field}": value for field, value in options.items()}
    seat = _seat(listen, system.words)
    loaded = load(scenario, plugins=plugins, overrides=changes)
    with naming(scenario):
        trial = Trial(loaded, plugins=plugins)
    other = None
    if central is not None and system.apart is not None:
        other = _await(trial, system.apart, central)
    _run(trial, OperatorTerminal(trial, seat, system.words), seat, other, speed=speed, out=out)


def _sit_there(address: str) -> None:
    from annelid.hardware.address import parse_address
    from annelid.hardware.operator_line import prompt

    keyboard = Keyboard(_all_words)
    prompt(parse_address(address), keyboard.lines(), show=keyboard.show)


def _all_words(line: str) -> list[str]:
    """Of every system: a prompt does not know whose robot is at the other end."""
    from annelid.systems import SYSTEMS

    systems = SYSTEMS.table()
    found = [systems[name].words for name in systems]
    return [word for words in found if words is not None for word in words.completions(line)]


def _seat(listen: str | None, words: Words) -> OperatorSeat:
    if listen is None:
        echo("help explains, quit ends.")
        return Keyboard(words.completions)
    from annelid.hardware.address import parse_address
    from annelid.hardware.lines import Doorstep
    from annelid.hardware.operator_line import RemoteSeat

    doorstep = Doorstep(parse_address(listen))
    echo(f"operators come in at {doorstep.address}: annelid operate --connect ADDRESS")
    return RemoteSeat(doorstep, say=echo)


def _await(trial: Trial, apart: Apart, address: str) -> Counterpart:
    from annelid.hardware.address import parse_address
    from annelid.hardware.counterpart import Counterpart
    from annelid.hardware.lines import Doorstep

    doorstep = Doorstep(parse_address(address))
    other = Counterpart(trial, apart.board, doorstep, say=echo)
    echo(f"waiting for the central control: {apart.command} {doorstep.address}")
    while not other.wait():
        pass
    echo("the central control is here")
    return other


def _run(
    trial: Trial,
    terminal: OperatorTerminal,
    seat: OperatorSeat,
    other: Counterpart | None,
    *,
    speed: float,
    out: Path | None,
) -> None:
    from annelid.kernel import Pacer

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
