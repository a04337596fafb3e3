"""``annelid fuzz``: spoilt inputs, strange frames and strange environments."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from annelid.boundary.markdown import markdown_table
from annelid.cli.options import KeepOption

if TYPE_CHECKING:
    from annelid.cli.screen import Screen
    from annelid.reliability.doors import Fuzz
    from annelid.reliability.frames import Babbled
    from annelid.reliability.kills import Killed

BABBLED = ("explore-straight", "erekobot", "caterpillar", "climber", "walker", "default")
"""Scenarios with boards: I2C and sync lines, UART, infrared."""


def fuzz(
    context: typer.Context,
    inputs: Annotated[
        int, typer.Option(min=0, help="Spoilt inputs, over all doors together.")
    ] = 1000,
    frames: Annotated[
        int, typer.Option(min=0, help="Frames with random content in running simulations.")
    ] = 10_000,
    kills: Annotated[
        int, typer.Option(min=0, help="Kills of commands at random moments (Linux).")
    ] = 0,
    surroundings: Annotated[
        bool, typer.Option(help="Try strange environments: locales, limits, closed streams.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Seed of every random draw.")] = 0,
    door: Annotated[
        list[str] | None, typer.Option(help="Only these doors, such as: --door 'run folder'.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for inputs that fail.")] = Path("runs/fuzz"),
    keep: KeepOption = False,
) -> None:
    """Feed damaged input to everything that reads input, and look for failures.

    Every input must be used, or refused with a message; every run with strange frames must end
    without a crash. The exit code is 1 if anything failed.

    Examples:

        annelid fuzz --inputs 200 --frames 0 --no-surroundings

        annelid fuzz --inputs 10000 --frames 1000000 --seed 7 --keep
    """
    from annelid.cli.progress import counting
    from annelid.cli.screen import Screen
    from annelid.errors import UnknownName
    from annelid.reliability.doors import Fuzz
    from annelid.reliability.record import keep as record
    from annelid.trial.lock import LOCK, locked

    console = Screen()
    found = Fuzz(out)
    for name in door or ():
        if name not in found.doors:
            raise UnknownName("door", name, found.doors, where="--door")
    context.with_resource(locked(out / LOCK, what=str(out)))
    babbled: list[Babbled] = []
    tried: dict[str, tuple[str, str]] = {}
    killed: list[Killed] = []
    cut = False
    try:
        with counting(console, "spoilt inputs", inputs) as done:
            for k in _spoil(found, inputs, seed, tuple(door or found.doors)):
                done(k + 1)
        with counting(console, "frames", frames) as done:
            for one in _babble(frames, seed):
                babbled.append(one)
                done(sum(each.frames for each in babbled))
        if surroundings:
            _surroundings(console, tried)
        with counting(console, "kills", kills) as done:
            for kill in _kills(kills, seed):
                killed.append(kill)
                done(len(killed))
    except KeyboardInterrupt:  # the tables are of what is done
        cut = True
    parts = {
        "Fuzz": list(_doors(found)) if found.counts else [],
        "Frames": list(_frames(babbled)) if babbled else [],
        "Surroundings": list(_environments(tried)) if tried else [],
        "Kills": list(_killed(killed)) if killed else [],
    }
    for title, lines in parts.items():
        if lines:
            if cut:
                lines.extend(["", "Stopped before its end."])
            console.print("\n".join([f"## {title}", "", *lines, ""]), soft_wrap=True)
            if keep:
                amounts = f"--inputs {inputs} --frames {frames} --kills {kills}"
                record(title, f"annelid fuzz {amounts} --seed {seed}", lines)
    if cut:
        raise KeyboardInterrupt("interrupted; the tables are of what was done")
    failed = bool(found.failures) or any(one.outcome != "ok" for one in babbled)
    failed |= not all(kill.well for kill in killed)
    if failed or any(outcome == "failed" for outcome, _ in tried.values()):
        raise typer.Exit(1)


def _spoil(found: Fuzz, inputs: int, seed: int, doors: tuple[str, ...]) -> Iterator[int]:
    import numpy as np

    for k in range(inputs):
        found.enter(doors[k % len(doors)], np.random.default_rng([seed, k]))
        yield k


def _babble(frames: int, seed: int) -> Iterator[Babbled]:
    """Runs until so many frames were sent."""
    from annelid.reliability.frames import babble

    sent, k = 0, 0
    while sent < frames:
        one = babble(BABBLED[k % len(BABBLED)], seed + k, seconds=10.0, a_turn=4)
        sent, k = sent + one.frames, k + 1
        yield one
        if k >= len(BABBLED) and not sent:
            return


def _surroundings(console: Screen, found: dict[str, tuple[str, str]]) -> None:
    from annelid.cli.progress import counting
    from annelid.reliability.surroundings import SURROUNDINGS, tried

    with counting(console, "environments", len(SURROUNDINGS)) as done:
        for name in SURROUNDINGS:
            with tempfile.TemporaryDirectory() as folder:
                found[name] = tried(name, Path(folder))
            done(len(found))


def _kills(number: int, seed: int) -> Iterator[Killed]:
    from annelid.reliability.kills import kills

    with tempfile.TemporaryDirectory() as folder:
        yield from kills(Path(folder), number, seed)


def _killed(killed: list[Killed]) -> Iterator[str]:
    bad = sum(not kill.well for kill in killed)
    yield f"{len(killed)} kills, after {bad} of which something was left, lost or other:"
    yield "processes after 2 s, results that were finished, or the end of a command that was gone"
    yield "on with held against that of one that nobody killed."
    rows = []
    for key in sorted({(kill.command, kill.by) for kill in killed}):
        ones = [kill for kill in killed if (kill.command, kill.by) == key]
        left, lost = sum(kill.left for kill in ones), sum(kill.lost for kill in ones)
        rows.append((*key, len(ones), left, lost, sum(kill.other for kill in ones)))
    head = ("command", "signal", "kills", "left", "lost", "other")
    yield from ("", *markdown_table(head, rows))


def _doors(found: Fuzz) -> Iterator[str]:
    total = sum(sum(counts.values()) for counts in found.counts.values())
    yield f"{total} spoilt inputs, {len(found.failures)} failures."
    outcomes = ("taken", "refused", "error", "hang")
    rows = (
        (door, sum(counts.values()), *(counts[outcome] for outcome in outcomes))
        for door, counts in found.counts.items()
    )
    yield from ("", *markdown_table(("door", "inputs", *outcomes), rows))
    for failure in sorted(set(found.failures)):
        yield f"- {failure[:200]}"


def _frames(babbled: list[Babbled]) -> Iterator[str]:
    total = sum(one.frames for one in babbled)
    bad = [one for one in babbled if one.outcome != "ok"]
    yield f"{total} frames, bytes and edges in {len(babbled)} runs, {len(bad)} failures."
    for one in bad:
        yield f"- {one.scenario}, seed {one.seed}: {one.outcome}: {one.why[:200]}"


def _environments(tried: dict[str, tuple[str, str]]) -> Iterator[str]:
    good = sum(outcome != "failed" for outcome, _ in tried.values())
    yield f"{good} of {len(tried)} environments end well or are told."
    rows = ((name, *told) for name, told in tried.items())
    yield from ("", *markdown_table(("environment", "outcome", "said"), rows))
