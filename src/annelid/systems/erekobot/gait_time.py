"""Keeps a module's place in the gait, although its clock is 3 % wrong (004, 2.3.2).

*Gait time* is the time since the start.  Every module counts it by its own oscillator, so the
modules drift apart; the paper's cure is to tell them the time again and again, by the algorithm of
Cristian.  Two ways to do it:

* **Asking** (needs the ring, because a line has no way back): the module notes when it asked and
  when the answer came; ``t = Ts + (T1 - T0)·share``, where ``share`` is one half as long as
  nothing is known about the two ways, and known in a ring whose places are known.
* **Telling** (on a line): the server tells all, and module ``k`` adds the ``k`` · 4.619 ms that a
  packet takes to reach it.

Set right, a clock that is 3 % off is 30 ms wrong again a second later.  What two such times are
apart, and what the module counted between them, gives the *rate* of its oscillator; a module that
learns it (ours, not the paper's) is off by the jitter of the wire only.
"""

from __future__ import annotations

from typing import Final

from annelid.electronics.board import Board
from annelid.kernel import MILLISECOND, Wait
from annelid.systems.erekobot.messages import TIME_WRAP_MS, VALUE

MILLION: Final = 1_000_000

HOP_MS: Final = 4.619
"""What one module adds to the way of a packet (004, eq. 1)."""

LAST_HOP_MS: Final = 5.208
"""Five bytes at 9600 baud: how long a packet takes to be complete at its receiver."""

RATE_MAX_PPM: Final = 100_000
"""No oscillator is further off; what says so was a packet that came late."""

RATE_BASE_NS: Final = 200 * MILLISECOND
"""Times nearer to each other say nothing of the rate: they are told in whole ms."""

RATE_GAIN: Final = 0.5
"""How much of a new rate is believed, after the first: a packet may have waited on its way."""


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
    """Steps of a gait, by the clock of a board; all times in ns.

    From a moment of the board's clock at which gait time was known, it goes on at ``rate_ppm``.
    """

    __slots__ = (
        "_at",
        "_board",
        "_done",
        "_gait",
        "_learns",
        "_told",
        "interval_ns",
        "moving",
        "rate_ppm",
    )

    def __init__(self, board: Board, interval_ns: int, *, learns_rate: bool = False) -> None:
        self._board = board
        self._learns = learns_rate
        self.interval_ns = interval_ns
        self.moving = False
        self.rate_ppm: int | None = None
        """Gait time's gain over the board's clock; None: not known, as good as 0."""
        self._at = self._gait = 0
        self._done = -1
        self._told: tuple[int, int] | None = None
        """Board's clock and gait time, when it was corrected last."""

    def start(self, ago_ns: int = 0) -> None:
        """Begin, or begin anew; the start was given ``ago_ns`` ago."""
        self._at, self._gait = self._board.now, ago_ns
        self._done = -1
        self._told = None
        self.moving = True

    def stop(self) -> None:
        self.moving = False

    def gait_ns(self, board_ns: int) -> int:
        """Gait time at a moment of the board's clock."""
        passed = board_ns - self._at
        return self._gait + passed + passed * (self.rate_ppm or 0) // MILLION

    @property
    def elapsed(self) -> int:
        """Gait time."""
        return self.gait_ns(self._board.now)

    @property
    def step(self) -> int:
        """How many intervals have passed."""
        return self.elapsed // self.interval_ns

    @property
    def due_ns(self) -> int:
        """When the next step is due, by the board's clock: not a nanosecond too early, or a
        module would wake and find nothing to do."""
        ahead = (self._done + 1) * self.interval_ns - self._gait
        return self._at - -ahead * MILLION // (MILLION + (self.rate_ppm or 0))

    @property
    def due(self) -> bool:
        return self.moving and self._board.now >= self.due_ns

    def take(self) -> int:
        """The step that is due now; it will not be due again."""
        self._done = self.step
        return self._done

    def correct(self, gait_ns: int) -> int:
        """Somebody knows better what time it is; returns by how much we were ahead."""
        now = self._board.now
        ahead = self.elapsed - gait_ns
        if self._learns:
            self._learn(now, gait_ns)
        self._at, self._gait = now, gait_ns
        return ahead

    def _learn(self, now: int, gait_ns: int) -> None:
        """The rate, from this correction and the one before it."""
        before, self._told = self._told, (now, gait_ns)
        if before is None or now - before[0] < RATE_BASE_NS:
            return
        measured = (gait_ns - before[1]) * MILLION // (now - before[0]) - MILLION
        if abs(measured) > RATE_MAX_PPM:
            return
        old = self.rate_ppm
        self.rate_ppm = measured if old is None else old + round(RATE_GAIN * (measured - old))

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
