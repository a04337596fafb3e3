"""Waits for the first of several things; a timeout can be one of them.

Each wait is armed with a *branch*, a waiter of its own.  The first branch to fire withdraws all
the others before its owner hears of it, so two waits can never both claim the program, and no
message is taken from a mailbox that lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from annelid.errors import InputError
from annelid.kernel.timer import Timer, run_timer
from annelid.kernel.waits import Sleep, Until, Wait, Waiter


@dataclass(slots=True)
class Fired:
    """Which of the waits of an ``AnyOf`` happened first, and what it brought."""

    index: int
    wait: Wait
    value: Any

    @property
    def timed_out(self) -> bool:
        """The clock won: the wait was a ``Sleep`` or an ``Until``."""
        return isinstance(self.wait, Sleep | Until)


class AnyOf:
    """Whichever of ``waits`` comes first; an ``AnyOf`` may be one of them."""

    __slots__ = ("waits",)

    def __init__(self, *waits: Wait) -> None:
        if not waits:
            raise InputError("AnyOf: expected at least one wait, got none")
        self.waits = waits

    def __repr__(self) -> str:
        return f"AnyOf{self.waits!r}"

    def arm(self, waiter: Waiter) -> None:
        waiter.branches = branches = []
        for index, wait in enumerate(self.waits):
            branch = Branch(waiter, index, wait)
            branches.append(branch)
            wait.arm(branch)
            if waiter.branches is not branches:  # it fired at once
                return

    def disarm(self, waiter: Waiter) -> None:
        _withdraw(waiter)


class Branch:
    """One wait of an ``AnyOf``, waiting on behalf of ``owner``."""

    __slots__ = ("_timer", "branches", "index", "kernel", "owner", "priority", "wait")

    def __init__(self, owner: Waiter, index: int, wait: Wait) -> None:
        self.owner = owner
        self.kernel = owner.kernel
        self.priority = owner.priority
        self.index = index
        self.wait = wait
        self.branches: list[Branch] = []
        self._timer: Timer | None = None

    @property
    def name(self) -> str:
        """The program's, for messages."""
        return str(getattr(self.owner, "name", "AnyOf"))

    def fire(self, value: Any) -> None:
        _withdraw(self.owner)
        self.owner.fire(Fired(self.index, self.wait, value))

    def fire_now(self, value: Any) -> None:
        _withdraw(self.owner)
        self.owner.fire_now(Fired(self.index, self.wait, value))

    def fire_at(self, t_ns: int) -> None:
        self._timer = timer = Timer(self.kernel, t_ns, self._elapse)
        self.kernel.push(t_ns, self.priority, run_timer, timer)

    def forget_time(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _elapse(self) -> None:
        self.fire_now(None)


def _withdraw(waiter: Waiter) -> None:
    branches, waiter.branches = waiter.branches, []
    for branch in branches:
        branch.wait.disarm(branch)
