"""``annelid networks``: explores pipe networks drawn at random, and tells by feature how it went.

Each is a scenario drawn from its seed (``systems/microtub/networks.py``) and runs as any other.
Whether an end can be reached at all is judged outside the robot; so is what it says::

    annelid networks --runs 20
    annelid networks TRRHRRVP --plane level --slope 12 --runs 100 --keep
    annelid networks survey --runs 20
    annelid networks --show 1004 > network.toml
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from annelid.boundary.markdown import markdown_table
from annelid.cli.options import FirstSeedOption, KeepOption, WorkersOption
from annelid.systems.microtub.front.campaign import by_feature, campaign, keep_page
from annelid.systems.microtub.front.named_robot import Fields, label, robot_named
from annelid.systems.microtub.networks import Features, Onlooker, Plane, network
from annelid.worlds.pipe_world import Pipe

RESULTS: Final = {"level": Path("results/networks.md"), "any": Path("results/networks-any.md")}
"""By plane."""
LOOK_NS: Final = 100_000_000
AFTER_S: Final = 2.0
"""So long a run goes on after the robot has told how its task ended."""


@dataclass(frozen=True)
class Explored:
    """What became of one network."""

    seed: int
    features: Features
    ends: int
    missed: tuple[str, ...] = ()
    """Reachable ends that were not seen."""
    unreachable: tuple[str, ...] = ()
    home: bool = False
    said: str = ""
    """How the task ended, in the robot's words; empty: it did not."""
    time_s: float = 0.0
    energy_j: float = 0.0
    """Of the motors."""
    statements: int = 0
    empty: int = 0
    """Besides: those in which nothing is judged."""
    unjudged: tuple[str, ...] = ()
    """Their kinds that no witness judges."""
    false: tuple[str, ...] = ()
    intervals: int = 0
    held: int = 0
    crashed: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    """Of its map: parts that it went through and that are not on it."""
    news: tuple[str, ...] = field(default=())
    """All that the robot told its operator, with the time."""

    @property
    def good(self) -> bool:
        """Every reachable end seen, and home."""
        return not self.missed and self.home

    @property
    def whole(self) -> bool:
        """All ends were within reach."""
        return not self.unreachable

    @classmethod
    def read(cls, kept: dict[str, Any]) -> Explored:
        lists = {name: tuple(each) for name, each in kept.items() if isinstance(each, list)}
        return cls(**{**kept, **lists, "features": Features(**kept["features"])})


def name_of(robot: Fields, plane: Plane, slope: float) -> str:
    """Of the file in which explored networks are kept."""
    return f"networks-{label(robot)}-{plane}-{slope:g}"


def explore(seed: int, *, robot: Fields, plane: Plane, slope: float) -> Explored:
    """Run one."""
    return explored(network(seed, robot=robot, plane=plane, slope=slope))


def explored(fields: dict[str, Any]) -> Explored:
    """Run a scenario in which a robot explores pipes, until it says how that ended."""
    from annelid.kernel import to_seconds
    from annelid.trial.load import parse
    from annelid.trial.run import Trial

    scenario = parse(fields, where=fields["name"])
    trial = Trial(scenario)
    world = trial.sim.world
    assert isinstance(world, Pipe)
    onlooker = Onlooker.of(trial.sim, world, trial.sim.robot)
    news: list[str] = []
    maps: list[Any] = []

    def note(t_ns: int, source: str, kind: str, detail: Mapping[str, Any]) -> None:
        if kind == "map":
            maps[:] = [detail]
        if kind == "answer":
            news.append(f"{to_seconds(t_ns):.0f} s: {detail.get('words') or detail.get('line')}")
            if "explore: done" in news[-1] or "explore: given up" in news[-1]:
                trial.give_up(to_seconds(t_ns) + AFTER_S, lambda: True)

    trial.listeners.append(note)
    trial.every(LOOK_NS, onlooker.look)
    metrics = trial.measure()
    ended = [words for words in news if "explore: done" in words or "explore: given" in words]
    return Explored(
        seed=scenario.seed,
        features=Features.of(world),
        ends=len(onlooker.ends),
        missed=onlooker.missed,
        unreachable=onlooker.unreachable,
        home=onlooker.home,
        said=ended[-1].split(": ", 1)[1] if ended else "",
        time_s=metrics.time_s,
        energy_j=metrics.energy_j,
        statements=metrics.statements,
        empty=metrics.statements_empty,
        unjudged=metrics.statements_unjudged,
        false=metrics.statements_false,
        intervals=metrics.intervals,
        held=metrics.intervals_held,
        crashed=metrics.crashed,
        lacks=_lacks(world, maps),
        news=tuple(news),
    )


def _lacks(world: Pipe, maps: list[Any]) -> tuple[str, ...]:
    if not maps:
        return ()
    from annelid.systems.microtub.mapping import MapSpec, compare, from_spec

    return compare(from_spec(MapSpec.model_validate(maps[-1])), world.tubes()).missed


