"""What programs can wait on: mailboxes, values that change, and digital lines.

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


class Cell(Generic[T]):
    """A value that others may watch: a mode, a role, the winner of an arbiter."""

    __slots__ = ("_callbacks", "_value", "_waiters", "name")

    def __init__(self, value: T, *, name: str = "") -> None:
        self.name = name
        self._value = value
        self._waiters: dict[Waiter, Direction] = {}
        self._callbacks: list[Callable[[T], Any]] = []

    @property
    def value(self) -> T:
        return self._value

    def set(self, value: T) -> None:
        """Take a new value; nobody is told if it equals the old one."""
        if value == self._value:
            return
        self._value = value
        if self._waiters:
            for waiter, direction in tuple(self._waiters.items()):
                # Firing one branch of an AnyOf withdraws the others, which may be on this cell.
                if waiter in self._waiters and direction.matches(bool(value)):
                    del self._waiters[waiter]
                    waiter.fire(value)
        for callback in tuple(self._callbacks):
            callback(value)

    def on_change(self, callback: Callable[[T], Any]) -> Callable[[], None]:
        """Call ``callback(new value)`` at once on every change; returns how to end that.

        For wiring (a line that drives a line, a recorder), where a program would be too slow a
        messenger.
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


class Line(Cell[bool]):
    """A digital level; ``True`` is high.  Drive strength and open drains belong to links."""

    __slots__ = ()

    def __init__(self, level: bool = False, *, name: str = "") -> None:
        super().__init__(bool(level), name=name)

    @property
    def level(self) -> bool:
        return self._value

    def set(self, value: bool) -> None:
        super().set(bool(value))

    def watch(
        self, direction: Direction = Direction.ANY, *, capacity: int | None = None
    ) -> Mailbox[bool]:
        """Keep every edge from now on as a message (the level after it), as an interrupt does.

        A program that is busy between two waits loses no edge this way; with ``capacity=1`` it
        is the single flag of a microcontroller.
        """
        edges: Mailbox[bool] = Mailbox(capacity=capacity, name=f"edges of {self.name}")

        def keep(level: bool) -> None:
            if direction.matches(level):
                edges.put(level)

        self.on_change(keep)
        return edges
