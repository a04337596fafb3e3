"""Behaviours to play with: what they want is said in one line."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from annelid.behaviour import EVERY_STEP, Behaviour, Proposal

World = dict[str, Any]
Says = Callable[[World], Mapping[str, Any]]


class Actor(Behaviour[World]):
    """Proposes ``says``, a table of channel to value, or a function of the stimuli to one."""

    def __init__(
        self,
        name: str,
        says: Mapping[str, Any] | Says = {},  # noqa: B006  only read
        *,
        level: int = 0,
        strength: float = 1.0,
        reason: str = "",
        period_ns: int = EVERY_STEP,
        on_demand: bool = False,
        token: str | None = None,
        disables: tuple[str, ...] = (),
        enables: tuple[str, ...] = (),
    ) -> None:
        self.name = name
        self.level = level
        self.period_ns = period_ns
        self.on_demand = on_demand
        self.token = token
        self.disables = disables
        self.enables = enables
        self.runs = 0
        self.resets = 0
        self._says = says
        self._strength = strength
        self._reason = reason

    def propose(self, world: World, /) -> Iterable[Proposal]:
        self.runs += 1
        says = self._says(world) if callable(self._says) else self._says
        return [
            self.proposal(channel, value, self._strength, self._reason)
            for channel, value in says.items()
        ]

    def reset(self) -> None:
        self.resets += 1


class Conditional(Actor):
    """Active while the stimuli have its name."""

    def condition(self, world: World, /) -> bool:
        return self.name in world


class Notes:
    """A record of what a stack tells, in place of a trace."""

    def __init__(self) -> None:
        self.all: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, kind: str, detail: Mapping[str, Any]) -> None:
        self.all.append((kind, dict(detail)))

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [detail for what, detail in self.all if what == kind]
