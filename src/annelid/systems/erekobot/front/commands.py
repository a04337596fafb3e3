"""``annelid erekobot``: host and modules as two processes on a serial line (004)."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.echo import echo
from annelid.cli.options import overrides
from annelid.errors import InputError

if TYPE_CHECKING:
    from annelid.systems.erekobot.front.chain import ChainResult, Glance
    from annelid.systems.erekobot.spec import ErekobotSpec

app = typer.Typer(
    name="erekobot",
    help="Run an ErekoBot over a serial line: host, simulated modules, virtual cable.",
    no_args_is_help=True,
)


class GaitName(StrEnum):
    CRAWL = "crawl"
    PAPER = "paper"


def _wave(gait: GaitName, modules: int) -> dict[str, Any]:
    """``crawl`` has one wave along the body and two time states where the paper has one."""
    if gait is GaitName.PAPER:
        return {}
    return {"interval_ms": 100, "gait": {"alpha_deg": 30, "waves": 1, "segments": modules}}


PortOption = Annotated[
    str,
    typer.Option(help="A serial port, a pseudo-terminal, loop:// or socket://HOST:PORT."),
]
ProfileOption = Annotated[
    int,
    typer.Option(
        min=1, max=4, help="Number of the ErekoBot profile, 1 to 4; host and modules must agree."
    ),
]
GaitOption = Annotated[GaitName, typer.Option(help="The gait; host and modules must agree.")]
ControlOption = Annotated[
    list[str] | None,
    typer.Option("--set", help="field=value of the control, such as gait.alpha_deg=25."),
]


@app.command()
def host(
    port: PortOption,
    profile: ProfileOption = 2,
    modules: Annotated[int, typer.Option(min=1, help="Number of modules.")] = 5,
    gait: GaitOption = GaitName.CRAWL,
    seconds: Annotated[
        float | None, typer.Option(help="Seconds from start to stop. Default: until Ctrl-C.")
    ] = None,
    say: Annotated[
        list[str] | None,
        typer.Option(
            help='Seconds and a line that the host is told then: "5 table 1", "8 period 8", '
            '"10 address 2 23", "12 profile 4", "15 program psi sin 30 mul", "20 stop".'
        ),
    ] = None,
    set_: ControlOption = None,
) -> None:
    """Drive a chain of ErekoBots, real or simulated, at a serial port.

    Start the modules first.  Ctrl-C tells them to stop.

    Examples:

        annelid erekobot host --port /dev/ttyUSB0 --modules 8 --seconds 20

        annelid erekobot host --port /dev/pts/5 --profile 3 --set sync=tell

        annelid erekobot host --port /dev/pts/5 --profile 3 --say "5 period 8" --say "9 stop"
    """
    spec = _spec(profile, gait, modules, set_, stop_s=seconds, operator=_typed(say or []))

    from annelid.hardware.runner import End
    from annelid.systems.erekobot.front.host import run_host

    echo(f"host     {modules} modules, Profile {profile}, at {port}")
    result = run_host(port, spec, modules, tell=_say)
    echo(
        f"done     {result.seconds:.1f} s; {result.sent} bytes sent, {result.heard} heard"
        + (f", {result.lost} lost: nobody reads the other end" if result.lost else "")
    )
    if result.end is End.INTERRUPTED:
        told = "" if profile == 1 else "; the modules were told to stop"
        raise KeyboardInterrupt(f"interrupted after {result.seconds:.1f} s{told}")


@app.command()
def modules(
    port: PortOption,
    profile: ProfileOption = 2,
    count: Annotated[int, typer.Option(min=1, help="Number of modules.")] = 5,
    gait: GaitOption = GaitName.CRAWL,
    seconds: Annotated[
        float | None,
        typer.Option(
            help="Longest time in seconds. Default: until the host sends stop, or Ctrl-C."
        ),
    ] = None,
    set_: ControlOption = None,
    seed: Annotated[
        int,
        typer.Option(
            min=0, help="Seed of every random draw; the same seed repeats the run exactly."
        ),
    ] = 0,
    show: Annotated[
        bool, typer.Option("--show", help="Print a line of progress every second.")
    ] = False,
    out: Annotated[Path | None, typer.Option(help="Write a run folder, new or empty.")] = None,
) -> None:
    """Simulate a chain of ErekoBots at a serial port, in real time.

    It ends by itself when the host says stop; with Profile 1, which has no stop, after three
    seconds of silence.

    Examples:

        annelid erekobot modules --port /dev/pts/6

        annelid erekobot modules --port /dev/ttyUSB1 --count 8 --show --out runs/bench
    """
    spec = _spec(profile, gait, count, set_)

    from annelid.hardware.runner import End
    from annelid.systems.erekobot.front.chain import ServedChain

    chain = ServedChain(port, spec, count, seed)
    names = list(chain.commands)
    echo(f"modules  {names[0]} to {names[-1]}, Profile {profile}, listening at {port}")
    result = chain.run(seconds=seconds, out=out, show=_glance if show else None)
    _tell(result)
    if result.end is End.INTERRUPTED:
        raise KeyboardInterrupt(f"interrupted after {result.metrics.time_s:.1f} s")


@app.command()
def pair(
    seconds: Annotated[
        float | None, typer.Option(help="Seconds to keep the cable. Default: until Ctrl-C.")
    ] = None,
) -> None:
    """Make two pseudo-terminals joined like the ends of a cable, and print their names.

    Ctrl-C removes the cable.

    Examples:

        annelid erekobot pair
    """
    from threading import Event

    from annelid.hardware.pty_pair import PtyPair

    with PtyPair() as cable:
        for path in cable.paths:
            echo(path)
        Event().wait(seconds)


@app.command()
def limits(
    modules: Annotated[
        list[int] | None,
        typer.Option(
            min=1, max=254, help="Number of modules; may be repeated.  [default: 5, 10, 20, 30]"
        ),
    ] = None,
) -> None:
    """Print what limits the number of modules: delay, addresses, current.

    Examples:

        annelid erekobot limits --modules 10 --modules 30
    """
    from annelid.systems.erekobot.front.limits import table

    for line in table(modules or (5, 10, 20, 30)):
        echo(line)


def _spec(
    profile: int, gait: GaitName, count: int, changes: list[str] | None, **fixed: Any
) -> ErekobotSpec:
    from annelid.systems.erekobot.spec import ErekobotSpec
    from annelid.trial.fields import set_field

    table: dict[str, Any] = {**_wave(gait, count), "profile": profile, **fixed}
    for name, value in overrides(changes).items():
        set_field(table, name, value, where="--set")
    spec = ErekobotSpec.parse(table, where="--set")
    spec.addresses_for(count)
    return spec


def _typed(lines: list[str]) -> list[dict[str, Any]]:
    found = []
    for line in lines:
        at, _, words = line.strip().partition(" ")
        try:
            found.append({"at_s": float(at), "say": words})
        except ValueError:
            raise InputError(
                f"--say: expected SECONDS LINE, such as 5 table 1; got {line!r}"
            ) from None
    return found


def _glance(glance: Glance) -> None:
    angles = " ".join(f"{angle:+4.0f}" for angle in glance.angles_deg.values())
    echo(f"{glance.time_s:6.1f} s  {1000 * glance.crawled_m:+5.0f} mm  [{angles}] °")


def _say(t_ns: int, kind: str, detail: Any) -> None:
    words = ", ".join(f"{name} {value}" for name, value in detail.items())
    echo(f"{t_ns / 1e9:6.1f} s  {kind}  {words}")


def _tell(result: ChainResult) -> None:
    metrics = result.metrics
    turns = ", ".join(f"{name} {count}" for name, count in result.commands.items())
    echo(f"crawled  {1000 * metrics.progress_m:.0f} mm in {metrics.time_s:.1f} s")
    echo(f"line     {result.heard} bytes from the host; servo commands: {turns}")
    if result.behind_s:
        echo(f"behind   {result.behind_s:.2f} s: this machine could not keep up")
    if result.folder is not None:
        echo(f"run      {result.folder}")
