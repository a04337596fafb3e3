"""How a scenario names modules: ``"all"``, ``"R"``, ``"R*"``, ``"R1,R3"``, or a list of these.

Each item of a selector is read as the first of these that fits:

1. a module's name;
2. ``all`` or ``*``: every module;
3. a letter: every module of that type, whatever it is called;
4. a pattern with ``*`` or ``?`` over names; ``R*`` means the letter R as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase

from annelid.errors import InputError, UnknownName
from annelid.robot import Placed, Robot

Selector = str | tuple[str, ...]


def select(robot: Robot, selector: str | Sequence[str], *, where: str = "modules") -> list[Placed]:
    """The modules meant by ``selector``, each once, in the order of the robot (head first)."""
    chosen: set[str] = set()
    for item in items(selector):
        matched = [module.name for module in robot.modules if _matches(item, module, robot)]
        if not matched:
            names = [module.name for module in robot.modules]
            raise UnknownName("module", item, names, where=where)
        chosen.update(matched)
    if not chosen:
        raise InputError(f'{where}: names no module; write "all", a letter, or names like "R1,R3"')
    return [module for module in robot.modules if module.name in chosen]


def items(selector: str | Sequence[str]) -> list[str]:
    """The parts of a selector, split at commas."""
    parts = [selector] if isinstance(selector, str) else selector
    return [item.strip() for part in parts for item in part.split(",") if item.strip()]


def _matches(item: str, module: Placed, robot: Robot) -> bool:
    if any(item == other.name for other in robot.modules):
        return item == module.name
    if item in ("all", "*"):
        return True
    if item.removesuffix("*") == module.type.letter:
        return True
    return ("*" in item or "?" in item) and fnmatchcase(module.name, item)
