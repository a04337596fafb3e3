"""How a module knows where in the gait it is, although its clock is 3 % wrong (004, 2.3.2).

*Gait time* is the time since the start.  Every module counts it by its own oscillator, so the
modules drift apart; the paper's cure is to tell them the time again and again, by the algorithm of
Cristian.  Two ways to do it:

* **Asking** (needs the ring, because a line has no way back): the module notes when it asked and
  when the answer came; ``t = Ts + (T1 - T0)·share``, where ``share`` is one half as long as
  nothing is known about the two ways, and known in a ring whose places are known.
* **Telling** (on a line): the server tells all, and module ``k`` adds the ``k`` · 4.619 ms that a
  packet takes to reach it.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.kernel import MILLISECOND, Wait
from annelid.systems.erekobot.messages import TIME_WRAP_MS, VALUE

HOP_MS: Final = 4.619
"""What one module adds to the way of a packet (004, eq. 1)."""

LAST_HOP_MS: Final = 5.208
"""Five bytes at 9600 baud: how long a packet takes to be complete at its receiver."""


def cristian(asked_ns: int, answered_ns: int, server_ns: int, share: float = 0.5) -> int:
    """The server's time at the moment of its answer's arrival, ns (Cristian 1989).

    ``share`` is the part of the round trip that the answer took.  With one half, the error is at
    most half the round trip less its shortest possible half.
    """
    return server_ns + round((answered_ns - asked_ns) * share)


def return_share(index: int, modules: int) -> float:
    """The answer's part of the round trip in a ring with the server before module 1.

    The answer passes ``index`` - 1 modules, the question the ``modules`` - ``index`` others.
    """
    back = (index - 1) * HOP_MS + LAST_HOP_MS
    there = (modules - index) * HOP_MS + LAST_HOP_MS
    return back / (back + there)


def one_way_ns(index: int, hop_ms: float = HOP_MS) -> int:
    """From the host to module ``index`` of a line; what is the same for all is left out."""
    return round(index * hop_ms * MILLISECOND)


class GaitTime:
    """Steps of a gait, by the clock of a board; all times in ns."""

    __slots__ = ("_board", "_done", "_origin", "interval_ns", "moving")

    def __init__(self, board: Board, interval_ns: int) -> None:
        self._board = board
        self.interval_ns = interval_ns
        self.moving = False
        self._origin = 0
        self._done = -1

    def start(self, ago_ns: int = 0) -> None:
        """Begin, or begin anew; the start was given ``ago_ns`` ago."""
        self._origin = self._board.now - ago_ns
        self._done = -1
        self.moving = True

    def stop(self) -> None:
        self.moving = False

    @property
    def elapsed(self) -> int:
        """Gait time."""
        return self._board.now - self._origin

    @property
    def step(self) -> int:
        """How many intervals have passed."""
        return self.elapsed // self.interval_ns

    @property
    def due_ns(self) -> int:
        """When the next step is due, by the board's clock."""
        return self._origin + (self._done + 1) * self.interval_ns

    @property
    def due(self) -> bool:
        return self.moving and self._board.now >= self.due_ns

    def take(self) -> int:
        """The step that is due now; it will not be due again."""
        self._done = self.step
        return self._done

    def correct(self, gait_ns: int) -> int:
        """Somebody knows better what time it is; returns by how much we were ahead."""
        ahead = self.elapsed - gait_ns
        self._origin += ahead
        return ahead

    def unwrapped(self, message: int) -> int:
        """Gait time from the 14 bits of a packet: of all that look alike, the one nearest ours."""
        told = message & VALUE
        near = self.elapsed / MILLISECOND
        turns = round((near - told) / TIME_WRAP_MS)
        return (told + turns * TIME_WRAP_MS) * MILLISECOND


def wait_until(board: Board, *moments_ns: int | None) -> Wait | None:
    """The earliest of some moments, if there is one."""
    given = [moment for moment in moments_ns if moment is not None]
    return board.until(min(given)) if given else None
