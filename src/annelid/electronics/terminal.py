"""The operator's terminal: typed lines that the program of a board reads.

It is a port like others: a system puts one on the board that the operator talks to.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from annelid.kernel import Mailbox

TERMINAL: Final = "terminal"
"""Of the port at which somebody types."""
SAYS, ANSWER = "says", "answer"
"""Kinds of event: what was typed, what came back."""


class Terminal:
    """A keyboard and a screen; ``check`` raises for a line that makes no sense to who reads it."""

    def __init__(self, check: Callable[[str], object] = lambda _: None) -> None:
        self.check = check
        self.typed: Mailbox[str] = Mailbox(name=TERMINAL)
        self.screen: Callable[[str], object] | None = None
        """Who else is told what comes back, besides the trace."""
        self._on = True

    def type(self, line: str) -> None:
        if self._on:
            self.typed.put(line)

    def power(self, on: bool) -> None:
        self._on = on
        if not on:
            self.typed.drain()
