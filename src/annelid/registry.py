"""The registry: finds everything that plugins and installed packages add, in one way.

A *kind* is one sort of thing: module types, worlds, gaits, faults, optimisers … The room that owns
a kind describes it once (``annelid.modules.MODULES``).  Its members come from three places:

- the core, as places (``annelid.modules.rotation:Rotation``), imported when they are asked for;
- installed packages, by an entry point in the kind's group (``annelid.modules``);
- a file given by ``--plugin FILE`` (``annelid.trial.plugins``).

``kind.table(*more)`` puts them together; ``more`` is what plugins bring.  No two members may have
one name.  Nothing is registered by importing.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial
from importlib import import_module
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Final, Generic, TypeVar

from annelid.errors import MissingDependency, SpecError, UnknownName

if TYPE_CHECKING:  # the command line lists kinds without it
    from pydantic import ValidationInfo, WrapValidator
    from pydantic import ValidatorFunctionWrapHandler as Handler

    from annelid.spec import Spec

Member = TypeVar("Member")

KINDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "module": "annelid.modules:MODULES",
        "world": "annelid.worlds:WORLDS",
        "gait": "annelid.motion:GAITS",
        "controller": "annelid.control.controller:CONTROLLERS",
        "servo": "annelid.modules.servos:SERVOS",
        "system": "annelid.systems:SYSTEMS",
        "link": "annelid.electronics.links:LINKS",
        "behaviour": "annelid.behaviour:BEHAVIOURS",
        "rule": "annelid.systems:RULES",
        "fault": "annelid.electronics.faults:FAULTS",
        "objective": "annelid.offline.objectives:OBJECTIVES",
        "measure": "annelid.offline.measures:MEASURES",
        "optimiser": "annelid.offline.optimisers:OPTIMISERS",
    }
)
"""Name of a kind to the place of its :class:`Kind`."""

PLUGINS: Final = "plugins"
"""Key of a validation context: the :class:`annelid.trial.plugins.Plugins` that hold for it."""


@dataclass(frozen=True, eq=False)
class Kind(Generic[Member]):
    """One sort of thing that can be brought."""

    name: str
    """As in ``annelid new gait NAME``."""
    plural: str
    """As in ``annelid gaits``, and in the group of its entry points, ``annelid.gaits``."""
    base: type
    """What a member is a subclass of, or an instance of (``instances``)."""
    key: Callable[[Any], str]
    """A member's name; raises a :class:`SpecError` that says what is missing."""
    built_in: Sequence[str] | Mapping[str, str] | Callable[[], Mapping[str, str]] = ()
    """Places of the core's members; with their names where they need not be imported to be
    named."""
    instances: bool = False
    extra: str | None = None
    """What to install where a member of the core cannot be imported: ``annelid[qd]``."""

    @property
    def group(self) -> str:
        return f"annelid.{self.plural}"

    @property
    def wanted(self) -> str:
        """What a file must define, for messages."""
        place = f"{self.base.__module__}.{self.base.__qualname__}"
        article = "an instance" if self.instances else "a subclass"
        return f"{article} of {place}"

    def is_member(self, thing: object) -> bool:
        """Whether ``thing`` can be used; an abstract class or the base itself cannot."""
        if self.instances:
            return isinstance(thing, self.base)
        return (
            isinstance(thing, type)
            and issubclass(thing, self.base)
            and thing is not self.base
            and not inspect.isabstract(thing)
        )

    def table(self, *more: Member) -> KindTable[Member]:
        """All members by name; ``more`` are laid on top and may not take a used name."""
        table: KindTable[Member] = KindTable(self, standing(self))
        for member in more:
            self._lay(table, member)
        return table

    def standing(self) -> KindTable[Member]:
        """The members of the core and of installed packages."""
        table: KindTable[Member] = KindTable(self)
        places = self.built_in() if callable(self.built_in) else self.built_in
        if isinstance(places, Mapping):
            for name, place in places.items():
                table.add(name, partial(self._imported, name, place))
        else:
            for place in places:
                self._lay(table, load_place(place))
        for point in sorted(entry_points(group=self.group), key=lambda point: point.name):
            self._lay(table, point.load())
        return table

    def _lay(self, table: KindTable[Member], member: object) -> None:
        if not self.is_member(member):
            raise SpecError(f"{member!r} is not a {self.name} ({self.wanted})")
        table.add(self.key(member), lambda: member)

    def _imported(self, name: str, place: str) -> object:
        try:
            return load_place(place)
        except ModuleNotFoundError as error:
            if (error.name or "").startswith("annelid"):
                raise
            raise MissingDependency(
                f"{self.name} {name!r} needs {error.name}: pip install '{self.extra or 'annelid'}'"
            ) from None


