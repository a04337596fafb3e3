"""What is to be said about one module type, world, gait …, as data: for the terminal and the pages.

An entry is a name, a title, some notes and tables of fields.  All of it is read from the thing
itself, so nothing here can be out of date.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import degrees
from typing import Any, Final

from annelid.behaviour import BEHAVIOURS
from annelid.errors import MissingDependency
from annelid.registry import Kind
from annelid.robot import INDICATORS, ModuleType
from annelid.robot.body import ServoMount
from annelid.robot.servo import Servo
from annelid.spec import Spec
from annelid.spec_fields import Described, described, first_line, members, shown
from annelid.systems import SYSTEMS
from annelid.trial.metrics import Metrics
from annelid.trial.plugins import Plugins

TAGS: Final = ("gait", "controller", "fault", "kind", "part", "do")
"""Fields by which a file chooses a spec."""

PLACES: Final = {
    "world": "[world]",
    "gait": "[[control.gaits]]",
    "controller": "[control.controller]",
    "fault": "[[faults]]",
    "system": "[control.options]",
    "optimiser": "[optimiser]",
}
"""Where the fields of a kind stand in a file; those of a module in ``[robot.each.R]``."""


@dataclass(frozen=True)
class FieldTable:
    """Fields of one spec."""

    title: str
    rows: tuple[Described, ...]
    heading: str = "default"
    """Of the second column: ``value`` where it holds those of one thing (a servo), empty where
    there is nothing to put in."""

    def columns(self) -> tuple[str, ...]:
        return tuple(filter(None, ("field", self.heading, "unit", "bounds", "meaning")))

    def cells(self, field: Described) -> tuple[str, ...]:
        """What stands in these columns."""
        given = (field.default,) if self.heading else ()
        return (field.name, *given, field.unit, field.bounds, field.meaning)


@dataclass(frozen=True)
class ReferenceEntry:
    """One member of a kind."""

    name: str
    title: str
    notes: tuple[str, ...]
    tables: tuple[FieldTable, ...]


def listed(kind: Kind[Any], plugins: Plugins) -> Mapping[str, Any]:
    """The members of a kind by name.  Behaviours of the systems too, which hold them in their
    layers; each is told with its system."""
    if kind is not BEHAVIOURS:
        return plugins.table(kind)
    found = {
        f"{system.name}/{layer.name}/{name}": each.kind
        for system in plugins.table(SYSTEMS).values()
        for layer in system.behaviours.layers
        for name, each in layer.entries.items()
    }
    return {**found, **plugins.table(BEHAVIOURS)}


def title_of(member: Any) -> str:
    """One line about it."""
    title = getattr(member, "title", None)
    if isinstance(title, str):
        return title
    if isinstance(member, Servo):
        torque, speed = member.stall_torque, member.no_load_speed
        return f"{torque:.3g} N·m, {speed:.3g} rad/s at {member.voltage:g} V"
    return first_line(member)


def titles(members: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and title of each; of one that cannot be imported, what to install."""
    for name in members:
        try:
            yield name, title_of(members[name])
        except MissingDependency as error:
            yield name, str(error)


def entry(kind: Kind[Any], name: str, member: Any) -> ReferenceEntry:
    """All that a user can set of it."""
    notes = tuple(_of_a_module(member)) if kind.name == "module" else ()
    own = member if isinstance(member, type) else type(member)
    spec = getattr(member, "options", None) or own
    if not (isinstance(spec, type) and issubclass(spec, Spec)):
        return ReferenceEntry(name, title_of(member), notes, ())
    place = f"[robot.each.{name}]" if kind.name == "module" else PLACES.get(kind.name)
    given = member if isinstance(member, Spec) else None
    first = field_table(spec, f"Fields, in {place}" if place else "Fields", given)
    return ReferenceEntry(name, title_of(member), notes, (first, *_inner(spec)))


def field_table(spec: type[Spec], title: str, given: Spec | None = None) -> FieldTable:
    """The fields of a spec, without the one that chooses it; with the values of ``given``."""
    rows = [field for field in described(spec) if field.name not in TAGS]
    if given is not None:
        rows = [field.holding(shown(getattr(given, field.name))) for field in rows]
    return FieldTable(title, tuple(rows), "default" if given is None else "value")


def metric_table() -> FieldTable:
    """What a run measures."""
    return FieldTable("metrics.json", tuple(described(Metrics)), heading="")


def _inner(spec: type[Spec]) -> Iterator[FieldTable]:
    """Tables that its fields take: the parts of a pipe."""
    for field, specs in members(spec).items():
        for each in specs if field != "servo" else ():  # annelid servos
            tags = [
                f'{tag} = "{info.default}"'
                for tag, info in each.model_fields.items()
                if tag in TAGS and isinstance(info.default, str)
            ]
            yield field_table(each, f"{field}: {', '.join(tags) or each.__name__}")


def _of_a_module(kind: type[ModuleType]) -> Iterator[str]:
    module = kind.parse({}, where=kind.letter)
    yield f"MDL {module.capabilities.digits}"
    for name, grade in module.capabilities.grades().items():
        yield f"{name:12} {grade}  {INDICATORS[name]}"
    servos = {m.name for m in module.body().mounts if isinstance(m, ServoMount)}
    for action, pose in module.actions().items():
        said = ", ".join(
            f"{name} {degrees(value):.0f}°" if name in servos else f"{name} {value:g}"
            for name, value in pose.items()
        )
        yield f"{action.value}: {said}"
    for limit in module.forbidden():
        yield f"forbidden: {limit.actuator}: {limit.reason}"
