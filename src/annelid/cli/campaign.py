"""``annelid campaign``: breaks robots at random and looks for failures of the software."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annelid.boundary.files import whole_path
from annelid.cli.options import FirstSeedOption, KeepOption, PluginOption, WorkersOption, finite

if TYPE_CHECKING:
    from annelid.reliability.campaign import Struck


RUNS_MAX = 1_000_000
"""Of one campaign, at some seconds each."""


def campaign(
    context: typer.Context,
    scenarios: Annotated[
        list[str] | None,
        typer.Argument(help="Shipped names or .toml files. Default: all shipped scenarios."),
    ] = None,
    faults: Annotated[
        int,
        typer.Option(min=1, max=RUNS_MAX, help="Number of runs; in each, one thing or two break."),
    ] = 40,
    seed: FirstSeedOption = 0,
    seconds: Annotated[
        float,
        typer.Option(min=0.1, callback=finite, help="Simulated seconds of a run, at most."),
    ] = 10.0,
    workers: WorkersOption = None,
    out: Annotated[Path, typer.Option(help="Folder for the scenarios of failures.")] = Path(
        "runs/campaign"
    ),
    keep: KeepOption = False,
    plugin: PluginOption = None,
) -> None:
    """Break servos, sensors, boards and links at random moments, and judge every run.

    A run fails when a program crashes, the run does not end, a metric is not a number, the robot
    says something untrue, or energy or time are out of bounds. Each failure is made smaller and
    written as a scenario that shows it again. The exit code is 1 if there is one.

    Examples:

        annelid campaign default --faults 20

        annelid campaign --faults 1000 --seed 5000 --workers 8 --keep
    """
    from annelid.cli.progress import counting
    from annelid.cli.screen import Screen
    from annelid.reliability.campaign import Strike, strike
    from annelid.reliability.record import campaign_lines
    from annelid.reliability.record import keep as record
    from annelid.trial.load import find, shipped
    from annelid.trial.lock import LOCK, locked
    from annelid.trial.pool import processes

    console = Screen()
    names = scenarios or sorted(shipped())
    for name in names:
        find(name)
    files = tuple(whole_path(file) for file in plugin or ())
    todo = [Strike(names[k % len(names)], seed + k, seconds, files) for k in range(faults)]
    context.with_resource(locked(out / LOCK, what=str(out)))
    struck: list[Struck] = []
    with (
        suppress(KeyboardInterrupt),  # the table is of what is done
        processes(workers, go_on="the same command begins anew") as pool,
        counting(console, f"{faults} runs", faults) as tell,
    ):
        for one in pool.map(strike, todo, ordered=True):
            struck.append(one)
            tell(len(struck))
    lines = list(campaign_lines(struck))
    console.print("\n".join(lines), soft_wrap=True)
    failed = [one for one in struck if one.outcome != "ok"]
    cut = len(struck) < faults
    for one in failed:
        path = _written(one, out, files, smaller=not cut)
        console.print(str(path), soft_wrap=True)
    if keep:
        words = ["annelid campaign", *(scenarios or ()), f"--faults {len(struck)} --seed {seed}"]
        command = f"{' '.join(words)} --seconds {seconds:g}"
        console.print(str(record("Campaign", command, lines)), soft_wrap=True)
    if cut:
        raise KeyboardInterrupt(f"interrupted after {len(struck)} of {faults} runs")
    if failed:
        raise typer.Exit(1)


def _written(one: Struck, out: Path, files: tuple[Path, ...], *, smaller: bool) -> Path:
    """The failure as a scenario, made smaller if there is time for it."""
    from annelid.boundary.files import write_file
    from annelid.reliability.campaign import TRIES, again, shrunk
    from annelid.trial.plugins import load as load_plugins
    from annelid.trial.toml import dumps

    assert one.table is not None
    plugins = load_plugins(files)
    tries = 0 if one.outcome == "hang" or not smaller else TRIES
    small = shrunk(one.table, one.outcome, lambda table: again(table, plugins), tries=tries)
    small["about"] = f"{one.outcome}: {one.why}"[:400]
    path = out / f"{one.outcome}-{Path(one.scenario).stem}-{one.seed}.toml"
    return write_file(path, dumps(small))
