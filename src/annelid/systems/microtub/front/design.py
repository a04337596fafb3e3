"""``annelid design WORLD``: which chain of modules to build for these pipes.

A world is a pipe, or a description from which networks are drawn::

    annelid design my-pipes.toml
    annelid design my-pipes.toml --wanted 0.9 --runs 40 --longest 9
    annelid design my-pipes.toml --chain TRRHRRVP --chain TRRHV --vary H.spring_n_m=200,300
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.echo import echo
from annelid.cli.options import WorkersOption

if TYPE_CHECKING:
    from annelid.systems.microtub.front.contest import Question


def design(
    world: Annotated[
        str,
        typer.Argument(
            help="A .toml file with a world of pipes, or the name of a shipped scenario."
        ),
    ] = "",
    wanted: Annotated[
        float,
        typer.Option(
            min=0.01, max=1.0, help="Share of runs in which all ends are seen and it comes home."
        ),
    ] = 0.8,
    runs: Annotated[int, typer.Option(min=3, max=10_000, help="Most runs for each design.")] = 20,
    seed: Annotated[
        int, typer.Option(min=0, help="Seed of the first network and robot; others count up.")
    ] = 0,
    longest: Annotated[int, typer.Option(min=1, max=30, help="Most modules in a chain.")] = 8,
    modules: Annotated[
        str, typer.Option(help="Letters that chains are made of (see: annelid modules).")
    ] = "TRHV",
    candidates: Annotated[
        int, typer.Option(min=1, max=1000, help="Designs of each length that are simulated.")
    ] = 4,
    chain: Annotated[
        list[str] | None,
        typer.Option(help="Compare this chain, and search no others. May be repeated."),
    ] = None,
    vary: Annotated[
        list[str] | None,
        typer.Option(
            help="letter.parameter=a,b: try each design with these, such as H.spring_n_m=200,300. "
            "May be repeated."
        ),
    ] = None,
    prices: Annotated[
        Path | None, typer.Option(help="A TOML file with your prices (see: --show-prices).")
    ] = None,
    draw: Annotated[
        Path | None, typer.Option(help="Draw the first network to this .svg file, run nothing.")
    ] = None,
    show_prices: Annotated[
        bool, typer.Option("--show-prices", help="Print the shipped prices, and run nothing.")
    ] = False,
    workers: WorkersOption = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder to write. Default: runs/design-NAME-….")
    ] = None,
) -> None:
    """Find the chain of modules to build for these pipes, with success rates.

    Chains that are beyond their range or that the rules grant no exploring are left out. The others
    race, fewest modules first, until one reaches the wanted rate.

    Ctrl-C keeps the finished runs; the same command goes on from there.

    Examples:

        annelid design my-pipes.toml

        annelid design my-pipes.toml --draw my-pipes.svg

        annelid design my-pipes.toml --wanted 0.9 --runs 40 --longest 9

        annelid design default --chain TRRHRRVP --chain TRRHV --runs 10

        annelid design my-pipes.toml --vary H.spring_n_m=200,300 --prices my-prices.toml

        annelid design --show-prices > my-prices.toml
    """
    from annelid.boundary.files import write_file
    from annelid.cli.screen import Screen
    from annelid.errors import InputError
    from annelid.systems.microtub.front import campaign
    from annelid.systems.microtub.front.contest import Contest, Question
    from annelid.systems.microtub.front.design_page import page, write
    from annelid.systems.microtub.prices import SHIPPED, Prices
    from annelid.trial.pool import processes
    from annelid.worlds.picture import svg

    if show_prices:
        typer.echo(SHIPPED.read_text(encoding="utf-8"), nl=False)
        return
    if not world:
        raise InputError("expected a world: a .toml file or the name of a shipped scenario")
    name, table = world_of(world)
    question = Question(
        name=name,
        world=table,
        wanted=wanted,
        runs=runs,
        seed=seed,
        letters=modules,
        longest=longest,
        candidates=candidates,
        chains=tuple(dict.fromkeys(chain or ())),
        settings=settings_of(vary or []),
    )
    if draw is not None:
        first = question.networks[0]
        echo(write_file(draw, svg(first.tubes(), title=f"{name}, bore {first.bore_mm:.1f} mm")))
        return
    contest = Contest(question, Prices.read(prices or SHIPPED), campaign.code())
    folder = out or contest.folder(Path("runs"))
    again = "what was done is kept; the same command goes on from there"
    with (
        processes(workers, go_on=again) as pool,
        Screen(stderr=True).waiting("design …") as status,
    ):
        contest.run(folder, pool, lambda words: status.update(f"design: {words}"))
    command = _command(question)
    Screen().print("\n".join(page(contest)), soft_wrap=True)
    for file in write(contest, folder, command):
        echo(file)


def world_of(source: str) -> tuple[str, dict[str, Any]]:
    """Name and table of the pipes that a file or a shipped scenario describes."""
    from annelid.boundary.files import read_toml
    from annelid.errors import InputError
    from annelid.trial.load import find
    from annelid.worlds import parse_world, worlds
    from annelid.worlds.pipe_world import Pipe

    path = find(source)
    data = read_toml(path)
    table = data.get("world", data if "kind" in data else None)
    if not isinstance(table, dict):
        raise InputError(
            f"{source}: expected a table [world], or the fields of a world with a kind"
        )
    found = parse_world(table, worlds(), where=str(source), folder=path.parent)
    if not isinstance(found, Pipe):
        raise InputError(f"{source}: expected pipes (kind pipe or pipe-network), got {found.kind}")
    return path.stem, table


def settings_of(texts: list[str]) -> tuple[tuple[tuple[str, Any], ...], ...]:
    """Every combination of the values that are listed."""
    from annelid.errors import InputError
    from annelid.trial.vary import Listed, cells, parse_vary

    varied = [parse_vary(text) for text in texts]
    for one, text in zip(varied, texts, strict=True):
        if not isinstance(one, Listed) or one.field.count(".") != 1:
            raise InputError(
                f"--vary: expected letter.parameter=values, such as H.spring_n_m=200,300, "
                f"got {text!r}"
            )
    return tuple(tuple(sorted(cell.items())) for cell in cells(varied))


def _command(asked: Question) -> str:
    chains = "".join(f" --chain {each}" for each in asked.chains)
    return (
        f"annelid design {asked.name} --wanted {asked.wanted:g} --runs {asked.runs} "
        f"--seed {asked.seed} --modules {asked.letters} --longest {asked.longest} "
        f"--candidates {asked.candidates}{chains}"
    )
