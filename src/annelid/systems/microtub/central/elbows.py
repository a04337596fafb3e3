"""Measures elbows by the joints of a robot that is pushed, and sets the way right at them.

Joints give way to the wall, so their bends add up to the angle between the pipe at the nose and the
pipe at the tail, however the robot rocks.  Ahead, that sum rises when the nose comes round an elbow
and falls when the tail does: it tells where the elbow's middle is and how far it turns, also of an
elbow that the nose did not touch.  On the way back the sum falls when the nose leaves a known
elbow.  Then the robot knows where it is, whatever its traveller has miscounted (event
``milestone``), unless it rocks there and may be swung about.  (The tail, which is pushed into the
elbow, takes up the play of its joints first: it tells 50 mm late.)
Bends into branches are known from ``bifurcations``.
Nothing is known of the pipe beforehand.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field, replace
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin
from statistics import fmean
from typing import Final

from annelid.behaviour import Log
from annelid.systems.microtub.central.bifurcations import Bifurcations
from annelid.systems.microtub.central.joints import JointAngles, JointBend
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow

BENT: Final = radians(20)
"""Nose and tail of a chain in a straight pipe lean by less against each other."""
ASKEW: Final = radians(18)
"""The foremost two joints are bent by so much where the nose is in an elbow, or has come out of it
zigzag; passing a branch it is bent away by 10."""
AGAIN_M: Final = 0.12
"""So far the odometer may be wrong when an elbow is come upon again."""
SURE_M: Final = 0.03
"""How exactly the joints tell where an elbow is, in 95 of 100."""
LEFT_M: Final = 0.05
"""A robot whose nose is so far before an elbow has left it."""
ROUND, ENOUGH = 0.35, 0.7
"""Between these shares of the chain are round an elbow when it is measured; then it is noted."""
LEAVES: Final = 0.7
"""Share of the largest sum below which the elbow is not wholly between nose and tail any more."""
ROUNDS: Final = 3
"""The middle says which looks count, and they say where the middle is: so often."""
LEAD_LOOKS: Final = 40
"""Looks that are kept of the way before the sum rises."""
SWAY_LOOKS: Final = 5
"""Looks over which the sway of a chain is averaged."""
TOP: Final = 0.8
"""Share of the largest sum above which the whole elbow counts as between nose and tail."""
RISE: Final = (0.2, 0.8)
"""Shares of the angle between which the length of an elbow is measured."""
ARC_M: Final = (0.02, 0.20)
"""Lengths that an elbow may have."""


@dataclass
class _Passing:
    """An elbow that the robot is in, ahead."""

    looks: list[tuple[float, JointBend]] = field(default_factory=list)
    """Way of the nose, m, and the sum there."""
    centres: list[tuple[float, JointBend]] = field(default_factory=list)
    """Way of the nose, and the sum of all bends, each times its joint's way behind the nose."""

    @property
    def rose(self) -> float:
        return next(way for way, bend in self.looks if hypot(*bend) > BENT)

    @property
    def about(self) -> float:
        """Where its middle is, as the bends of the last looks have it."""
        centres = [
            way - (moment.left * bend.left + moment.up * bend.up) / max(hypot(*bend), BENT) ** 2
            for (_, bend), (way, moment) in zip(
                self.looks[-SWAY_LOOKS:], self.centres[-SWAY_LOOKS:], strict=False
            )
        ]
        return fmean(centres) if centres else self.rose

    @property
    def leaves(self) -> bool:
        """Whether the tail comes out already, of a wide elbow or one that was long in doubt."""
        most = max(hypot(*bend) for _, bend in self.looks)
        return self._lately < LEAVES * most

    @property
    def _lately(self) -> float:
        last = [bend for _, bend in self.looks[-SWAY_LOOKS:]]
        return hypot(fmean(b.left for b in last), fmean(b.up for b in last))

    @property
    def straightened(self) -> bool:
        """Whether the chain lies straight again, long before its tail can be round: the nose was
        pushed aside for a moment."""
        return self._lately < BENT / 2


