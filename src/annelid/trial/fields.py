"""Fields of a scenario by dotted name: ``world.bore_mm``, ``control.gaits.0.level``.

``--set`` and ``--vary`` reach any field this way; a name that leads nowhere is answered with the
nearest one that does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

from annelid.boundary.files import parse_toml
from annelid.boundary.plain import shortened
from annelid.errors import InputError, SpecError, UnknownName
from annelid.robot import Shelf
from annelid.trial.scenario import Scenario

EACH = ("robot", "each")


def parse_value(text: str) -> Any:
    """As TOML has it (``40``, ``true``, ``[1, 2]``, ``{part = "elbow"}``), else plain text."""
    try:
        return parse_toml(f"value = {text}", "value")["value"]
    except (SpecError, KeyError):
        return text.strip()


def parse_assignment(text: str, *, option: str = "--set") -> tuple[str, Any]:
    """``field=value``"""
    field, equals, value = text.partition("=")
    if not equals or not field.strip():
        raise InputError(
            f"{option}: expected field=value such as world.bore_mm=40, got {shortened(text)!r}"
        )
    return field.strip(), parse_value(value)


def check_field(field: str, scenario: Scenario, shelf: Shelf, *, where: str = "scenario") -> None:
    """Refuse a field that the scenario, or a module type it could use, does not have."""
    steps = tuple(field.split("."))
    if steps[:2] == EACH and len(steps) > 2:
        _check_parameter(steps, shelf, where)
        return
    here: Any = scenario
    for place, step in enumerate(steps):
        options = _below(here)
        if options is None:
            return  # None or a free-form table: validation will judge
        if step not in options:
            prefix = ".".join(steps[:place])
            raise UnknownName(
                "field", step, options, where=f"{where}: {prefix}" if prefix else where
            )
        here = options[step]


def _check_parameter(steps: tuple[str, ...], shelf: Shelf, where: str) -> None:
    letter, *rest = steps[2:]
    if letter not in shelf:
        raise UnknownName(
            "module letter", letter, shelf, where=f"{where}: robot.each", brought=True
        )
    parameters = shelf[letter].model_fields
    if not rest or rest[0] not in parameters:
        got = rest[0] if rest else ""
        raise UnknownName("parameter", got, parameters, where=f"{where}: robot.each.{letter}")


def _below(value: Any) -> dict[str, Any] | None:
    """What can be named below a value; None: anything."""
    if isinstance(value, BaseModel):
        extra = value.model_extra or {}
        named = {name: getattr(value, name) for name in type(value).model_fields}
        return {**named, **extra}
    if isinstance(value, tuple | list):
        return {str(place): item for place, item in enumerate(value)}
    if value is None or isinstance(value, Mapping):
        return None
    return {}


def set_field(data: dict[str, Any], field: str, value: Any, *, where: str = "scenario") -> None:
    """Set one field of a scenario's table, making the tables on the way to it."""
    steps = field.split(".")
    here: Any = data
    for depth, step in enumerate(steps):
        last = depth == len(steps) - 1
        if isinstance(here, list):
            place = _place(step, here, f"{where}: {shortened('.'.join(steps[:depth]))}")
            if last:
                here[place] = value
            here = here[place]
        elif isinstance(here, dict):
            if last:
                here[step] = value
            elif here.get(step) is None:
                here[step] = {}
            here = here[step]
        else:
            above = shortened(".".join(steps[:depth]))
            raise InputError(f"{where}: {shortened(field)}: {above} has no fields below it")


def _place(step: str, values: list[Any], where: str) -> int:
    places = [str(place) for place in range(len(values))]
    if step not in places:
        raise UnknownName("place", shortened(step), places, where=where)
    return int(step)


def table_of(data: dict[str, Any], name: str, *, where: str = "scenario") -> dict[str, Any]:
    """A table of a scenario's table; another option may have put anything in its place."""
    found = data.get(name)
    if not isinstance(found, dict):
        raise SpecError(f"{where}: {name}: expected a table (got {shortened(repr(found))})")
    return found


def flatten(data: Any, prefix: str = "") -> dict[str, Any]:
    """Dotted name to plain value, lists of plain values kept whole."""
    if isinstance(data, Mapping):
        pairs = [(str(key), value) for key, value in data.items()]
    elif isinstance(data, list | tuple) and any(isinstance(v, Mapping) for v in data):
        pairs = [(str(place), value) for place, value in enumerate(data)]
    else:
        return {prefix: data}
    flat: dict[str, Any] = {}
    for key, value in pairs:
        flat |= flatten(value, f"{prefix}.{key}" if prefix else key)
    return flat
