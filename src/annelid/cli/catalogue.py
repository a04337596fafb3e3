"""``annelid modules``, ``gaits``, ``faults`` …: lists of what a scenario can use."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import PluginOption, load_plugins

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table

    from annelid.registry import Kind
    from annelid.report.entry import FieldTable, ReferenceEntry

HELP = {
    "module": "List the module types.",
    "world": "List the worlds that a robot can move in.",
    "gait": "List the gaits that a scenario can use.",
    "controller": "List the controllers that plugins and installed packages add.",
    "servo": "List the servos that a module can use.",
    "system": "List the control systems that can run on a robot's boards.",
    "link": "List the kinds of links between boards.",
    "behaviour": "List the behaviours of all systems, layer by layer.",
    "rule": "List the rule tables that plugins and installed packages add.",
    "fault": "List the faults that can happen in a run.",
    "objective": "List the fitness functions that plugins and installed packages add.",
    "measure": "List the measures that a study can compute without a simulation.",
    "optimiser": "List the optimisers that a study can use.",
}
"""By kind; the command is its plural."""
EXAMPLE = {"module": "R", "world": "pipe", "gait": "wave", "servo": "a1-16", "fault": "dead_sensor"}


def _members(context: typer.Context) -> list[str]:
    """For completion in a shell: the names that ``annelid gaits`` lists."""
    from annelid.registry import kind

    return [*kind((context.info_name or "").removesuffix("s")).table()]


def commands() -> Iterable[tuple[str, Callable[..., None]]]:
    """One command for each kind of thing there is: its name and what it does."""
    for name, text in HELP.items():
        yield f"{name}s", _command(name, f"{name}s", text)


def _command(name: str, plural: str, text: str) -> Callable[..., None]:
    def command(
        which: Annotated[
            str | None,
            typer.Argument(help="Show this entry in detail.", autocompletion=_members),
        ] = None,
        plugin: PluginOption = None,
    ) -> None:
        _show(name, which, load_plugins(plugin))

    shown = f"\n\n        annelid {plural} {EXAMPLE[name]}" if name in EXAMPLE else ""
    command.__doc__ = (
        f"{text}\n\n    Examples:\n\n        annelid {plural}{shown}"
        f"\n\n        annelid {plural} --plugin mine.py\n    "
    )
    return command


def _show(name: str, which: str | None, plugins: Any) -> None:
    from annelid.cli.screen import Screen
    from annelid.errors import UnknownName
    from annelid.registry import kind
    from annelid.report.entry import entry, listed

    console = Screen()
    found = kind(name)
    table = listed(found, plugins)
    if which is None:
        console.print(_list(found, table))
        if not table:
            console.print(f"None yet; `annelid new {name} NAME` writes one to start from.")
        return
    if which not in table:
        raise UnknownName(name, which, table)
    for part in _detail(entry(found, which, table[which])):
        console.print(part)


def _list(kind: Kind[Any], members: Any) -> Table:
    from rich.table import Table

    from annelid.report.entry import titles

    if kind.name == "module":
        return _shelf(members)
    table = Table("name", "what it is", title=kind.plural.capitalize())
    for name, title in titles(members):
        table.add_row(name, title)
    return table


def _shelf(types: Any) -> Table:
    from rich.table import Table

    table = Table(title="Modules")
    for heading in ("", "name", "mm", "g", "actuators", "sensors", "MDL"):
        right = heading in ("mm", "g")
        table.add_column(heading, justify="right" if right else "left", no_wrap=heading == "MDL")
    for sign, kind in types.items():
        module = kind.parse({}, where=sign)
        body = module.body()
        table.add_row(
            sign,
            kind.title,
            f"{module.length_mm:g}",
            f"{module.mass_g:g}",
            ", ".join(mount.name for mount in body.mounts) or "–",
            ", ".join(sensor.name for sensor in body.sensors) or "–",
            module.capabilities.digits,
        )
    return table


def _detail(entry: ReferenceEntry) -> Iterable[RenderableType]:
    from annelid.cli.screen import styled

    yield styled(entry.name, "bold") + styled(f": {entry.title}" if entry.title else "")
    for note in entry.notes:
        yield f"  {note}"
    for table in entry.tables:
        yield _fields(table)


def _fields(fields: FieldTable) -> Table:
    from rich.table import Table

    table = Table(title=fields.title, title_justify="left")
    for name in fields.columns():
        table.add_column(name, overflow="fold")
    for field in fields.rows:
        table.add_row(*fields.cells(field))
    return table


def metrics() -> None:
    """List the numbers that a run measures: metrics.json, sweeps, fitness.

    Examples:

        annelid metrics
    """
    from annelid.cli.screen import Screen
    from annelid.report.entry import metric_table

    Screen().print(_fields(metric_table()))


def scenarios(
    claims: Annotated[
        bool,
        typer.Option(
            "--claims", help="The scenarios of annelid reproduce, and the rows that use them."
        ),
    ] = False,
) -> None:
    """List the scenarios that come with Annelid.

    Examples:

        annelid scenarios

        annelid scenarios --claims
    """
    from rich.table import Table

    from annelid.boundary.files import read_toml
    from annelid.cli.screen import Screen
    from annelid.trial.load import shipped

    rows: dict[str, list[str]] = {}
    if claims:
        from annelid.papers.used_by import rows_of_scenarios

        rows = rows_of_scenarios()
    headings = ("name", *(("rows",) if claims else ()), "robot", "world", "about")
    table = Table(*headings, title="Scenarios")
    for name, path in shipped(claims=claims).items():
        data = read_toml(path)
        robot = data["robot"].get("chain", "modules")
        used = (", ".join(rows[name]),) if claims else ()
        table.add_row(name, *used, robot, data["world"]["kind"], data.get("about", ""))
    Screen().print(table)
