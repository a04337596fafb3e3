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
    1.  T -> ``TS(opening*, direction*)`` when a side ray has lost the wall and the nose is free,
        and again when it has found it, unless the wall across came nearer meanwhile: an elbow.
        ``TS(cross*, direction*)`` where the side across is open as well, ``TS(slight*,
        direction*)`` at the end of an opening that no ray saw far into.
    2.  central control makes ``Junction.seen`` of the two ways of the nose and the direction, and
        goes back a little where the branch is to be entered.  From
        ``reached`` to ``over`` touches of the nose mean nothing: bent about, it touches walls.
    3.  while MHE goes on, every 0.2 s: ``junction.bends(way, backbone, phase)`` is yaw and pitch of
        each R, sent as MS1 and MS2 to those whose whole degrees have changed.
    4.  when ``junction.over(way, backbone)``: MS1(0), MS2(0) to every R.
bifurcation, back
    Steps 3 and 4 with the same object, from memory: where the chain was bent on the way out it is
    bent on the way back.  Nothing has to be felt; the traveller's way is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import atan2, isnan, pi, sqrt
from statistics import median
from typing import Final

from annelid.motion.opening import OPEN_LOOKS, RAYS, SAME, Opening, PastLooks, Rays, grown_side

FELT_N: Final = 0.1
"""Force at the nose that is a touch, N (LAB)."""
LOOK_S: Final = 0.045
"""Between two looks, s: three passes of a module's loop."""
LOOKS: Final = 2
"""In a row, that have to agree."""
MARGIN: Final = 0.011
"""A ray that is longer by this than the longest in a straight pipe has no wall of it before it, m.
Of a nose that lies on the floor the longest goes straight across."""
BORE: Final = 0.040
"""Taken for the bore until the rays have told it, m."""
NARROWER, WIDER = 0.05, 0.005
"""Weights of one look at the bore.  A nose that leans, or comes into a bend, takes a pipe for
wider than it is, never for narrower: what seems wider is believed slowly."""
TOUCHED: Final = 0.005
"""So much shorter a ray may be that shows the way on when the nose touches something, m: between
two rays a gentle bend is shown by both of them a little."""
FIRST_LOOKS: Final = 7
"""Looks from which the bore is taken at first."""
BORES: Final = (0.036, 0.055)
"""Narrow pipes have these, m (FACTS §3)."""
CLOSED: Final = 0.010
"""All rays shorter than this end at one wall ahead, m.  At a cap they measure 6 mm, whatever the
bore; along a straight pipe of 36 mm the nose's own place allows no less than 12 in one of them."""
AGAIN: Final = 44
"""Looks after which a touch that lasts is told again: 2 s."""
RADIUS: Final = 0.0135
"""Of a nose that nobody has given another one, m."""


def longest_straight(bore: float, radius: float) -> float:
    """Of rays 45° forward, from a round nose on the floor of a straight pipe, m."""
    return sqrt(2) * (bore - radius) - radius


def bore_seen(rays: Sequence[float], radius: float) -> float:
    """The ends of four rays are those of two chords at right angles: the sum of the squares of
    their four parts is the square of the bore, wherever the nose lies and however it is rolled."""
    return sqrt(sum((radius + ray) ** 2 / 2 for ray in rays))


FREE: Final = longest_straight(BORE, RADIUS) + MARGIN


def free_side(
    left: float, up: float, right: float, down: float, *, free: float = FREE
) -> float | None:
    """Where it goes on, rad, from four rays 45° forward (m); None: none is as long as ``free``.

    Each ray counts by the cube of its length: the longest decides, two equal ones share (LAB: right
    in 36 of 36 elbows).
    """
    if not max(left, up, right, down) >= free:
        return None
    return atan2(up**3 - down**3, left**3 - right**3) % (2 * pi)


class NoseFinding(StrEnum):
    """What there is to tell about the way ahead."""

    TOUCH = "touch"
    LEFT = "touch on the left"
    RIGHT = "touch on the right"
    OPENING = "opening"
    CROSS = "openings across from each other"
    SLIGHT = "slight opening"
    """The end of one that was never wide."""
    CLOSED = "closed"
    """A touch with a wall ahead of every ray."""
    ABOVE = "touch above"
    BELOW = "touch below"
    HELD = "held"
    """A joint that swings is held, or a contact sensor that swings is pressed: by something in the
    way, or by a floor that has become another."""


@dataclass(frozen=True, slots=True)
class NoseReport:
    what: NoseFinding
    towards: float | None
    """Where it goes on, rad; None: nowhere."""