def networks(
    chain: Annotated[
        str, typer.Argument(help="The robot's modules, head first, or a shipped scenario's name.")
    ] = "TRRHRRVP",
    runs: Annotated[int, typer.Option(min=1, help="Number of networks.")] = 20,
    seed: FirstSeedOption = 0,
    plane: Annotated[str, typer.Option(help="Of elbows and branches: any, or level.")] = "any",
    slope: Annotated[
        float,
        typer.Option(min=0, max=45, help="The inlet rises or falls by up to so many degrees."),
    ] = 15.0,
    show: Annotated[
        int | None, typer.Option(help="Print the scenario of this seed, and run nothing.")
    ] = None,
    keep: KeepOption = False,
    workers: WorkersOption = None,
) -> None:
    """Explore pipe networks drawn at random; list success rates by feature.

    The same command goes on where it was broken off.

    Examples:

        annelid networks --runs 20

        annelid networks TRRHRRVP --plane level --slope 12 --seed 5000 --runs 100 --keep

        annelid networks survey --runs 20

        annelid networks --show 5004 > network.toml
    """
    from annelid.cli.screen import Screen
    from annelid.errors import InputError
    from annelid.trial.load import parse
    from annelid.trial.toml import dumps

    if plane not in ("any", "level"):
        raise InputError(f"plane: expected any or level, got {plane!r}")
    lie: Plane = "any" if plane == "any" else "level"
    robot = robot_named(chain)
    parse(network(seed, robot=robot, plane=lie, slope=slope), where=chain)  # before the pool
    if show is not None:
        typer.echo(dumps(network(show, robot=robot, plane=lie, slope=slope)))
        return
    found = campaign(
        name_of(robot, lie, slope),
        partial(explore, robot=robot, plane=lie, slope=slope),
        range(seed, seed + runs),
        workers=workers,
        read=Explored.read,
    )
    lines = list(page(found))
    Screen().print("\n".join(lines), soft_wrap=True)
    if keep:
        command = f"annelid networks {chain} --plane {plane} --slope {slope:g}"
        command += f" --seed {seed} --runs {runs}"
        keep_page(RESULTS[lie], "Pipe networks", command, lines)


def _band(value: float | None, *limits: float, unit: str) -> str:
    """Between which of the limits it lies."""
    if value is None:
        return "none"
    above = [limit for limit in limits if value >= limit]
    below = [limit for limit in limits if value < limit]
    if not above:
        return f"below {below[0]:g} {unit}"
    return f"{above[-1]:g} {unit} or more" if not below else f"{above[-1]:g} to {below[0]:g} {unit}"


FEATURES: Final[Mapping[str, Callable[[Explored], str]]] = {
    "all": lambda one: "",
    "reach": lambda one: "all ends" if one.whole else "some ends out of reach",
    "elbows": lambda one: str(one.features.elbows),
    "tightest elbow": lambda one: _band(one.features.tightest_mm, 60, 80, unit="mm"),
    "branches": lambda one: str(one.features.branches),
    "sharpest branch": lambda one: _band(one.features.sharpest_deg, 45, 60, unit="°"),
    "bore": lambda one: _band(one.features.bore_mm, 40, 42, unit="mm"),
    "inlet": lambda one: _band(abs(one.features.slope_deg), 4, 8, 12, unit="°"),
    "steepest leg": lambda one: _band(one.features.steepest_deg, 12, 21, unit="°"),
}


def page(found: Sequence[Explored]) -> Iterator[str]:
    """By feature, so that the worst is visible; then every failure and every false statement."""
    said, false = sum(one.statements for one in found), sum(len(one.false) for one in found)
    ends = sum(one.ends for one in found)
    beyond = sum(len(one.unreachable) for one in found)
    intervals, held = sum(one.intervals for one in found), sum(one.held for one in found)
    yield f"{len(found)} networks; all ends within reach in {sum(one.whole for one in found)}, "
    yield f"{ends - beyond} of {ends} ends in all.  {said} statements, {false} false, in "
    yield f"{sum(bool(one.false) for one in found)} runs; {held} of {intervals} intervals hold "
    yield f"the truth; programs crashed in {sum(bool(one.crashed) for one in found)}."
    head = (
        *("feature", "", "reachable ends seen, and home", "home"),
        *("runs with false words", "maps that lack a part"),
    )
    yield from ("", *markdown_table(head, by_feature(FEATURES, found, _row)))
    failed = [
        (
            one.seed,
            ", ".join(one.missed) or "none",
            "yes" if one.home else "no",
            one.said or f"not within {one.time_s:.0f} s",
            "; ".join(one.false),
            ", ".join(one.lacks),
        )
        for one in found
        if not one.good or one.false or one.lacks
    ]
    titles = ("seed", "missed", "home", "how it ended", "not so", "not on the map")
    yield from ("", *markdown_table(titles, failed))


def _row(ones: Sequence[Explored]) -> tuple[object, ...]:
    from annelid.papers.interval import Rate

    good, home = (Rate.count(getattr(one, name) for one in ones) for name in ("good", "home"))
    return good, home, *(sum(bool(getattr(one, of)) for one in ones) for of in ("false", "lacks"))
