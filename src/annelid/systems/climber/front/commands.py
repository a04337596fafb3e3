"""``annelid climber``: maps and comparisons of climbing robots (003)."""

from __future__ import annotations

from typing import Annotated

import typer

from annelid.cli.echo import echo
from annelid.cli.options import WorkersOption

app = typer.Typer(
    name="climber",
    help="Show where a climber walks, stands or refuses, and what its gaits cost.",
    no_args_is_help=True,
)

ScenarioArgument = Annotated[str, typer.Argument(help="A scenario with a climber on a plane.")]
SuctionOption = Annotated[
    list[float] | None,
    typer.Option(min=1, max=500, help="Pull of a cup in N. May be repeated."),
]
SeedOption = Annotated[int, typer.Option(min=0, help="Seed of every random draw.")]


@app.command("range")
def range_of(
    scenario: ScenarioArgument = "climber-wall",
    suction: SuctionOption = None,
    check: Annotated[
        int, typer.Option(min=0, max=10_000, help="Runs drawn at random that check the map.")
    ] = 0,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
) -> None:
    """Print by slope, heading and suction where the robot walks, stands or refuses.

    Computed by the force model from the robot of the scenario: W walks, b barely (not every robot
    of this design), s stands and says why, - refuses to be put there.  Headings are on the plane,
    from straight up it to the left.

    Examples:

        annelid climber range

        annelid climber range d04-inclines --suction 30 --check 20
    """
    from annelid.systems.climber.front.footing import SUCTIONS_N, checked, map_of

    chosen = suction or SUCTIONS_N
    for line in map_of(scenario, chosen):
        echo(line)
    if check:
        for line in checked(scenario, chosen, check, seed=seed, workers=workers):
            echo(line)


@app.command("legs")
def legs(
    legs: Annotated[
        list[int] | None,
        typer.Option(min=3, max=16, help="Number of legs. May be repeated."),
    ] = None,
) -> None:
    """Print what suction each number of legs needs to walk on walls and ceilings.

    Legs as shipped, evenly all round a trunk as shipped, by the force model.

    Examples:

        annelid climber legs --legs 4 --legs 10
    """
    from annelid.systems.climber.front.footing import legs_table

    for line in legs_table(legs or range(4, 11)):
        echo(line)


@app.command("gaits")
def gaits(
    scenario: ScenarioArgument = "climber",
    slope: Annotated[
        list[float] | None,
        typer.Option(min=0, max=180, help="Slope of the plane in degrees. May be repeated."),
    ] = None,
    seed: SeedOption = 0,
    workers: WorkersOption = None,
) -> None:
    """Compare the free gait with the cyclic movement: speed, energy, forces on the cups.

    Both walk 200 mm on every slope, with the same robot, drawn from its tolerances.  The cyclic
    movement has arrived when all legs have followed the body.  Takes a minute or two.

    Examples:

        annelid climber gaits --slope 0 --slope 90
    """
    from annelid.systems.climber.front.gaits import SLOPES_DEG, gaits_table

    for line in gaits_table(scenario, slope or SLOPES_DEG, seed=seed, workers=workers):
        echo(line)
