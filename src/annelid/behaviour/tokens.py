"""A token: only one behaviour of a group may hold it at a time.

Behaviours of one level have no rank among them; where two must not act at the same time, the one
with the token acts, and drops it when it has done (003 §4, §4.2.2).  A token is asked for, waited
for in the order of asking, and given back.  Nobody who waits can be forgotten: it passes straight
to the first in the queue.  With ``timeout_ns`` an owner that died with it, or will not end, loses
it to the next in the queue when that time has passed.
"""

from __future__ import annotations

from collections.abc import Callable

from annelid.errors import InputError

Passed = Callable[["Token", str | None, str], None]
"""``(token, owner before, why)``, called when the token has another owner."""


class Token:
    """One right of one name, with at most one owner."""

    __slots__ = ("_passed", "_queue", "name", "owner", "since_ns", "timeout_ns")

    def __init__(
        self, name: str, *, timeout_ns: int | None = None, passed: Passed | None = None
    ) -> None:
        if timeout_ns is not None and timeout_ns <= 0:
            raise InputError(f"token {name!r}: timeout_ns: expected more than 0, got {timeout_ns}")
        self.name = name
        self.timeout_ns = timeout_ns
        self.owner: str | None = None
        self._passed = passed
        self._queue: list[str] = []
        self.since_ns = 0
        """When it came to its owner."""

    @property
    def waiting(self) -> tuple[str, ...]:
        """Who has asked and not got it, the first in the queue first."""
        return tuple(self._queue)

    def ask(self, who: str, now_ns: int) -> bool:
        """Whether ``who`` has the token now; if not, it waits for it.

        To be asked at every turn for which the right is needed: it may have timed out.
        """
        timeout_ns = self.timeout_ns
        if (
            timeout_ns is not None
            and self.owner is not None
            and now_ns - self.since_ns >= timeout_ns
        ):
            self._time_out(who, now_ns)
        if self.owner is None:
            self._pass_to(who, now_ns, "asked for")
        if self.owner == who:
            return True
        if who not in self._queue:
            self._queue.append(who)
        return False

    def give_back(self, who: str, now_ns: int) -> None:
        """``who`` needs it no longer, or will not wait for it any more; harmless otherwise."""
        if who in self._queue:
            self._queue.remove(who)
        elif self.owner == who:
            self._pass_to(self._queue.pop(0) if self._queue else None, now_ns, "given back")

    def _time_out(self, who: str, now_ns: int) -> None:
        late = self.owner
        heir = self._queue.pop(0) if self._queue else who
        if heir == late:
            self.since_ns = now_ns  # nobody else wants it
        else:
            self._pass_to(heir, now_ns, "timed out")

    def _pass_to(self, heir: str | None, now_ns: int, why: str) -> None:
        before, self.owner = self.owner, heir
        self.since_ns = now_ns
        if self._passed is not None:
            self._passed(self, before, why)