class Elbows:
    """Of one life of the central control; keeps ``elbows`` and corrects ``way``."""

    def __init__(
        self, joints: JointAngles, knowledge: Knowledge, bifurcations: Bifurcations, log: Log
    ) -> None:
        self._joints = joints
        self._knowledge = knowledge
        self._bifurcations = bifurcations
        self._log = log
        self._lead: deque[tuple[float, JointBend]] = deque(maxlen=LEAD_LOOKS)
        self._passing: _Passing | None = None
        self._drawn: list[float] = []
        """Sizes of the sum on the way back, since the last elbow was left."""
        self._before: tuple[float, float] | None = None
        """Way and size of the sum at the last look on the way back."""

    @property
    def _watching(self) -> bool:
        """Only a robot that is pushed lies along the pipe."""
        knowledge = self._knowledge
        pushed = knowledge.heading != 0 and not knowledge.gives_way
        return pushed and knowledge.in_pipe is True and bool(self._bifurcations.joints)

    def wants(self) -> list[int]:
        return self._bifurcations.joints if self._watching else []

    def look(self) -> None:
        """After the way has been brought up to date, and before anything is decided on it."""
        knowledge = self._knowledge
        bent = self._joints.total(self._bifurcations.joints) if self._watching else None
        first = self._joints.total(self._bifurcations.joints[:2])
        knowledge.askew = bent is not None and first is not None and hypot(*first) > ASKEW
        if bent is None:
            return
        knowledge.crooked = hypot(*bent) > BENT
        if knowledge.heading > 0:
            self._before = None
            self._drawn.clear()
            self._ahead(bent)
        else:
            self.settle()
            self._back(hypot(*bent))

    # -- ahead -------------------------------------------------------------------------------------

    def _ahead(self, bent: JointBend) -> None:
        way, rest = self._knowledge.way, self._unexplained(bent)
        swung = self._knowledge.rocking or self._knowledge.shaking
        if swung or self._bifurcations.entering:
            self._passing = None
            self._lead.clear()
            return
        if self._passing is None:
            self._lead.append((way, rest))
            if hypot(*rest) > BENT:
                if self._nose_bends(rest):
                    self._passing = _Passing(list(self._lead))
                else:  # the tail comes out of the last one, which is not where it was thought
                    self._lead.clear()
            return
        passing = self._passing
        passing.looks.append((way, rest))
        if (moment := self._moment()) is not None:
            passing.centres.append((way, moment))
        round_it = way - passing.rose > ROUND * self._tail
        if passing.straightened and not round_it:
            self._passing = None
            self._lead.clear()
        elif way - passing.about > ENOUGH * self._tail or (round_it and passing.leaves):
            self.settle()

    def _nose_bends(self, rest: JointBend) -> bool:
        """Whether the first joints are bent that way: an elbow comes upon them first.  A tail that
        comes out of the last one bends the chain the other way."""
        first = self._joints.total(self._bifurcations.joints[:2])
        if first is None:
            return False
        return (first.left * rest.left + first.up * rest.up) / hypot(*rest) > BENT / 2

    def _unexplained(self, bent: JointBend) -> JointBend:
        """What is left of the sum when known elbows between nose and tail are taken off."""
        left, up = bent
        for elbow in self._knowledge.elbows:
            if self._nose < self._knowledge.way - elbow.middle < self._tail:
                left -= elbow.angle * cos(elbow.towards)
                up -= elbow.angle * sin(elbow.towards)
        return JointBend(left, up)

    def _moment(self) -> JointBend | None:
        """Of what is left of the bends when known elbows are taken off."""
        body = self._bifurcations.backbone
        found = self._joints.moment(self._bifurcations.joints, body.joints)
        if found is None:
            return None
        left, up = found
        for elbow in self._knowledge.elbows:
            behind = self._knowledge.way - elbow.middle
            if self._nose < behind < self._tail:
                left -= behind * elbow.angle * cos(elbow.towards)
                up -= behind * elbow.angle * sin(elbow.towards)
        return JointBend(left, up)

    def settle(self) -> None:
        """The nose is well behind what bends the chain, or turns round there: note it."""
        passing, self._passing = self._passing, None
        self._lead.clear()
        found = None if passing is None else self._measured(passing)
        if found is None:
            return
        knowledge = self._knowledge
        about = {"way_m": found.middle, "angle_deg": round(degrees(found.angle))}
        self._log("elbow passed", about)
        past = knowledge.way - found.middle - found.arc / 2
        towards = found.towards % (2 * pi)
        place = knowledge.pipes.turned(towards, found.angle, found.arc, past_m=past)
        knowledge.elbows.append(replace(found, place=None if place is None else place.id))

    def _measured(self, passing: _Passing) -> KnownElbow | None:
        """None: the chain was not bent, or for too short a way, to be in one."""
        middle = self._middle(passing, max(hypot(*bend) for _, bend in passing.looks))
        if middle is None:
            return None
        left = up = 0.0
        for _ in range(ROUNDS):
            reach = (middle + ROUND * self._tail, middle + ENOUGH * self._tail)
            behind = [bend for way, bend in passing.looks if reach[0] < way < reach[1]]
            if not behind:
                break
            left, up = (fmean(b[k] for b in behind) for k in (0, 1))
            middle = self._centre(passing, reach, JointBend(left, up)) or middle
        angle = hypot(left, up)
        if angle < BENT:
            return None
        off = self._knowledge.off + SURE_M
        return KnownElbow(middle, angle, atan2(up, left), self._arc(passing, angle), off)

    @staticmethod
    def _centre(passing: _Passing, reach: tuple[float, float], bend: JointBend) -> float | None:
        """Where the bends are on average, while all of the elbow is between nose and tail: a nose
        that is turned ahead of the pipe says too early that the elbow begins."""
        size = hypot(*bend)
        centres = [
            way - (moment.left * bend.left + moment.up * bend.up) / size**2
            for way, moment in passing.centres
            if reach[0] < way < reach[1]
        ]
        return fmean(centres) if centres and size > BENT else None

    def _middle(self, passing: _Passing, angle: float) -> float | None:
        crossed = _crossing(passing.looks, angle / 2)
        return None if crossed is None else crossed - self._nose

    def _arc(self, passing: _Passing, angle: float) -> float:
        begin, end = (_crossing(passing.looks, share * angle) for share in RISE)
        long = 0.0 if begin is None or end is None else (end - begin) / (RISE[1] - RISE[0])
        return min(max(long, ARC_M[0]), ARC_M[1])

    # -- back --------------------------------------------------------------------------------------

    def _back(self, size: float) -> None:
        knowledge = self._knowledge
        self._drawn.append(size)
        self._forget_the_left()
        now = (knowledge.way, size)
        before, self._before = self._before, now
        if knowledge.at_bifurcation or knowledge.way_out:
            self._before = None
            return
        if before is None or not knowledge.measured:
            return
        fits: list[tuple[float, KnownElbow, float]] = []
        for elbow in knowledge.elbows:
            half = elbow.angle / 2
            if now[1] < half <= before[1] and self._alone(elbow):
                share = (half - before[1]) / (now[1] - before[1])
                at = before[0] + share * (now[0] - before[0]) - self._nose
                fits.append((abs(at - elbow.middle), elbow, at))
        within = min(AGAIN_M, knowledge.off + SURE_M)
        if fits and min(fits, key=lambda fit: fit[0])[0] < within:
            _, elbow, at = min(fits, key=lambda fit: fit[0])
            self._set_right(elbow, at)

    def _forget_the_left(self) -> None:
        """Elbows that the nose has come out of.  On the way back nobody bends the joints but the
        wall, so now their angles are known best."""
        knowledge = self._knowledge
        for elbow in [e for e in knowledge.elbows if e.middle >= knowledge.way + LEFT_M]:
            knowledge.elbows.remove(elbow)
            angle = _top(self._drawn)
            if elbow.place is not None and angle >= BENT and self._alone(elbow):
                knowledge.pipes.bends_by(elbow.place, angle)
            self._drawn.clear()

    def _alone(self, elbow: KnownElbow) -> bool:
        """Whether the chain lies in no other one at the same time."""
        return all(
            other is elbow or abs(other.middle - elbow.middle) > self._tail + ARC_M[1] / 2
            for other in self._knowledge.elbows
        )

    def _set_right(self, elbow: KnownElbow, at: float) -> None:
        """The robot thinks that the elbow is ``at``."""
        knowledge = self._knowledge
        self._log("milestone", {"way_m": elbow.middle, "miscounted_m": at - elbow.middle})
        knowledge.way += elbow.middle - at
        knowledge.off = min(knowledge.off, elbow.off + SURE_M)
        self._before = None

    # -- the chain ---------------------------------------------------------------------------------

    @property
    def _nose(self) -> float:
        """Middle of what is ahead of the first joint, behind the nose, m."""
        return self._bifurcations.backbone.joints[0] / 2

    @property
    def _tail(self) -> float:
        """Middle of what is behind the last joint."""
        body = self._bifurcations.backbone
        return (body.joints[-1] + body.length) / 2


def _top(sizes: list[float]) -> float:
    """What the sum comes to while the whole elbow is between nose and tail: the mean of the looks
    near its maximum, for the maximum itself is of a chain that leans in its pipe; 0: too few."""
    rows = [sizes[k : k + SWAY_LOOKS] for k in range(len(sizes) - SWAY_LOOKS + 1)]
    means = [fmean(row) for row in rows]
    high = [mean for mean in means if mean > TOP * max(means)]
    return fmean(high) if high else 0.0


def _crossing(looks: list[tuple[float, JointBend]], size: float) -> float | None:
    """Way at which the sum first came to that; None: it did not."""
    for (way, bend), (later, after) in pairwise(looks):
        one, two = hypot(*bend), hypot(*after)
        if one < size <= two:
            return way + (size - one) / (two - one) * (later - way)
    return None
