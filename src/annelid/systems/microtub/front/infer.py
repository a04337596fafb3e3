"""``annelid infer``: lists what a chain of modules can do, and why."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.tree import Tree

from annelid.cli.options import PluginOption, load_plugins
from annelid.cli.screen import Screen, styled
from annelid.errors import UnknownName
from annelid.modules import MODULES
from annelid.robot import Capabilities, Shelf, assemble
from annelid.robot import chain as chain_of
from annelid.systems import RULES
from annelid.systems.microtub.condition import damaged
from annelid.systems.microtub.inference import (
    Engine,
    Fact,
    Inferred,
    RobotSituation,
    StatedModule,
    needed,
    rule_tables,
    rulebook,
    shortest_chains,
    splits,
)
from annelid.systems.microtub.inference.proof import ProofStep, proof, why_not
from annelid.systems.microtub.protocol import WorkingMode

GRADES = ("no", "little", "medium", "good")
CUTS_SHOWN = 5
CHAINS_SHOWN = 12
WIDTH = 110
"""Of the page where the output is not a terminal."""


class Mode(StrEnum):
    PIPE = "pipe"
    OPEN = "open"
    GENERAL = "general"


def infer(
    chain: Annotated[str, typer.Argument(help="Module letters, head first.")],
    mode: Annotated[Mode, typer.Option(help="Surroundings of the robot.")] = Mode.PIPE,
    rules: Annotated[
        list[Path] | None,
        typer.Option(
            help="A TOML file with rules: it adds, changes or removes some. May be repeated."
        ),
    ] = None,
    without: Annotated[
        list[str] | None,
        typer.Option(help="A servo or module that is broken: R2.pitch, H1; may be repeated."),
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="List which modules this task or ability needs.")
    ] = None,
    split: Annotated[
        bool, typer.Option("--split", help="List the best places to cut the robot in two.")
    ] = False,
    tether: Annotated[bool, typer.Option(help="The robot gets its power by cable.")] = True,
    plugin: PluginOption = None,
) -> None:
    """List what a chain of modules can do, each with its proof.

    Examples:

        annelid infer TRRHRRVP --mode pipe

        annelid infer RRSESRR --mode open --without R2.pitch

        annelid infer TRRHRRVP --task explore

        annelid infer TRRHBTRRH --split --rules my-rules.toml
    """

    plugins = load_plugins(plugin)
    types = plugins.table(MODULES)
    robot = assemble(chain_of(chain), types)
    broken = _damage(robot, without or [])
    names = [placed.name for placed in robot.modules]
    members = [
        StatedModule(
            address, placed.type.wire_id, broken.get(placed.name, placed.type.capabilities.digits)
        )
        for address, placed in enumerate(robot.modules, 1)
    ]
    engine = Engine(rulebook(rule_tables(plugins.of(RULES))))
    for file in rules or []:
        engine.load(file)
    modes = {Mode.PIPE: WorkingMode.PIPE, Mode.OPEN: WorkingMode.OPEN_AIR}
    situation = RobotSituation(modes.get(mode, WorkingMode.GENERAL), tethered=tether)
    known = engine.infer(members, situation, names=names)
    console = Screen(width=None if Screen().is_terminal else WIDTH)
    _about(console, known)
    if task is None and not split:
        _abilities(console, known, engine)
    if task is not None:
        _task(console, known, engine, task, types)
    if split:
        _splits(console, engine, members, names, situation, task)


def _damage(robot: Any, without: list[str]) -> dict[str, str]:
    """Name of a module to the string it reports with what is broken."""

    left: dict[str, Capabilities] = {}
    broken: dict[str, dict[str, float]] = {}
    for given in without:
        name, _, servo = given.partition(".")
        module = robot[name]
        if not servo:
            left[name] = Capabilities.of()
            continue
        servos = [mount.name for mount in module.body.mounts]
        if servo not in servos:
            raise UnknownName("servo", given, [f"{name}.{each}" for each in servos])
        broken.setdefault(name, {})[servo] = 0.0
        if left.get(name) != Capabilities.of():
            left[name] = damaged(module.type, broken[name])
    return {name: able.digits for name, able in left.items()}


def _about(console: Screen, known: Inferred) -> None:

    power = "fed by a cable" if known.situation.tethered else "without a cable"
    about = styled(f"   {known.situation.mode.meaning}, {power}")
    console.print(styled(" ".join(known.names), "bold") + about)
    table = Table("module", "MDL", "reports")
    for name, member in zip(known.names, known.members, strict=True):
        grades = Capabilities(member.mdl).grades()
        said = ", ".join(f"{skill} {grade}" for skill, grade in grades.items())
        table.add_row(name, member.mdl, said or "–")
    table.add_row("robot", known.digits, "the best of its modules and units", style="bold")
    console.print(table)


def _abilities(console: Screen, known: Inferred, engine: Engine) -> None:

    table = Table("can", "grade", "by", "modules", "gait")
    for ability in engine.rulebook.abilities:
        for place, way in enumerate(known.ways(ability)):
            table.add_row(ability if place == 0 else "", _grade(way.grade), *_how(known, way))
    for unit in known.units():
        modules = _modules(known, unit.modules)
        table.add_row(unit.skill, _grade(unit.grade), _rule(unit), modules, "", style="dim")
    if table.row_count:
        console.print(table)
    for ability in engine.rulebook.abilities:
        best = known.best(ability)
        console.print(_tree(why_not(known, ability) if best is None else proof(known, best)))


def _task(console: Screen, known: Inferred, engine: Engine, task: str, types: Shelf) -> None:

    found = needed(engine, known.members, known.situation, task)
    about = f" ({found.task.about})" if found.task.about else ""
    needs = ", ".join(f"{need} {known.can(need)}" for need in found.task.needs)
    can = styled(f"{about}: {_grade(found.grade)}.  It needs {needs}.")
    console.print(styled(task, "bold") + can)
    if found.sets:
        console.print("Modules that suffice, if the others are only carried along:")
        for each in found.sets:
            console.print(f"  {_modules(known, each)}")
        if not found.complete:
            console.print("  … and more")
        spared = "none" if not found.indispensable else _modules(known, found.indispensable)
        console.print(f"Cannot be spared: {spared}")
    for need in found.task.needs:
        fact = known.explain(need)
        console.print(_tree(why_not(known, need) if fact is None else proof(known, fact)))
    stock = {
        kind.wire_id: kind.parse({}, where=letter).capabilities.digits
        for letter, kind in types.items()
    }
    letters = {kind.wire_id: letter for letter, kind in types.items()}
    chains = shortest_chains(engine, stock, known.situation, task)
    shown = ["".join(letters[each] for each in ids) for ids in chains[:CHAINS_SHOWN]]
    more = " …" if len(chains) > CHAINS_SHOWN else ""
    said = ", ".join(shown) + more if shown else "none of up to 4 modules"
    console.print(f"The shortest chains that can do it: {said}")


def _splits(
    console: Screen,
    engine: Engine,
    members: list[StatedModule],
    names: list[str],
    situation: RobotSituation,
    task: str | None,
) -> None:

    found = splits(engine, members, situation, task=task)
    title = "Where to cut it in two, the best first"
    table = Table("front", "rear", "both can", "lost", "latch", title=title)
    if task is not None:
        table.add_column(task)
    for cut in found[:CUTS_SHOWN]:
        row = [
            " ".join(names[: cut.front]),
            " ".join(names[cut.front :]),
            ", ".join(f"{ability} {grade}" for ability, grade in cut.both.items()) or "nothing",
            ", ".join(cut.lost) or "–",
            "yes" if cut.latched else "by hand",
        ]
        table.add_row(*row, *([] if cut.task_grade is None else [_grade(cut.task_grade)]))
    console.print(table)
    if len(found) > CUTS_SHOWN:
        console.print(f"{len(found) - CUTS_SHOWN} more cuts are no better")
    if situation.tethered:
        console.print("The cable stays with the rear half; the front half needs power of its own.")


def _tree(node: ProofStep) -> Any:

    root = Tree(node.text)

    def grow(tree: Tree, below: tuple[ProofStep, ...]) -> None:
        for each in below:
            grow(tree.add(each.text), each.because)

    grow(root, node.because)
    return root


def _how(known: Inferred, way: Fact) -> tuple[str, str, str]:
    gait = "" if way.rule is None or way.rule.gait is None else str(way.rule.gait)
    return _rule(way), _modules(known, way.modules), gait


def _rule(fact: Fact) -> str:
    if fact.rule is None:
        return ""
    mark = " (learnt)" if fact.rule.learnt else " (extension)" if fact.rule.extension else ""
    return fact.rule.name + mark


def _modules(known: Inferred, positions: tuple[int, ...]) -> str:
    return " ".join(known.names[position] for position in positions)


def _grade(grade: int) -> str:
    return f"{grade} {GRADES[grade]}"