class Nose:
    """Tells each thing when looks in a row have agreed on it; a touch that lasts every two seconds:
    who did not care the first time may care now.

    An opening is told twice: when a side ray loses the wall, and when it has found it again.  The
    first tells where a branch begins, the way between the two how sharp it is
    (``annelid.motion.opening``).  After the first telling an elbow is silent until it is touched.
    Of a nose that sinks into a branch and touches its edge the wall across is where it was.
    """

    def __init__(self, radius: float = RADIUS, bore: float | None = None) -> None:
        """``radius`` of the nose, and the bore where it is known, m; else the first looks tell."""
        self._radius = radius
        self.bore = bore
        self._first: list[float | None] = []
        self._now: NoseFinding | None = None
        self._looks = 0
        self._told: NoseFinding | None = None
        self._past = PastLooks()
        self._opening: Opening | None = None
        self._seen: Rays = (0.0,) * RAYS
        """What each ray measured when it last measured anything, m."""

    @property
    def free(self) -> float:
        """So long a ray has no wall of a straight pipe before it, m."""
        return longest_straight(BORE if self.bore is None else self.bore, self._radius) + MARGIN

    def look(self, force: float, rays: Rays, *, steady: bool = True) -> NoseReport | None:
        """``rays``: left, up, right, down, m; ``steady``: a wave does not swing the nose about.

        A dead ray (no number) stays what it was: it must not turn the direction of the others.
        """
        dead = any(isnan(ray) for ray in rays)
        rays = [old if isnan(ray) else ray for ray, old in zip(rays, self._seen, strict=True)]
        self._seen = rays
        left, up, right, down = rays
        touches = force > FELT_N
        free = self.free - TOUCHED if touches else self.free
        towards = free_side(left, up, right, down, free=free)
        before: Rays | None = None
        if self._opening is not None and not touches:
            towards = self._opening.side(rays, towards)
        elif towards is None and steady and not touches:
            before = self._past.outgrown(rays)
            towards = None if before is None else grown_side(before, rays, SAME)
        seen: NoseFinding | None = None
        if touches:
            seen = NoseFinding.TOUCH
        elif towards is not None and self.bore is not None:
            seen = NoseFinding.OPENING
        self._looks = self._looks + 1 if seen is self._now else 1
        self._now = seen
        if seen is NoseFinding.TOUCH:
            felt = self._touch(towards, closed=not dead and max(rays) < CLOSED)
            if felt is None:
                return None
            self._past.clear()
            opening, self._opening = self._opening, None
            branch = opening is not None and opening.is_mouth(rays)
            return _told(opening, opening.closed()) if opening is not None and branch else felt
        told = None
        if seen is NoseFinding.OPENING and towards is not None:
            told = self._opened(towards, rays, before)
        else:
            self._past.add(rays)
            if self.bore is None:
                self._learn(None if dead else bore_seen(rays, self._radius))
            elif not dead and max(rays) < self.free:
                wider = self._within(bore_seen(rays, self._radius)) - self.bore
                self.bore += (WIDER if wider > 0 else NARROWER) * wider
            if self._looks >= OPEN_LOOKS and self._opening is not None:
                told = _told(self._opening, self._opening.closed())
                self._opening = None
        if self._looks >= LOOKS:
            self._told = seen
        return told

    def _learn(self, bore: float | None) -> None:
        self._first.append(bore)
        if len(self._first) >= FIRST_LOOKS:
            seen = [each for each in self._first if each is not None]
            self.bore = self._within(median(seen)) if seen else BORE

    @staticmethod
    def _within(bore: float) -> float:
        return min(max(bore, BORES[0]), BORES[1])

    def _touch(self, towards: float | None, *, closed: bool) -> NoseReport | None:
        lasting = self._told is NoseFinding.TOUCH and self._looks % AGAIN == 0
        if self._looks < LOOKS or (self._told is NoseFinding.TOUCH and not lasting):
            return None
        self._told = NoseFinding.TOUCH
        return NoseReport(NoseFinding.CLOSED if closed else NoseFinding.TOUCH, towards)

    def _opened(self, towards: float, rays: Rays, before: Rays | None) -> NoseReport | None:
        """``before``: how far the rays saw before a slight opening."""
        if self._opening is None:
            if self._told is NoseFinding.TOUCH:
                return None  # in an elbow, that is
            self._opening = Opening(rays, self._past.shortly_ago(), before)
            self._past.clear()
        told = _told(self._opening, self._opening.look(towards, rays, self.free))
        if self._opening.forgotten:
            self._opening = None
        return told


def _told(opening: Opening, towards: float | None) -> NoseReport | None:
    if towards is None:
        return None
    if opening.crosses:
        return NoseReport(NoseFinding.CROSS, towards)
    slight = opening.over and not opening.wide
    return NoseReport(NoseFinding.SLIGHT if slight else NoseFinding.OPENING, towards)
