"""``annelid fuzz``: spoilt inputs, strange frames and strange environments."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from annelid.reliability.doors import Fuzz
    from annelid.reliability.frames import Babbled
    from annelid.reliability.kills import Killed

BABBLED = ("explore-straight", "erekobot", "caterpillar", "climber", "walker", "default")
"""Scenarios with boards: I2C and sync lines, UART, infrared."""


def fuzz(
    inputs: Annotated[
        int, typer.Option(min=0, help="Spoilt inputs, over all doors together.")
    ] = 1000,
    frames: Annotated[
        int, typer.Option(min=0, help="Frames with random content in running simulations.")
    ] = 10_000,
    kills: Annotated[
        int, typer.Option(min=0, help="Kills of a sweep at random moments (Linux).")
    ] = 0,
    surroundings: Annotated[
        bool, typer.Option(help="Try strange environments: locales, limits, closed streams.")
    ] = True,
    seed: Annotated[int, typer.Option(min=0, help="Seed of every random draw.")] = 0,
    door: Annotated[
        list[str] | None, typer.Option(help="Only these doors, such as: --door 'run folder'.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder for inputs that fail.")] = Path("runs/fuzz"),
    keep: Annotated[
        bool, typer.Option("--keep", help="Write the tables to results/reliability.md as well.")
    ] = False,
) -> None:
    """Spoil everything that is read from outside, and look for failures.

    Every input must be used, or refused with a message; every run with strange frames must end
    without a crash. The exit code is 1 if anything failed.

    Examples:

        annelid fuzz --inputs 200 --frames 0 --no-surroundings

        annelid fuzz --inputs 10000 --frames 1000000 --seed 7 --keep
    """
    from rich.console import Console

    from annelid.errors import UnknownName
    from annelid.reliability.doors import Fuzz
    from annelid.reliability.record import keep as record

    console = Console()
    found = Fuzz(out)
    for name in door or ():
        if name not in found.doors:
            raise UnknownName("door", name, found.doors, where="--door")
    _spoil(found, inputs, seed, tuple(door or found.doors))
    babbled = list(_babble(frames, seed))
    tried = dict(_surroundings()) if surroundings else {}
    killed = list(_kills(kills, seed)) if kills else []
    parts = {
        "Fuzz": list(_doors(found)) if inputs else [],
        "Frames": list(_frames(babbled)) if babbled else [],
        "Surroundings": list(_environments(tried)) if tried else [],
        "Kills": list(_killed(killed)) if killed else [],
    }
    for title, lines in parts.items():
        if lines:
            console.print("\n".join([f"## {title}", "", *lines, ""]), markup=False, soft_wrap=True)
            if keep:
                amounts = f"--inputs {inputs} --frames {frames} --kills {kills}"
                command = f"annelid fuzz {amounts} --seed {seed}"
                record(title, command, lines)
    failed = bool(found.failures) or any(one.outcome != "ok" for one in babbled)
    failed |= any(one.left or one.lost for one in killed)
    if failed or any(outcome == "failed" for outcome, _ in tried.values()):
        raise typer.Exit(1)


def _spoil(found: Fuzz, inputs: int, seed: int, doors: tuple[str, ...]) -> None:
    import numpy as np

    for k in range(inputs):
        found.enter(doors[k % len(doors)], np.random.default_rng([seed, k]))


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


def _surroundings() -> Iterator[tuple[str, tuple[str, str]]]:
    from annelid.reliability.surroundings import SURROUNDINGS, tried

    for name in SURROUNDINGS:
        with tempfile.TemporaryDirectory() as folder:
            yield name, tried(name, Path(folder))


def _kills(number: int, seed: int) -> Iterator[Killed]:
    from annelid.reliability.kills import kills

    with tempfile.TemporaryDirectory() as folder:
        yield from kills(Path(folder), number, seed)


def _killed(killed: list[Killed]) -> Iterator[str]:
    left, lost = sum(one.left for one in killed), sum(one.lost for one in killed)
    yield f"{len(killed)} kills of a sweep: {left} processes left after 2 s, {lost} trials lost;"
    yield "every sweep that was gone on with ended as one that nobody killed."
    yield from ("", "| signal | kills | processes left | trials lost |", "|---|---|---|---|")
    for name in sorted({one.by for one in killed}):
        ones = [one for one in killed if one.by == name]
        numbers = (len(ones), sum(one.left for one in ones), sum(one.lost for one in ones))
        yield f"| {name} | {' | '.join(map(str, numbers))} |"


def _doors(found: Fuzz) -> Iterator[str]:
    total = sum(sum(counts.values()) for counts in found.counts.values())
    yield f"{total} spoilt inputs, {len(found.failures)} failures."
    yield from ("", "| door | inputs | taken | refused | error | hang |", "|---" * 6 + "|")
    for door, counts in found.counts.items():
        numbers = [counts[outcome] for outcome in ("taken", "refused", "error", "hang")]
        yield f"| {door} | {sum(counts.values())} | {' | '.join(map(str, numbers))} |"
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
    yield from ("", "| environment | outcome | said |", "|---|---|---|")
    for name, (outcome, said) in tried.items():
        yield f"| {name} | {outcome} | {said.replace('|', '/')} |"
