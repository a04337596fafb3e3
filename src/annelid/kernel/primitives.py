"""What programs can wait on: mailboxes and digital lines.

None of them knows the time or the kernel: a waiting program is told, and goes on through the queue
of the kernel in the order in which it was told.  None delays, loses or garbles anything either;
that is the business of links.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from annelid.errors import InputError
from annelid.kernel.waits import Direction, Waiter

T = TypeVar("T")


class Mailbox(Generic[T]):
    """Messages in the order of arrival.

    With a ``capacity`` it is the receive buffer of a chip: a message that finds it full is lost
    and counted, because no sender of the papers waits for its receiver.
    """

    __slots__ = ("_items", "_waiters", "capacity", "dropped", "name")

    def __init__(self, *, capacity: int | None = None, name: str = "") -> None:
        if capacity is not None and capacity < 1:
            raise InputError(f"mailbox {name!r}: expected a capacity of 1 or more, got {capacity}")
        self.name = name
        self.capacity = capacity
        self.dropped = 0
        self._items: deque[T] = deque()
        self._waiters: dict[Waiter, None] = {}

    def __len__(self) -> int:
        return len(self._items)

    def put(self, message: T) -> bool:
        """Deliver; ``False`` if the mailbox was full and the message is lost."""
        waiters = self._waiters
        if waiters:
            waiter = next(iter(waiters))
            del waiters[waiter]
            waiter.fire(message)
            return True
        if self.capacity is not None and len(self._items) >= self.capacity:
            self.dropped += 1
            return False
        self._items.append(message)
        return True

    def poll(self) -> T | None:
        """The oldest message without waiting, or ``None``."""
        return self._items.popleft() if self._items else None

    def drain(self) -> list[T]:
        """All messages, oldest first; the mailbox is empty afterwards."""
        messages = list(self._items)
        self._items.clear()
        return messages

    def add_waiter(self, waiter: Waiter) -> None:
        if self._items:
            waiter.fire(self._items.popleft())
        else:
            self._waiters[waiter] = None

    def drop_waiter(self, waiter: Waiter) -> None:
        self._waiters.pop(waiter, None)


class Line:
    """A digital level that others may watch; ``True`` is high.  Drive strength and open drains
    belong to links."""

    __slots__ = ("_callbacks", "_waiters", "level", "name")

    def __init__(self, level: bool = False, *, name: str = "") -> None:
        self.name = name
        self.level = bool(level)
        self._waiters: dict[Waiter, Direction] = {}
        self._callbacks: list[Callable[[bool], Any]] = []

    def set(self, level: bool) -> None:
        """Take a new level; nobody is told if it equals the old one."""
        level = bool(level)
        if level == self.level:
            return
        self.level = level
        if self._waiters:
            for waiter, direction in tuple(self._waiters.items()):
                # Firing one branch of an AnyOf withdraws the others, which may be on this line.
                if waiter in self._waiters and direction.matches(level):
                    del self._waiters[waiter]
                    waiter.fire(level)
        for callback in tuple(self._callbacks):
            callback(level)

    def on_change(self, callback: Callable[[bool], Any]) -> Callable[[], None]:
        """Call ``callback(new level)`` at once on every change; returns how to end that.

        For wiring (a line that drives a line, a recorder, an interrupt), where a program would be
        too slow a messenger.
        """
        self._callbacks.append(callback)

        def end() -> None:
            if callback in self._callbacks:
                self._callbacks.remove(callback)

        return end

    def add_waiter(self, waiter: Waiter, direction: Direction = Direction.ANY) -> None:
        self._waiters[waiter] = direction

    def drop_waiter(self, waiter: Waiter) -> None:
        self._waiters.pop(waiter, None)
