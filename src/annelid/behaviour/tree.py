"""The tree of arbiters of one channel: it is named, pruned and compiled.

A tree is written with names and levels (:mod:`annelid.behaviour.fusion`), *resolved* once against
the behaviours that exist, pruned to those *among* them who speak, and *compiled* to a function of
what lies on the seats.  All three give new trees or functions; the tree itself never changes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Self

from annelid.behaviour.proposal import Decision, Option
from annelid.behaviour.tokens import Token
from annelid.errors import InputError, UnknownName

Heard = Sequence[Option | None]
Fuse = Callable[[Heard, Any], Decision]
"""``(what is said, stimuli)``."""


@dataclass(frozen=True, slots=True)
class Level:
    """All behaviours of one level, in the order in which the stack was given them."""

    level: int


@dataclass(frozen=True, slots=True)
class House:
    """What the names of a tree refer to."""

    levels: Mapping[str, int]
    """Every behaviour and its level."""
    absent: frozenset[str] = frozenset()
    """Behaviours that others of the kind have and this one lacks: silent, not misspelt."""
    tokens: Mapping[str, Token] = field(default_factory=dict)


class Arbiter:
    """A node of the tree.  ``restless`` ones may decide anew although nobody spoke anew."""

    __slots__ = ("parts",)
    restless = False

    def __init__(self, *parts: Part) -> None:
        if not parts:
            raise InputError(f"{type(self).__name__}: expected at least one part, got none")
        for part in parts:
            if not isinstance(part, str | Level | Arbiter):
                raise InputError(
                    f"{type(self).__name__}: expected the name of a behaviour, a Level or an"
                    f" arbiter, got {part!r}"
                )
        self.parts = parts

    def bind(self, house: House) -> Fuse:
        """The pure function behind this node, with its parameters."""
        raise NotImplementedError

    def resolved(self, house: House, where: str) -> Self:
        """The same tree with names in the place of levels, and every name known."""
        parts: list[Part] = []
        for part in self.parts:
            if isinstance(part, Arbiter):
                parts.append(part.resolved(house, where))
            elif isinstance(part, Level):
                parts += [name for name, level in house.levels.items() if level == part.level]
            elif part in house.levels or part in house.absent:
                parts.append(part)
            else:
                raise UnknownName("behaviour", part, house.levels, where=where)
        return self._with(parts)

    def names(self) -> Iterator[str]:
        """The behaviours of a resolved tree, in its order."""
        for part in self.parts:
            yield from part.names() if isinstance(part, Arbiter) else [str(part)]

    def among(self, present: Collection[str]) -> Arbiter | None:
        """A resolved tree without those who are not there; ``None`` if nobody is left."""
        parts = [among(part, present) for part in self.parts]
        kept = [part for part in parts if part is not None]
        return self._with(kept) if kept else None

    def compile(self, house: House, seats: Mapping[str, int]) -> tuple[Fuse, bool]:
        """A resolved tree as a function of what is on the seats, and whether it is restless."""
        picks: list[int | Fuse] = []
        restless = self.restless
        for part in self.parts:
            if isinstance(part, Arbiter):
                inner, inner_restless = part.compile(house, seats)
                picks.append(inner)
                restless |= inner_restless
            else:
                picks.append(seats[str(part)])
        return _gathering(self.bind(house), picks), restless

    def _with(self, parts: Iterable[Part]) -> Self:
        twin = copy(self)
        twin.parts = tuple(parts)
        return twin

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(map(repr, self.parts))})"


Part = str | Level | Arbiter
"""What a tree is made of."""


def among(part: Part, present: Collection[str]) -> Part | None:
    """``part`` without those who are not there; ``None`` if nobody is left."""
    if isinstance(part, Arbiter):
        return part.among(present)
    return part if part in present else None


def _gathering(decide: Fuse, picks: Sequence[int | Fuse]) -> Fuse:
    """``decide`` on what is picked from the seats and the nodes below."""
    seats = [pick for pick in picks if isinstance(pick, int)]
    if len(seats) == len(picks):
        if len(seats) == 1:
            (seat,) = seats
            return lambda heard, stimuli: decide((heard[seat],), stimuli)
        if seats:
            pick_all = itemgetter(*seats)
            return lambda heard, stimuli: decide(pick_all(heard), stimuli)

    def fuse(heard: Heard, stimuli: Any) -> Decision:
        options = [heard[pick] if isinstance(pick, int) else pick(heard, stimuli) for pick in picks]
        return decide(options, stimuli)

    return fuse
