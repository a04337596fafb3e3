"""Decides which behaviours are active: conditions, levels that disable others, tokens.

An active behaviour proposes; whether its proposals win is another question, for the arbiters.
It is active while

1. no active behaviour of a higher level disables it, nor anybody outside (an operator);
2. if it is on demand, an active behaviour enables it;
3. its condition is met;
4. if it needs a token, it holds it.

All of it is looked up by the stack from the highest level down, so that what an upper level
forbids is forbidden in the same step.  1 and 2 change rarely and are kept as one flag, ``barred``;
3 and 4 are asked at the behaviour's own rate.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from annelid.behaviour.behaviour import BELOW, Behaviour
from annelid.behaviour.tokens import Token
from annelid.errors import InputError, UnknownName
from annelid.kernel.time import whole


class Activation:
    """Whether one behaviour may run, and who says so."""

    __slots__ = (
        "active",
        "asking",
        "barred",
        "behaviour",
        "condition",
        "disabled_by",
        "disables",
        "due_ns",
        "enabled_by",
        "enables",
        "name",
        "period_ns",
        "propose",
        "reason",
        "token",
    )

    def __init__(self, behaviour: Behaviour[Any], token: Token | None) -> None:
        self.behaviour = behaviour
        self.name = behaviour.name
        self.period_ns = behaviour.period_ns
        self.propose = behaviour.propose
        written = type(behaviour).condition is not Behaviour.condition
        self.condition = behaviour.condition if written else None
        self.token = token
        self.active = False
        self.asking = False
        """Whether it waits for its token."""
        self.due_ns = 0
        self.disables: tuple[str, ...] = ()
        """In force now; the behaviour's own ``disables`` are a wish until it is active."""
        self.enables: tuple[str, ...] = ()
        self.disabled_by: dict[str, str] = {}
        """Name of the disabler to its reason."""
        self.enabled_by: dict[str, None] = {}
        self.barred = behaviour.on_demand
        self.reason = "not started yet"
        """Why it is as it is: why it started, or why it stopped."""

    def refresh(self) -> None:
        """After a change of who disables or enables it."""
        self.barred = bool(self.disabled_by) or (self.behaviour.on_demand and not self.enabled_by)

    def bar(self) -> str:
        """Why it is barred, in words."""
        if self.disabled_by:
            return ", ".join(
                f"disabled by {by}" + (f" ({reason})" if reason else "")
                for by, reason in self.disabled_by.items()
            )
        return "nobody enables it"


class Activations:
    """All of a stack, from the highest level down; of one level, in the order given."""

    def __init__(
        self,
        behaviours: Sequence[Behaviour[Any]],
        tokens: dict[str, Token],
        absent: Collection[str] = (),
    ) -> None:
        for behaviour in behaviours:
            if not behaviour.name:
                raise InputError(f"{type(behaviour).__name__}: expected a name, got none")
            if whole(f"{behaviour.name}: period_ns", behaviour.period_ns) < 0:
                raise InputError(
                    f"{behaviour.name}: period_ns: expected 0 or more, got {behaviour.period_ns}"
                )
        ordered = sorted(behaviours, key=lambda behaviour: -behaviour.level)
        self.all = [Activation(one, tokens[one.token] if one.token else None) for one in ordered]
        self.by_name = {activation.name: activation for activation in self.all}
        if len(self.by_name) < len(self.all):
            names = [activation.name for activation in self.all]
            twice = sorted({name for name in names if names.count(name) > 1})
            raise InputError(f"behaviours: expected a name for each, got twice: {', '.join(twice)}")
        self._absent = frozenset(absent)
        for activation in self.all:  # a misspelt name shall not wait for its moment
            self._targets(activation, activation.behaviour.disables, lower=True)
            self._targets(activation, activation.behaviour.enables, lower=False)

    def __getitem__(self, name: str) -> Activation:
        if name not in self.by_name:
            raise UnknownName("behaviour", name, self.by_name)
        return self.by_name[name]

    def wire(self, one: Activation, disables: tuple[str, ...], enables: tuple[str, ...]) -> None:
        """From now on ``one`` disables and enables these, and no longer what it did before."""
        if disables is not one.disables:
            new = self._targets(one, disables, lower=True)
            for target in self._targets(one, one.disables, lower=True):
                target.disabled_by.pop(one.name, None)
                target.refresh()
            for target in new:
                target.disabled_by[one.name] = ""
                target.refresh()
            one.disables = disables
        if enables is not one.enables:
            new = self._targets(one, enables, lower=False)
            for target in self._targets(one, one.enables, lower=False):
                target.enabled_by.pop(one.name, None)
                target.refresh()
            for target in new:
                target.enabled_by[one.name] = None
                target.refresh()
            one.enables = enables

    def _targets(self, one: Activation, names: tuple[str, ...], *, lower: bool) -> list[Activation]:
        level = one.behaviour.level
        if names == BELOW:
            return [other for other in self.all if other.behaviour.level < level]
        targets = [self[name] for name in names if name not in self._absent]
        for target in targets:
            if lower and target.behaviour.level >= level:
                raise InputError(
                    f"{one.name}: disables: expected behaviours below level {level}, got"
                    f" {target.name!r} of level {target.behaviour.level}"
                )
            if not lower and not target.behaviour.on_demand:
                raise InputError(
                    f"{one.name}: enables: expected behaviours that are on_demand, got"
                    f" {target.name!r}, which needs nobody to enable it"
                )
        return targets
