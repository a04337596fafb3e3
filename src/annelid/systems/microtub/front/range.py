"""``annelid range CHAIN``: in which pipes a chain can work, before anything is simulated."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Final

import typer

from annelid.boundary.markdown import markdown_table
from annelid.cli.echo import echo
from annelid.cli.options import WorkersOption
from annelid.worlds.limits import ChainRange

BORES_MM: Final = (38.5, 40.0, 42.0, 44.0, 46.0)


def range_of(
    chain: Annotated[
        str, typer.Argument(help="The robot's modules, head first, or a shipped scenario's name.")
    ],
    bore: Annotated[
        list[float] | None, typer.Option(min=36, max=200, help="Bore in mm. May be repeated.")
    ] = None,
    check: Annotated[
        int | None,
        typer.Option(min=1, max=10_000, help="Try so many cells near the edges in simulation."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the first cell.")] = 0,
    workers: WorkersOption = None,
) -> None:
    """List the slope, bend and branch that a chain can pass, by bore.

    Computed from thrust, grip, weight, friction and rigid pieces; control and wear may allow less.
    --check tries drawn cells in the physics, without any control: drives push up slopes, and the
    nose is pulled through elbows and branches. The same command goes on where it was broken off.
    On slopes steeper than "without rests" drives become too hot in time and have to rest.

    Examples:

        annelid range TRRHRRVP

        annelid range TRRHRRHVP --bore 40 --bore 45

        annelid range TRRHRRVP --check 30

        annelid range survey
    """
    from annelid.modules import shelf
    from annelid.robot.hauling import Hauling
    from annelid.robot.robot import RobotSpec, assemble
    from annelid.systems.microtub.front.named_robot import label, robot_named

    fields = robot_named(chain)
    robot = assemble(RobotSpec.parse(fields, where="robot"), shelf())
    hauling = Hauling.of([module.type for module in robot.modules])
    longest = max(piece.length for piece in hauling.pieces)
    echo(
        f"{robot.letters}: {hauling.weight:.2f} N, {1000 * hauling.length:.0f} mm, "
        f"longest rigid piece {1000 * longest:.0f} mm"
    )
    limits = [ChainRange.of(hauling, mm) for mm in bore or BORES_MM]
    for line in table(limits, driven=hauling.driven):
        echo(line)
    if not hauling.driven:
        echo("No drive pushes this chain. How steep it goes by waves or by its grips is not known.")
    if check is not None:
        from annelid.systems.microtub.front import campaign, range_check

        cells = campaign.campaign(
            f"range-{label(fields)}",
            partial(range_check.check, robot=fields),
            range(seed, seed + check),
            workers=workers,
            read=range_check.TriedCell.read,
        )
        echo("")
        for line in range_check.page(cells):
            echo(line)


def table(limits: list[ChainRange], *, driven: bool) -> Iterator[str]:
    head = ("bore", "thrust", "slope up and down", "without rests", "elbow of 90°", "branch")
    no = "none" if driven else "not known"
    rows = (
        (
            f"{each.bore_mm:g} mm",
            f"{each.thrust_n:.2f} N" if driven else no,
            no if each.steepest_deg is None else f"to {each.steepest_deg:.0f}°",
            no if each.lasting_deg is None else f"to {each.lasting_deg:.0f}°",
            "none" if each.tightest_mm is None else f"from {each.tightest_mm:.0f} mm",
            "none" if each.sharpest_deg is None else f"to {each.sharpest_deg:.0f}°",
        )
        for each in limits
    )
    return markdown_table(head, rows)
