"""Which behaviour decides on which channel, as a table that reads like the papers' figures.

Figure 13 of 000, with three levels of behaviours and a command that overrides the walking::

    FIG_13 = Inhibit(Level(SURVIVAL), over=Suppress("obey command", Blend(Level(WALKING))))
    Fusion({"yaw": FIG_13, "pitch": FIG_13})

Figure 17::

    Fusion({
        "destination": Suppress(
            "obstacle negotiation",
            Sum("reach a place", "reach a landmark"),
            Sum("edge following", "pipe following", "stripe following"),
            "wandering",
        ),
        "gait": Suppress("balance", Select("straight", "turn", "lateral", score=suits)),
    })

A part of a tree is the name of a behaviour, a :class:`Level` (all behaviours of that level, so
that a new one is heard without an edit here), or another arbiter.  Trees are frozen and hold no
state: one may serve many channels and many robots.  A tree is *resolved* once against the
behaviours that exist, pruned to those *among* them who speak, and *compiled* to a function of what
lies on the seats; all three give new trees or functions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Self

from annelid.behaviour.arbiters import (
    NO_LIMITS,
    Limits,
    blend,
    gate,
    inhibit,
    select,
    suppress,
    token,
    total,
)
from annelid.behaviour.behaviour import Decision, Option
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


class Suppress(Arbiter):
    """The first part that speaks wins; write the highest priority first."""

    __slots__ = ()

    def bind(self, house: House) -> Fuse:
        return lambda heard, _: suppress(heard)

    def among(self, present: Collection[str]) -> Arbiter | None:
        """With nobody to suppress, the one part is all there is."""
        kept = super().among(present)
        alone = kept.parts[0] if kept is not None and len(kept.parts) == 1 else None
        return alone if isinstance(alone, Arbiter) else kept


class Inhibit(Arbiter):
    """``over`` is blanked while any of the inhibitors speaks.

    ``objecting``: only while one proposes no value; those that propose one may stand in ``over``.
    """

    __slots__ = ("objecting",)

    def __init__(self, *inhibitors: Part, over: Part, objecting: bool = False) -> None:
        super().__init__(*inhibitors, _one(over))
        self.objecting = objecting

    def bind(self, house: House) -> Fuse:
        if self.objecting:
            return lambda heard, _: inhibit(
                [one for one in heard[:-1] if one and one.value is None], heard[-1]
            )
        return lambda heard, _: inhibit(heard[:-1], heard[-1])

    def among(self, present: Collection[str]) -> Arbiter | None:
        """With nobody to inhibit it, the rest is all there is."""
        *inhibitors, over = [among(part, present) for part in self.parts]
        kept = [part for part in inhibitors if part is not None]
        if not kept:
            return over if isinstance(over, Arbiter) else None
        return self._with([*kept, over or Suppress("")._with(())])


class Blend(Arbiter):
    """The mean of all parts that speak, weighted by their strength."""

    __slots__ = ()

    def bind(self, house: House) -> Fuse:
        return lambda heard, _: blend(heard)


class Sum(Arbiter):
    """The sum of all parts that speak, weighted by their strength, within ``limits``."""

    __slots__ = ("limits",)

    def __init__(self, *parts: Part, limits: Limits = NO_LIMITS) -> None:
        super().__init__(*parts)
        if not limits[0] <= limits[1]:
            raise InputError(f"Sum: limits: expected (low, high), got {limits!r}")
        self.limits = limits

    def bind(self, house: House) -> Fuse:
        limits = self.limits
        return lambda heard, _: total(heard, limits)


class Select(Arbiter):
    """The part with the best ``score(option, stimuli)``; ``None`` for one that cannot do it."""

    __slots__ = ("score",)
    restless = True

    def __init__(self, *parts: Part, score: Callable[[Option, Any], float | None]) -> None:
        super().__init__(*parts)
        self.score = score

    def bind(self, house: House) -> Fuse:
        score = self.score
        return lambda heard, stimuli: select(heard, lambda option: score(option, stimuli))


class ByToken(Arbiter):
    """Only the part whose behaviour holds the token of that name."""

    __slots__ = ("token",)
    restless = True

    def __init__(self, token: str, *parts: Part) -> None:
        super().__init__(*parts)
        self.token = token

    def bind(self, house: House) -> Fuse:
        if self.token not in house.tokens:
            raise UnknownName("token", self.token, house.tokens)
        held = house.tokens[self.token]
        return lambda heard, _: token(heard, held.owner, held.name)


class Gate(Arbiter):
    """``part`` while ``when(value, stimuli)`` holds: a working mode, or a value that is safe."""

    __slots__ = ("because", "when")
    restless = True

    def __init__(self, part: Part, *, when: Callable[[Any, Any], bool], because: str) -> None:
        super().__init__(_one(part))
        self.when = when
        self.because = because

    def bind(self, house: House) -> Fuse:
        when, because = self.when, self.because

        def fuse(heard: Heard, stimuli: Any) -> Decision:
            (option,) = heard
            value = None if option is None else option.value
            return gate(option, value is None or when(value, stimuli), because)

        return fuse


class Fusion:
    """The table: channel to tree.  The channels are all there are; others are misspelt."""

    __slots__ = ("table",)

    def __init__(self, table: Mapping[str, Part]) -> None:
        self.table = {channel: _one(part) for channel, part in table.items()}


def _one(part: Part) -> Arbiter:
    """A part where one option is wanted; of the several behind a level, the first speaks."""
    return part if isinstance(part, Arbiter) else Suppress(part)
