"""Lines that an operator has typed and the robot has not yet been told.

``wait`` holds up the lines behind it; a line marked with :data:`AT_ONCE` passes them.
"""

from __future__ import annotations

from collections import deque
from threading import Condition
from typing import Final, Protocol

AT_ONCE: Final = "\x18"
"""Before a line that does not wait for an earlier line's ``wait``."""
URGENT: Final = ("quit", "help", "stp", "stop")


class Inbox(Protocol):
    """Where typed lines go."""

    def put(self, line: str | None, /) -> None:
        """None: there will be no more."""

    def qsize(self) -> int: ...


def at_once(line: str) -> str:
    """The line, marked if it is one that does not wait."""
    words = line.split(maxsplit=1)
    return f"{AT_ONCE}{line}" if words and words[0].casefold() in URGENT else line


class TypedLines:
    """Lines that were typed and not yet said."""

    def __init__(self) -> None:
        self._lines: deque[str | None] = deque()
        self._came = Condition()

    def put(self, line: str | None, /) -> None:
        with self._came:
            self._lines.append(line)
            self._came.notify()

    def qsize(self) -> int:
        return len(self._lines)

    def take(self, *, waiting: bool, seconds: float = 0.0) -> tuple[str | None] | None:
        """The next line; while ``waiting`` the first that need not wait.  None: there is none."""
        with self._came:
            place = self._next(waiting)
            if place is None and seconds > 0:
                self._came.wait(seconds)
                place = self._next(waiting)
            if place is None:
                return None
            line = self._lines[place]
            del self._lines[place]
        return (line if line is None else line.removeprefix(AT_ONCE),)

    def _next(self, waiting: bool) -> int | None:
        if not waiting:
            return 0 if self._lines else None
        lines = enumerate(self._lines)
        return next((k for k, line in lines if line and line.startswith(AT_ONCE)), None)
