"""The behaviours of a board as data: a layer of named classes that its firmware runs.

A system declares its layers, each with the base class of the behaviours that belong to it.  A
behaviour from elsewhere goes to the layer from whose base class it derives::

    EMBEDDED = BehaviourLayer.of("embedded", EmbeddedBehaviour, AvoidOverheating, Turning)
    table = BehaviourTable((EMBEDDED, CENTRAL)).plus(Nod)          # a plugin's
    members = table["embedded"].made(context)                      # on the board, at its start

The firmware makes its behaviours at every start (:meth:`Behaviour.make`), in the order of the
layer.  All of it is frozen: another behaviour on a board is another layer in its firmware.
"""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any, Self

from annelid.behaviour.behaviour import Behaviour
from annelid.errors import InputError, UnknownName

Kind = type[Behaviour[Any]]


@dataclass(frozen=True)
class Entry:
    """One behaviour: its class, and its text where somebody has written it anew."""

    kind: Kind
    text: str | None = None

    @property
    def source(self) -> str:
        """The text that was written, or that of the file of the class."""
        if self.text is not None:
            return self.text
        file = inspect.getsourcefile(self.kind)
        return "" if file is None else _file_text(file)


@dataclass(frozen=True)
class BehaviourLayer:
    """Behaviours of one stack, by name, in the order in which the stack is given them."""

    name: str
    base: Kind
    """What its behaviours derive from."""
    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))

    @classmethod
    def of(cls, name: str, base: Kind, *kinds: Kind) -> Self:
        return cls(name, base).plus(*kinds)

    def plus(self, *kinds: Kind) -> Self:
        """With these behind those it has."""
        entries = dict(self.entries)
        for kind in kinds:
            self._check(kind)
            if kind.name in entries:
                raise _twice(kind, entries[kind.name].kind)
            entries[kind.name] = Entry(kind)
        return replace(self, entries=MappingProxyType(entries))

    def replaced(self, kind: Kind, text: str) -> Self:
        """With this one in the place of that of its name."""
        self._check(kind)
        if kind.name not in self.entries:
            raise UnknownName("behaviour", kind.name, self.entries, where=self.name)
        entries = {**self.entries, kind.name: Entry(kind, text)}
        return replace(self, entries=MappingProxyType(entries))

    def made(self, context: Any) -> list[Behaviour[Any]]:
        """Those that suit a board; ``context`` is what the layer has for all of them."""
        made = [entry.kind.make(context) for entry in self.entries.values()]
        return [behaviour for behaviour in made if behaviour is not None]

    def _check(self, kind: Kind) -> None:
        """What would only show on the board, where nobody reads it."""
        where = f"behaviour {kind.__name__}"
        if not issubclass(kind, self.base):
            raise InputError(f"{where}: expected a class that derives from {_place(self.base)}")
        if not kind.name:
            raise InputError(f"{where}: name: expected one, got none")
        levels = self.base.levels
        if levels and kind.level not in levels:
            known = ", ".join(map(str, levels))
            raise InputError(f"{where}: level: expected one of {known}, got {kind.level!r}")
        if getattr(kind.make, "__func__", None) is Behaviour.make.__func__:  # type: ignore[attr-defined]
            try:
                inspect.signature(kind).bind()
            except TypeError as error:
                raise InputError(
                    f"{where}: expected to be made without arguments, or a class method "
                    f"make(cls, context); {error}"
                ) from None


@dataclass(frozen=True)
class BehaviourTable:
    """The layers of a system; none: it has no behaviours."""

    layers: tuple[BehaviourLayer, ...] = ()

    def __getitem__(self, name: str) -> BehaviourLayer:
        for layer in self.layers:
            if layer.name == name:
                return layer
        raise UnknownName("layer", name, [layer.name for layer in self.layers])

    @property
    def bases(self) -> Mapping[str, Kind]:
        """Layer to base class."""
        return {layer.name: layer.base for layer in self.layers}

    def fits(self, kind: Kind) -> bool:
        """Whether there is a layer for it."""
        return any(issubclass(kind, layer.base) for layer in self.layers)

    def plus(self, *kinds: Kind) -> BehaviourTable:
        """With these, each in its layer; a name is one behaviour's in all of them."""
        known = {name: each.kind for layer in self.layers for name, each in layer.entries.items()}
        for kind in kinds:
            if not self.fits(kind):
                bases = " or ".join(f"{_place(b)} ({name})" for name, b in self.bases.items())
                expected = f"a class that derives from {bases}" if bases else "none"
                got = ", ".join(map(_place, kind.__bases__))
                raise InputError(
                    f"behaviour {kind.__name__}: expected {expected}, got one that derives from "
                    + got
                )
            if kind.name in known:
                raise _twice(kind, known[kind.name])
            known[kind.name] = kind
        return BehaviourTable(
            tuple(
                layer.plus(*(kind for kind in kinds if issubclass(kind, layer.base)))
                for layer in self.layers
            )
        )


def _twice(kind: Kind, other: Kind) -> InputError:
    return InputError(
        f"behaviour {kind.__name__}: the name {kind.name!r} is taken by {_place(other)}"
    )


def _place(kind: type) -> str:
    return f"{kind.__module__}.{kind.__qualname__}"


@cache
def _file_text(file: str) -> str:
    """One object for all boards that have it, so that it is sent to a console once."""
    return Path(file).read_text(encoding="utf-8")
