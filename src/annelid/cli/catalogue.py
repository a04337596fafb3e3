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
    from annelid.robot import ModuleType
    from annelid.spec import Spec

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
TAGS = ("gait", "controller", "fault", "kind", "part", "do")
"""Fields by which a file chooses a spec."""
EXAMPLE = {"module": "R", "world": "pipe", "gait": "wave", "servo": "a1-16", "fault": "dead_sensor"}


def commands() -> Iterable[tuple[str, Callable[..., None]]]:
    """One command for each kind of thing there is: its name and what it does."""
    for name, text in HELP.items():
        yield f"{name}s", _command(name, f"{name}s", text)


def _command(name: str, plural: str, text: str) -> Callable[..., None]:
    def command(
        which: Annotated[str | None, typer.Argument(help="Show this entry in detail.")] = None,
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
    from rich.console import Console

    from annelid.errors import UnknownName
    from annelid.registry import kind

    console = Console()
    found = kind(name)
    table = _behaviours(plugins) if name == "behaviour" else plugins.table(found)
    if which is None:
        console.print(_list(found, table))
        if not table:
            console.print(f"None yet; `annelid new {name} NAME` writes one to start from.")
        return
    if which not in table:
        raise UnknownName(name, which, table)
    for part in _detail(found, which, table[which]):
        console.print(part)


def _behaviours(plugins: Any) -> dict[str, Any]:
    """Those of the systems too, which hold them in their layers; one that several have is told with
    its system."""
    from annelid.behaviour import BEHAVIOURS
    from annelid.systems import SYSTEMS

    found = {
        f"{system.name}/{layer.name}/{name}": entry.kind
        for system in plugins.table(SYSTEMS).values()
        for layer in system.behaviours.layers
        for name, entry in layer.entries.items()
    }
    return {**found, **plugins.table(BEHAVIOURS)}


def _list(kind: Kind[Any], members: Any) -> Table:
    from rich.markup import escape
    from rich.table import Table

    if kind.name == "module":
        return _shelf(members)
    table = Table("name", "what it is", title=kind.plural.capitalize())
    for name, member in members.items():
        table.add_row(escape(name), escape(_title(member)))
    return table


def _title(member: Any) -> str:
    from annelid.robot.servo import Servo
    from annelid.spec_fields import first_line

    title = getattr(member, "title", None)
    if isinstance(title, str):
        return title
    if isinstance(member, Servo):
        torque, speed = member.stall_torque, member.no_load_speed
        return f"{torque:.3g} N·m, {speed:.3g} rad/s at {member.voltage:g} V"
    return first_line(member)


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


def _detail(kind: Kind[Any], name: str, member: Any) -> Iterable[RenderableType]:
    from rich.markup import escape

    from annelid.spec import Spec
    from annelid.spec_fields import members

    title = _title(member)
    yield f"[bold]{escape(name)}[/]" + (f": {escape(title)}" if title else "")
    if kind.name == "module":
        yield from _module_detail(member)
    own = member if isinstance(member, type) else type(member)
    spec = getattr(member, "options", None) or own
    if not (isinstance(spec, type) and issubclass(spec, Spec)):
        return
    told = {"module": f"[robot.each.{name}]", "world": "[world]", "gait": "[[control.gaits]]"}
    told |= {"controller": "[control.controller]"}
    told |= {"fault": "[[faults]]", "system": "[control.options]", "optimiser": "[optimiser]"}
    given = member if isinstance(member, Spec) else None
    yield _fields(spec, f"Fields, in {told[kind.name]}" if kind.name in told else "Fields", given)
    for field, specs in members(spec).items():
        for each in specs if field != "servo" else ():  # annelid servos
            tags = [
                f"{tag} = {info.default!r}"
                for tag, info in each.model_fields.items()
                if tag in TAGS and isinstance(info.default, str)
            ]
            yield _fields(each, f"{field}: {', '.join(tags) or each.__name__}", None)


def _fields(spec: type[Spec], title: str, given: Spec | None) -> Table:
    from rich.markup import escape
    from rich.table import Table

    from annelid.spec_fields import described, shown

    heading = "default" if given is None else "value"
    table = Table(title=escape(title), title_justify="left")
    for name in ("field", heading, "unit", "bounds", "meaning"):
        table.add_column(name, overflow="fold")
    for field in described(spec):
        if field.name in TAGS:
            continue  # its own name
        value = field.default if given is None else shown(getattr(given, field.name))
        row = (field.name, value, field.unit, field.bounds, field.meaning)
        table.add_row(*map(escape, row))
    return table


def _module_detail(kind: type[ModuleType]) -> Iterable[RenderableType]:
    from math import degrees

    from annelid.robot import INDICATORS
    from annelid.robot.body import ServoMount

    module = kind.parse({}, where=kind.letter)
    yield f"  MDL {module.capabilities.digits}"
    for name, grade in module.capabilities.grades().items():
        yield f"  {name:12} {grade}  {INDICATORS[name]}"
    servos = {m.name for m in module.body().mounts if isinstance(m, ServoMount)}
    for action, pose in module.actions().items():
        said = ", ".join(
            f"{name} {degrees(value):.0f}°" if name in servos else f"{name} {value:g}"
            for name, value in pose.items()
        )
        yield f"  {action.value}: {said}"
    for limit in module.forbidden():
        yield f"  forbidden: {limit.actuator}: {limit.reason}"


def scenarios(
    claims: Annotated[
        bool, typer.Option("--claims", help="Those that annelid reproduce runs, by row.")
    ] = False,
) -> None:
    """List the scenarios that come with Annelid.

    Examples:

        annelid scenarios

        annelid scenarios --claims
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.boundary.files import read_toml
    from annelid.trial.load import shipped

    table = Table("name", "robot", "world", "about", title="Scenarios")
    for name, path in shipped(claims=claims).items():
        data = read_toml(path)
        robot = data["robot"].get("chain", "modules")
        table.add_row(name, robot, data["world"]["kind"], data.get("about", ""))
    Console().print(table)
