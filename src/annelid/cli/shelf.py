"""``annelid modules``, ``worlds``, ``scenarios``: what there is to build with."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from annelid.cli.options import PluginOption, load_plugins

if TYPE_CHECKING:
    from annelid.robot import ModuleType
    from annelid.spec import Spec


def modules(
    letter: Annotated[str | None, typer.Argument(help="Show this module in detail.")] = None,
    plugin: PluginOption = None,
) -> None:
    """The shelf of module types.

    Examples:

        annelid modules

        annelid modules R

        annelid modules --plugin wheel.py
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.errors import UnknownName
    from annelid.modules import shelf

    types = shelf(*load_plugins(plugin).modules)
    if letter is not None:
        if letter not in types:
            raise UnknownName("module letter", letter, types)
        _module_detail(types[letter])
        return
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
    Console().print(table)


def _module_detail(kind: type[ModuleType]) -> None:
    from math import degrees

    from rich.console import Console

    from annelid.robot import INDICATORS
    from annelid.robot.body import ServoMount

    console = Console()
    module = kind.parse({}, where=kind.letter)
    console.print(f"[bold]{kind.letter}: {kind.title}[/]   MDL {module.capabilities.digits}")
    for name, grade in module.capabilities.grades().items():
        console.print(f"  {name:12} {grade}  {INDICATORS[name]}")
    console.print(_fields(kind, f"Parameters ([robot.each.{kind.letter}])"))
    servos = {m.name for m in module.body().mounts if isinstance(m, ServoMount)}
    for action, pose in module.actions().items():
        said = ", ".join(
            f"{name} {degrees(value):.0f}°" if name in servos else f"{name} {value:g}"
            for name, value in pose.items()
        )
        console.print(f"  {action.value}: {said}")
    for limit in module.forbidden():
        console.print(f"  forbidden: {limit.actuator}: {limit.reason}")


def worlds(
    kind: Annotated[str | None, typer.Argument(help="Show this world in detail.")] = None,
    plugin: PluginOption = None,
) -> None:
    """The worlds a robot can be put into.

    Examples:

        annelid worlds

        annelid worlds pipe
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.errors import UnknownName
    from annelid.worlds import worlds as registry

    kinds = registry(*load_plugins(plugin).worlds)
    console = Console()
    if kind is not None:
        if kind not in kinds:
            raise UnknownName("world", kind, kinds)
        console.print(f"[bold]{kind}[/]: {kinds[kind].title}")
        console.print(_fields(kinds[kind], "Fields ([world])"))
        return
    table = Table("kind", "what it is", title="Worlds")
    for name, world in kinds.items():
        table.add_row(name, world.title)
    console.print(table)


def scenarios() -> None:
    """The scenarios that come with Annelid.

    Example:

        annelid scenarios
    """
    from rich.console import Console
    from rich.table import Table

    from annelid.spec import read_toml
    from annelid.trial.load import shipped

    table = Table("name", "robot", "world", "about", title="Scenarios")
    for name, path in shipped().items():
        data = read_toml(path)
        robot = data["robot"].get("chain", "modules")
        table.add_row(name, robot, data["world"]["kind"], data.get("about", ""))
    Console().print(table)


def _fields(kind: type[Spec], title: str) -> Any:
    from rich.table import Table

    table = Table("field", "default", title=title)
    for name, field in kind.model_fields.items():
        default = "required" if field.is_required() else _short(field.get_default())
        table.add_row(name, default)
    return table


def _short(value: Any) -> str:
    name = getattr(value, "name", None)
    text = str(name) if isinstance(name, str) else str(value)
    return text if len(text) <= 60 else text[:57] + "…"
