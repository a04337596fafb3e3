"""A module's part in the configuration check and in the MDL phase (000 §5.2, Fig 14; §5.3).

Two wires to a joint (``electronics/sync_line.py``), everything decided by levels:

=======  =====================================================  =========================
phase    the module                                             goes on
=======  =====================================================  =========================
IDLE     holds both its wires low                               GPS, MDS: ARM
ARM      holds both high and notes which neighbours do so       settling time over: WAIT
WAIT     is not yet asked                                       Sin low: TURN
TURN     says PC1, or PCL if nobody was ever seen behind it     acknowledged: NEXT, LAST
NEXT     holds both low: the next one has its turn              Sout low: DONE
LAST     has said PCL                                           GPF, MDF: IDLE
DONE     has seen the next one finish                           GPF, MDF: IDLE
FAILED   has seen what cannot be, and said so                   GPF, MDF: IDLE
=======  =====================================================  =========================

The settling time is essential: without it a module that hears GPS a little earlier takes its
neighbour's silence for the end of the chain (FACTS §6).

**Why no wrong order passes for a right one.**  A module lets go of its wires after the central
control has acknowledged it, not before.  So it can tell when the neighbour behind it spoke too
early (a cut wire, a death, a spark): Sout falls before its own turn is over.  It then says so and
holds its wires, and the check stops there.  Half way through the settling time, a module that sees
nobody before it lets go of Sin: if somebody is there after all, that one notices likewise.  A wire
broken the other way leaves modules that were never asked; they say so when the check is over.
What needs a view of the whole chain, two last modules, the central control finds
(``discovery.py``).
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from typing import Final, Protocol

from annelid.electronics.port import Pin
from annelid.kernel import SECOND
from annelid.systems.microtub.protocol import Alarm

GIVE_UP_NS: Final = 8 * SECOND
"""A check of 62 modules at 100 ms each is over by then; a lost GPF must not block the line."""

BEFORE, BEHIND = 1, 2
"""Which line an alarm is about: its Value."""


class CheckPhase(StrEnum):
    IDLE = "idle"
    ARM = "arm"
    WAIT = "wait"
    TURN = "turn"
    NEXT = "next"
    LAST = "last"
    DONE = "done"
    FAILED = "failed"


class SpeakInTurn(Protocol):
    """Say PC1 or, ``last``, PCL, as long as it is ``wanted``; ``then(acknowledged)``."""

    def __call__(
        self, *, last: bool, wanted: Callable[[], bool], then: Callable[[bool], None]
    ) -> None: ...


class ConfigurationCheck:
    """Call :meth:`look` whenever a level may have changed and when ``deadline_ns`` has come."""

    def __init__(
        self,
        sin: Pin,
        sout: Pin,
        *,
        settle_ns: int,
        alarm: Callable[[Alarm, int, bool], None],
    ) -> None:
        """``alarm(what, which line, at once)``: others wait until the module is polled."""
        self.phase = CheckPhase.IDLE
        self.first: bool | None = None
        """Whether nobody is before this module; None: no check has been completed."""
        self.last: bool | None = None
        self.deadline_ns: int | None = None
        self._sin, self._sout = sin, sout
        self._settle_ns = settle_ns
        self._alarm = alarm
        self._speak: SpeakInTurn | None = None
        self._round = 0
        self._settled_ns = 0
        self._seen_before = self._seen_behind = False

    @property
    def active(self) -> bool:
        return self.phase is not CheckPhase.IDLE

    def begin(self, now_ns: int, speak: SpeakInTurn) -> None:
        """GPS or MDS, at any time: a check under way is forgotten."""
        self._round += 1
        self._speak = speak
        self._seen_before = self._seen_behind = False
        self._sin.drive(True)
        self._sout.drive(True)
        self.phase = CheckPhase.ARM
        self._settled_ns = now_ns + self._settle_ns
        self.deadline_ns = now_ns + self._settle_ns // 2

    def finish(self) -> None:
        """GPF or MDF."""
        if self.phase in (CheckPhase.DONE, CheckPhase.LAST):
            self._compare()
        elif self.phase not in (CheckPhase.IDLE, CheckPhase.FAILED):
            self._alarm(Alarm.CHECK, 0, False)
        self._rest()

    def look(self, now_ns: int) -> None:
        """Believe the levels, and go on as far as they allow."""
        if self.phase is CheckPhase.IDLE:
            return
        late = self.deadline_ns is not None and now_ns >= self.deadline_ns
        if self.phase is CheckPhase.ARM:
            self._seen_before |= self._sin.level
            self._seen_behind |= self._sout.level
            if not late:
                return
            if now_ns < self._settled_ns:
                self.deadline_ns = self._settled_ns
                self._sin.drive(self._seen_before)
                return
            self.phase = CheckPhase.WAIT
            self.deadline_ns = now_ns + GIVE_UP_NS
        elif late:
            self._alarm(Alarm.CHECK, 0, False)
            self._rest()
            return
        if self.phase in (CheckPhase.WAIT, CheckPhase.TURN) and self._too_early():
            self._fail()
        elif self.phase is CheckPhase.WAIT and not self._sin.level:
            self._turn()
        elif self.phase is CheckPhase.NEXT and not self._sout.level:
            self.phase = CheckPhase.DONE

    # -- the turn ------------------------------------------------------------------------------

    def _turn(self) -> None:
        self.phase = CheckPhase.TURN
        now = self._round
        if self._speak is not None:
            self._speak(
                last=not self._seen_behind,
                wanted=lambda: self._round == now and self.phase is CheckPhase.TURN,
                then=lambda acknowledged: self._spoken(now, acknowledged),
            )

    def _spoken(self, which: int, acknowledged: bool) -> None:
        if which != self._round or self.phase is not CheckPhase.TURN:
            return
        if not acknowledged or self._too_early():
            self._fail()
            return
        self._sin.drive(False)
        if self._seen_behind:
            self._sout.drive(False)
            self.phase = CheckPhase.NEXT
        else:
            self.phase = CheckPhase.LAST

    def _too_early(self) -> bool:
        """The one behind has let go although it was not its turn."""
        return self._seen_behind and not self._sout.level

    def _fail(self) -> None:
        self.phase = CheckPhase.FAILED
        self._alarm(Alarm.CHECK, BEHIND, True)

    # -- afterwards ----------------------------------------------------------------------------

    def _compare(self) -> None:
        """A line that was alive and is not seen high any more (000 §4.1.4), or was unplugged."""
        first, last = not self._seen_before, not self._seen_behind
        if self.first is False and first:
            self._alarm(Alarm.SYNC_LINE, BEFORE, False)
        if self.last is False and last:
            self._alarm(Alarm.SYNC_LINE, BEHIND, False)
        self.first, self.last = first, last

    def _rest(self) -> None:
        self.phase = CheckPhase.IDLE
        self.deadline_ns = None
        self._sin.drive(False)
        self._sout.drive(False)
