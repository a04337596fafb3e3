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
state: one may serve many channels and many robots.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import Any

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
from annelid.behaviour.proposal import Decision, Option
from annelid.behaviour.tree import Arbiter, Fuse, Heard, House, Part, among
from annelid.errors import InputError, UnknownName


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
