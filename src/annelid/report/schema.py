"""The JSON schema of a scenario or study file: completion and checks while one writes.

Pydantic knows the fields.  What it cannot know is put in here: which gaits, worlds, faults, module
types, systems and optimisers there are, and what each field means.  Plugins' ones are known too.
The schema refuses no file that Annelid takes; what needs the whole robot (a servo's name, two
fields that exclude each other) is found by ``annelid run`` alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from inspect import signature
from typing import Any, Final

from pydantic.json_schema import models_json_schema

from annelid.electronics.links import LINKS
from annelid.errors import MissingDependency, UnknownName
from annelid.modules import MODULES
from annelid.modules.servos import SERVOS
from annelid.registry import KINDS, Kind, kind, load_place
from annelid.report.entry import TAGS
from annelid.robot.robot import ModuleUse, RobotSpec
from annelid.robot.servo import Servo
from annelid.spec import Spec
from annelid.spec_fields import described, members
from annelid.systems import SYSTEMS
from annelid.trial.plugins import Plugins
from annelid.trial.scenario import Control, Scenario

Json = dict[str, Any]

FILES: Final = {
    "scenario": "annelid.trial.scenario:Scenario",
    "study": "annelid.offline.study:StudySpec",
}
"""What can be written, and the place of its spec."""

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"


def schema(name: str, plugins: Plugins = Plugins()) -> Json:  # noqa: B008  frozen and empty
    """Of the file of that name, a key of ``FILES``."""
    if name not in FILES:
        raise UnknownName("file", name, FILES)
    root: Any = load_place(FILES[name])
    return _Schema(root, plugins).whole(f"Annelid {name}")


class _Schema:
    def __init__(self, root: type[Spec], plugins: Plugins) -> None:
        self._plugins = plugins
        self._root = root
        self._optimisers = {} if root is Scenario else dict(_usable("optimiser", plugins))
        specs = dict.fromkeys(_reached([root, Scenario, *self._members()]))
        refs, made = models_json_schema([(spec, "validation") for spec in specs])
        self._defs: Json = made["$defs"]
        self._names = {spec: str(refs[spec, "validation"]["$ref"])[8:] for spec in specs}
        for spec in specs:
            self._explain(spec)

    def whole(self, title: str) -> Json:
        for each, tag in _chosen_by_tag():
            self._choose(each, tag)
        self._systems()
        self._servos()
        self._modules()
        if self._root is not Scenario:
            self._study()
        own = self._defs[self._names[self._root]]
        return {"$schema": DRAFT, **own, "title": title, "$defs": self._defs}

    def _members(self) -> Iterator[type[Spec]]:
        for each, _ in _chosen_by_tag():
            yield each.base
            yield from self._plugins.table(each).values()
        yield from self._plugins.table(MODULES).values()
        for system in self._plugins.table(SYSTEMS).values():
            yield system.options
        for optimiser in self._optimisers.values():
            yield optimiser.options

    def _ref(self, spec: type[Spec]) -> Json:
        return {"$ref": f"#/$defs/{self._names[spec]}"}

    def _explain(self, spec: type[Spec]) -> None:
        """Each field with its meaning and unit, in the place of a title made of its name."""
        properties: Json = self._defs[self._names[spec]].get("properties", {})
        for field in described(spec):
            told = properties.get(field.name)
            if told is None:
                continue
            told.pop("title", None)
            words = " ".join(filter(None, (field.meaning, field.unit and f"[{field.unit}]")))
            if words:
                told["description"] = words

    def _choose(self, kind: Kind[Any], tag: str) -> None:
        """In the place of the kind's base, its specs, each with its tag."""
        options = []
        for name, member in self._plugins.table(kind).items():
            own = self._defs[self._names[member]]
            own["properties"][tag] = {"const": name}
            own["required"] = [*dict.fromkeys([tag, *own.get("required", [])])]
            options.append(self._ref(member))
        none: Json = {"type": "object", "required": [tag]}  # only plugins bring them
        self._defs[self._names[kind.base]] = {"oneOf": options} if options else none

    def _systems(self) -> None:
        systems = self._plugins.table(SYSTEMS)
        control = self._defs[self._names[Control]]
        fields = control["properties"]
        options = [self._ref(system.options) for system in systems.values()]
        fields["system"]["anyOf"] = [{"enum": [*systems]}, {"type": "null"}]
        fields["options"]["anyOf"] = [*options, {"type": "null"}]
        links = [*self._plugins.table(LINKS)]
        fields["links"]["additionalProperties"] = {"enum": links}
        control["allOf"] = [
            {
                "if": {"properties": {"system": {"const": name}}, "required": ["system"]},
                "then": {"properties": {"options": self._ref(system.options)}},
            }
            for name, system in systems.items()
        ]

    def _servos(self) -> None:
        """A servo is a name, the values of its datasheet, or all of its motor."""
        printed = signature(Servo.from_datasheet).parameters
        needed = [name for name, one in printed.items() if one.default is one.empty]
        motor = self._defs[self._names[Servo]]
        own = {name: {"type": "number"} for name in printed if name not in ("name", "rest")}
        datasheet = {
            "type": "object",
            "properties": own | motor["properties"],
            "required": [name for name in needed if name in own],
            "additionalProperties": False,
        }
        names = [*self._plugins.table(SERVOS)]
        self._defs[self._names[Servo]] = {"anyOf": [{"enum": names}, datasheet, motor]}

    def _modules(self) -> None:
        """By letter: what stands in ``[robot.each.R]``, and what an item of ``modules`` takes."""
        use = self._defs[self._names[ModuleUse]]
        each: Json = {}
        items = []
        for letter, module in self._plugins.table(MODULES).items():
            own = self._defs[self._names[module]]
            own.pop("required", None)
            each[letter] = self._ref(module)
            fields = {**own["properties"], **use["properties"], "type": {"const": letter}}
            items.append(
                {
                    "type": "object",
                    "properties": fields,
                    "required": ["type"],
                    "additionalProperties": False,
                }
            )
        self._defs[self._names[ModuleUse]] = {"oneOf": items}
        robot = self._defs[self._names[RobotSpec]]["properties"]
        robot["each"] |= {"properties": each, "additionalProperties": False}

    def _study(self) -> None:
        fields = self._defs[self._names[self._root]]["properties"]
        fields["scenario"]["anyOf"] = [{"type": "string"}, self._ref(Scenario)]
        options = []
        for name, optimiser in self._optimisers.items():
            own = dict(self._defs[self._names[optimiser.options]])
            own["properties"] = {"kind": {"const": name}, **own.get("properties", {})}
            own["required"] = ["kind", *own.get("required", [])]
            options.append(own)
        fields["optimiser"] = {"oneOf": options, "description": "How the search goes on."}


def _chosen_by_tag() -> Iterator[tuple[Kind[Any], str]]:
    """Kinds whose members are specs that a file chooses by a field: ``gait = "push"``."""
    for name in KINDS:
        found = kind(name)
        if issubclass(found.base, Spec):
            for tag in TAGS:
                if tag in found.base.model_fields:
                    yield found, tag


def _usable(name: str, plugins: Plugins) -> Iterator[tuple[str, Any]]:
    """The members of a kind whose packages are installed."""
    table = plugins.table(kind(name))
    for each in table:
        with suppress(MissingDependency):
            yield each, table[each]


def _reached(specs: list[type[Spec]]) -> Iterator[type[Spec]]:
    """These and all that their fields take."""
    seen: dict[type[Spec], None] = {}
    waiting = list(specs)
    while waiting:
        spec = waiting.pop()
        if spec in seen:
            continue
        seen[spec] = None
        waiting += [each for found in members(spec).values() for each in found]
    return iter(seen)
