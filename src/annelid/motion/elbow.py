"""Turning in pipes: what the nose touches, and how a module turns in an elbow (000 §4.1.6, §6.1.3).

Pure logic: no board, no clock of its own.  Directions are radians in the head's frame, 0 to the
left and π/2 upwards; on the wire they are whole degrees, 0 to 359.

**Who says what** (all frames 000's; extensions are marked *):

elbow, ahead
    1.  T -> ``TS(nose, direction*)`` when its nose touches; the direction is the free side, from
        the four infrared rays.  ``TS(nose)`` without one: none is long; ``TS(closed*)``: all of
        them end at a wall ahead, a dead end.
    2.  central control -> ``TUP(direction*)`` to all.  What pushes goes on pushing; each R takes
        its turn on the sync lines (:class:`TurnInPipe`), modules without joints relay.
    3.  the last R -> ``TSF`` when it is straight again.  ``TSF`` to all ends it at any time; either
        way modules go on with the push.
elbow, back
    Nothing is said.  R at rest (straight; in a pipe a target is at most 5° ahead of its servo) give
    way to the wall, and the push backwards (SPD, MHE) does the rest.
bifurcation, ahead (``annelid.motion.bifurcation``)
    1.  T -> ``TS(opening*, direction*)`` when a side ray has lost the wall and the nose is free.
    2.  central control makes ``Junction.seen(way of the nose, direction, into=choice)``.  From
        ``reached`` to ``over`` touches of the nose mean nothing: bent about, it touches walls.
    3.  while MHE goes on, every 0.2 s: ``junction.bends(way, backbone, time)`` is yaw and pitch of
        each R, sent as MS1 and MS2 to those whose whole degrees have changed.
    4.  when ``junction.over(way, backbone)``: MS1(0), MS2(0) to every R.
bifurcation, back
    Steps 3 and 4 with the same object, from memory: where the chain was bent on the way out it is
    bent on the way back.  Nothing has to be felt; the traveller's way is enough.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, inf, pi
from statistics import fmean
from typing import Final

FELT_N: Final = 0.1
"""Force at the nose that is a touch, N (LAB)."""
LOOK_S: Final = 0.045
"""Between two looks, s: three passes of a module's loop."""
LOOKS: Final = 2
"""In a row, that have to agree."""
FREE: Final = 0.035
"""A ray this long has no wall before it that belongs to a straight pipe of 40 mm, m."""
CLOSED: Final = 0.010
"""All rays shorter than this end at one wall ahead, m.  At a cap they measure 6 mm, whatever the
bore; along a straight pipe of 36 mm the nose's own place allows no less than 12 in one of them."""
AGAIN: Final = 44
"""Looks after which a touch that lasts is told again: 2 s."""
WATCH: Final = 11
"""Looks at an opening before it is told: 0.5 s, or 15 mm at 3 cm/s."""
WALL_LOOKS: Final = 5
"""Looks that are averaged for the wall across."""
CLOSER: Final = 0.002
"""The wall across has come nearer by this in an elbow, m; measured 3.5 mm there, 0 elsewhere."""


def free_side(left: float, up: float, right: float, down: float) -> float | None:
    """Where it goes on, rad, from four rays 45° forward (m); None: nowhere.

    Each ray counts by the cube of its length: the longest decides, two equal ones share (LAB: right
    in 36 of 36 elbows).
    """
    if not max(left, up, right, down) >= FREE:
        return None
    return atan2(up**3 - down**3, left**3 - right**3) % (2 * pi)


class NoseFinding(StrEnum):
    """What there is to tell about the way ahead."""

    TOUCH = "touch"
    OPENING = "opening"
    CLOSED = "closed"
    """A touch with a wall ahead of every ray."""


@dataclass(frozen=True, slots=True)
class NoseReport:
    what: NoseFinding
    towards: float | None
    """Where it goes on, rad; None: nowhere."""


class Nose:
    """Tells each thing once, when ``LOOKS`` looks have agreed on it; again when it was gone, and a
    touch that lasts every two seconds: who did not care the first time may care now.

    Elbows open at one side, too.  But there the wall on the other side comes nearer while the nose
    goes on, and at a bifurcation it does not: an opening is watched for a moment before it is told.
    """

    def __init__(self) -> None:
        self._now: NoseFinding | None = None
        self._looks = 0
        self._told: NoseFinding | None = None
        self._before: deque[tuple[float, ...]] = deque(maxlen=LOOKS + WALL_LOOKS)
        self._across: deque[float] = deque(maxlen=WALL_LOOKS)
        self._wall = inf
        """How far the wall across was before the opening, m."""

    def look(self, force: float, rays: Sequence[float]) -> NoseReport | None:
        """``rays``: left, up, right, down, m."""
        towards = free_side(*rays)
        seen: NoseFinding | None = None
        if force > FELT_N:
            seen = NoseFinding.TOUCH
        elif towards is not None:
            seen = NoseFinding.OPENING
        self._looks = self._looks + 1 if seen is self._now else 1
        self._now = seen
        self._watch(seen, rays)
        if seen is self._told:
            lasting = seen is NoseFinding.TOUCH and self._looks % AGAIN == 0
            return self._report(seen, towards, rays) if lasting else None
        if self._looks < (WATCH if seen is NoseFinding.OPENING else LOOKS):
            return None
        if seen is NoseFinding.OPENING and (self._told is NoseFinding.TOUCH or self._closing()):
            return None
        self._told = seen
        return self._report(seen, towards, rays)

    @staticmethod
    def _report(
        seen: NoseFinding | None, towards: float | None, rays: Sequence[float]
    ) -> NoseReport | None:
        if seen is NoseFinding.TOUCH and max(rays) < CLOSED:
            seen = NoseFinding.CLOSED
        return None if seen is None else NoseReport(seen, towards)

    def _watch(self, seen: NoseFinding | None, rays: Sequence[float]) -> None:
        """Remember the wall across from the opening, as it was before and as it is."""
        if seen is not NoseFinding.OPENING:
            self._before.append(tuple(rays))
            return
        across = (max(range(len(rays)), key=rays.__getitem__) + 2) % len(rays)
        if self._looks == 1:
            self._wall = fmean(look[across] for look in self._before) if self._before else inf
            self._across.clear()
        self._across.append(rays[across])

    def _closing(self) -> bool:
        return fmean(self._across) < self._wall - CLOSER