class KindTable(Mapping[str, Member]):
    """Members of one kind by name; one of the core is imported when it is asked for."""

    def __init__(self, kind: Kind[Member], below: KindTable[Member] | None = None) -> None:
        self.kind = kind
        self._load: dict[str, Callable[[], object]] = {} if below is None else dict(below._load)

    def add(self, name: str, load: Callable[[], object]) -> None:
        if name in self._load:
            taken = ", ".join(sorted(self._load))
            raise SpecError(
                f"{self.kind.name} {name!r} is there already; choose another name than {taken}"
            )
        self._load[name] = load

    def __getitem__(self, name: str) -> Member:
        return self.find(name)

    def find(self, name: object, *, where: str = "") -> Member:
        """The member of that name, or an error that lists the names there are."""
        if not isinstance(name, str) or name not in self._load:
            raise UnknownName(self.kind.name, str(name), self._load, where=where, brought=True)
        member: Any = self._load[name]()
        if not self.kind.is_member(member):
            raise SpecError(f"{member!r} is not a {self.kind.name} ({self.kind.wanted})")
        return member  # type: ignore[no-any-return]

    def __contains__(self, name: object) -> bool:
        return name in self._load

    def __iter__(self) -> Iterator[str]:
        return iter(self._load)

    def __len__(self) -> int:
        return len(self._load)


@cache
def standing(kind: Kind[Any]) -> KindTable[Any]:
    """Looked for once in a process: files are read by the thousand."""
    return kind.standing()


def load_place(place: str) -> object:
    """What stands at ``package.module:name``."""
    module, _, name = place.partition(":")
    return getattr(import_module(module), name)


def kind(name: str) -> Kind[Any]:
    """The kind of that name."""
    if name not in KINDS:
        raise UnknownName("kind", name, KINDS)
    found = load_place(KINDS[name])
    assert isinstance(found, Kind)
    return found


def tag_of(spec: type[Spec], tag: str) -> str:
    """The default of a spec's ``tag`` field, by which files choose it: ``gait = "wave"``."""
    field = spec.model_fields.get(tag)
    name = None if field is None else field.default
    if not (isinstance(name, str) and name):
        example = spec.__name__.lower()
        raise SpecError(
            f'{spec.__qualname__} has no {tag}: write {tag}: Literal["{example}"] = "{example}"'
        )
    return name


def chosen(place: str, tag: str) -> WrapValidator:
    """For a field that takes any spec of the kind at ``place``, chosen by its ``tag``; those of
    plugins too where the validation's context has them."""
    from pydantic import WrapValidator

    def choose(given: Any, handler: Handler, info: ValidationInfo[Any]) -> Any:
        if not isinstance(given, Mapping):
            return handler(given)
        found = load_place(place)
        assert isinstance(found, Kind)
        plugins = (info.context or {}).get(PLUGINS)
        table = found.table() if plugins is None else plugins.table(found)
        if tag not in given:
            raise ValueError(f"{tag}: expected one of {', '.join(sorted(table))}, got none")
        try:
            member = table.find(given[tag])
        except UnknownName as error:
            raise ValueError(str(error)) from None
        return member.model_validate(given, context=info.context)

    return WrapValidator(choose)
