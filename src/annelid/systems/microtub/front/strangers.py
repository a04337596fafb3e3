"""``annelid strangers``: many robots that nobody tuned for, and whether what they say is so.

Each is a scenario drawn from its seed (``systems/microtub/strangers.py``) and runs as any other.
The table tells by kind of robot, world, command and fault how many were refused, told something
that is not so, fell, or crashed; false statements and falls are listed with the seed that shows
them again::

    annelid strangers --runs 20
    annelid strangers --show 1004 > stranger.toml
    annelid run stranger.toml
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from annelid.boundary.markdown import markdown_table
from annelid.cli.options import FirstSeedOption, KeepOption, WorkersOption
from annelid.errors import AnnelidError
from annelid.systems.microtub.front.campaign import by_feature, campaign, keep_page

RESULTS: Final = Path("results/strangers.md")


@dataclass(frozen=True)
class Met:
    """What became of one stranger."""

    seed: int
    kind: str
    world: str
    command: str
    fault: str
    refused: str = ""
    """Why it cannot be built."""
    statements: int = 0
    false: tuple[str, ...] = ()
    misled: int = 0
    """Not so either, but a sensor was broken on purpose."""
    intervals: int = 0
    held: int = 0
    crashed: tuple[str, ...] = ()
    fell: str = ""
    """Why, where it did."""

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Met:
        lists = {name: tuple(each) for name, each in kept.items() if isinstance(each, list)}
        return cls(**{**kept, **lists})


def meet(seed: int) -> Met:
    """Run one."""
    from annelid.systems.microtub.strangers import stranger
    from annelid.trial.load import parse
    from annelid.trial.run import Trial

    fields = stranger(seed)
    faults = fields["faults"]
    what: dict[str, Any] = {
        "seed": seed,
        "kind": fields["about"].split(": ")[1].split(";")[0],
        "world": _world(fields["world"]),
        "command": " ".join(fields["control"]["options"]["operator"][0]["say"].split()[:2]),
        "fault": faults[0]["fault"].replace("_", " ") if faults else "none",
    }
    try:
        metrics = Trial(parse(fields, where=fields["name"])).measure()
    except AnnelidError as error:
        return Met(**what, refused=str(error))
    return Met(
        **what,
        statements=metrics.statements,
        false=metrics.statements_false,
        misled=len(metrics.statements_misled),
        intervals=metrics.intervals,
        held=metrics.intervals_held,
        crashed=metrics.crashed,
        fell=metrics.fell_why or "",
    )


def _world(world: Mapping[str, Any]) -> str:
    fittings = {part["part"] for part in world.get("parts", ())} & {"elbow", "tee", "cross"}
    return " and ".join(["pipe", *sorted(fittings)]) if "parts" in world else world["kind"]


def strangers(
    runs: Annotated[int, typer.Option(min=1, help="Number of runs.")] = 20,
    seed: FirstSeedOption = 0,
    show: Annotated[
        int | None, typer.Option(help="Print the scenario of this seed, and run nothing.")
    ] = None,
    keep: KeepOption = False,
    workers: WorkersOption = None,
) -> None:
    """Run robots, worlds, commands and faults drawn at random; check what robots say.

    The same command goes on where it was broken off.

    Examples:

        annelid strangers --runs 20

        annelid strangers --seed 5000 --runs 300 --keep

        annelid strangers --show 5004 > stranger.toml
    """
    from annelid.cli.screen import Screen
    from annelid.systems.microtub.strangers import stranger
    from annelid.trial.toml import dumps

    if show is not None:
        typer.echo(dumps(stranger(show)))
        return
    met = campaign("strangers", meet, range(seed, seed + runs), workers=workers, read=Met.read)
    lines = list(page(met))
    Screen().print("\n".join(lines), soft_wrap=True)
    if keep:
        command = f"annelid strangers --seed {seed} --runs {runs}"
        keep_page(RESULTS, "Strangers", command, lines)


FEATURES: Final[Mapping[str, Callable[[Met], str]]] = {
    "robot": lambda met: met.kind,
    "world": lambda met: met.world,
    "command": lambda met: met.command,
    "fault": lambda met: met.fault,
}


def page(met: Sequence[Met]) -> Iterator[str]:
    """By feature, so that the worst is visible, and every false statement."""
    built = [one for one in met if not one.refused]
    said, false = sum(one.statements for one in built), sum(len(one.false) for one in built)
    intervals, held = sum(one.intervals for one in built), sum(one.held for one in built)
    yield f"{len(met)} strangers, {len(met) - len(built)} that cannot be built; {said} statements,"
    yield f"{false} false, in {sum(bool(one.false) for one in built)} runs; {held} of {intervals}"
    yield f"intervals hold the truth; programs crashed in {sum(bool(o.crashed) for o in built)},"
    yield f"robots fell in {sum(bool(one.fell) for one in built)}."
    yield f"{sum(one.misled for one in built)} more are false where a sensor was broken on purpose."
    head = ("feature", "", "runs", "statements", "runs with false ones", "crashed", "fell")
    yield from ("", *markdown_table(head, by_feature(FEATURES, built, _row)))
    failed = [
        (one.seed, one.kind, one.world, one.command, one.fault, words)
        for one in built
        for words in (*one.false, *([f"fell: {one.fell}"] if one.fell else []))
    ]
    if failed:
        features = ("seed", "robot", "world", "command", "fault", "said, and not so; or fell")
        yield from ("", *markdown_table(features, failed))


def _row(ones: Sequence[Met]) -> tuple[object, ...]:
    return (
        len(ones),
        sum(one.statements for one in ones),
        sum(bool(one.false) for one in ones),
        sum(bool(one.crashed) for one in ones),
        sum(bool(one.fell) for one in ones),
    )
