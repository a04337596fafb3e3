"""Bifurcations on the robot's way: detected once, remembered, passed in both directions.

The head says that a side is open, and says so again when the opening is behind it (TS opening):
what closes again without the nose touching anything was the mouth of a branch.  Which leg to take
is decided here, by the operator's preference and by what has been seen already; for the branch the
robot goes back a little first.  From then on ``annelid.motion.bifurcation`` says how every joint
has to stand for the way that the nose has come, and ``joint_bends.py`` makes servo orders of that.
The push goes on meanwhile.

**A leg counts as entered when the joints say so.**  They give way to the wall.  With the nose some
way into the leg their bends add up to the angle between what is ahead of the corner and what is
behind it: the branch's angle, or nothing.  Only then the bifurcation goes onto the map.
"""

from __future__ import annotations

from dataclasses import replace
from math import atan2, cos, hypot, pi, radians
from typing import Final

from annelid.kernel import seconds, to_seconds
from annelid.motion.bifurcation import BLUNTEST, SHARPEST, Backbone, Junction
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.joint_bends import JointBends
from annelid.systems.microtub.central.joints import JointBend
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow, TouchReport
from annelid.systems.microtub.central.movements import Order
from annelid.systems.microtub.central.seen_bifurcation import ORDER, Choice, SeenBifurcation
from annelid.systems.microtub.mapping import PipeBranch
from annelid.systems.statement import Statement

BEND_M: Final = 0.08
"""From so far before a bend, or behind it, a side looks open."""
BEFORE_M: Final = 0.10
"""The next leg is begun from so far before the bifurcation."""
MOUTH_M: Final = 0.12
"""The longest mouth there is: of a branch of 30° in 55 mm."""
SHUT_M, PERHAPS_SHUT_M = 0.03, 0.045
"""An opening that was told until so shortly before the end of a pipe is that end: the end is told
up to 1.4 s late.  Up to the second it may be."""
FAR_M: Final = 0.2
"""From farther behind it nobody goes back for a branch."""
SAME_SIDE: Final = cos(radians(60))
"""Two openings are one if their directions differ by less: a robot has rolled meanwhile."""
CORNER_M: Final = 0.05
"""Length of the bend from a run into a branch."""
DEEP_M: Final = 0.075
"""So far behind the middle of a bifurcation the nose is when the pusher comes to its mouth."""
TURNED: Final = radians(18)
"""Bends of all joints that are less are those of a straight leg: branches leave by 30° at least."""
FEEL_NS: Final = seconds(1.2)
"""So long joints lie still to feel the wall; the second half of it counts."""
FEW: Final = 2
"""Fewer joints neither enter a branch nor feel where they are."""
TRIES: Final = 3
"""So often a branch is tried that was missed, and a run from which the robot slid into it."""


class Bifurcations:
    """Of one life of the central control."""

    def __init__(self, knowledge: Knowledge, *, enter: Choice = "run") -> None:
        self.seen: list[SeenBifurcation] = []
        """On the way that the robot is on."""
        self.left_out = 0
        """Legs that were seen and will not be entered, or not to their end."""
        self.doubtful = 0
        """Legs of which the robot does not know whether they are there."""
        self._knowledge = knowledge
        self._legs = ORDER[enter]
        self._bends = JointBends(knowledge)
        self._opened: float | None = None
        """Way of the nose where a side opened, until it is known what that is."""
        self._opened_ns = 0
        """When that was."""
        self._never_shut: list[float] = []
        """Ways of openings of which the nose did not see the end: elbows, or branches."""
        self._ahead: SeenBifurcation | None = None
        """One that the robot goes back from, to come upon it once more."""

    def opening(self, felt: TouchReport) -> SeenBifurcation | None:
        """A side is open, or was; what is found: None: nothing yet, or it is known, has no
        direction, or is seen by a nose that is bent about in another one."""
        way = self._knowledge.way
        if felt.direction_deg is None:
            return None
        if self._again(way, radians(felt.direction_deg)) or not self._looks_ahead(way):
            return None
        self._doubt_what_stays_open()
        if self._knowledge.askew:
            self._never_shut.append(way)
            return None
        begin, self._opened = self._opened, way
        since_ns, self._opened_ns = self._opened_ns, self._knowledge.now_ns
        if begin is None or not 0.0 < way - begin < MOUTH_M:
            return None
        self._opened = None
        if felt.slight and self._knowledge.gives_way:  # a nose that nods: perhaps a branch
            self.doubtful += 1
            return None
        leg, *left = self._legs
        towards = radians(felt.direction_deg)
        junction = Junction.seen(
            *(begin, way, towards),
            into=leg == "branch",
            crosses=felt.crosses,
            slight=felt.slight,
        )
        doubted = self._knowledge.doubted
        across = felt.crosses and len(self._legs) > 1
        found = SeenBifurcation(
            *(junction, leg, begin, way, doubted, since_ns), left=tuple(left), across=across
        )
        if leg == "branch" and junction.angle > self.backbone.sharpest:
            found = self._left_aside(found)
            self.seen.append(found)
        elif leg == "branch":
            found.again = True
            self._ahead = found
        else:
            self.seen.append(found)
        return found

    def _doubt_what_stays_open(self) -> None:
        """What opened, and has not closed after the longest mouth, is an elbow or a branch.  A nose
        that a wave or an inchworm moves to and fro may lose a branch out of sight; of one that is
        pushed the joints tell, when the robot is past it."""
        begin, way = self._opened, self._knowledge.way
        if begin is None or way - begin < MOUTH_M:
            return
        self._opened = None
        if self._knowledge.gives_way:
            self.doubtful += 1
        else:
            self._never_shut.append(begin)

    def _weigh_openings(self) -> None:
        """The leg ends: what opened and did not shut was an elbow that the joints have felt, or a
        bifurcation that was seen otherwise; else it may be a branch."""
        self._doubt_what_stays_open()
        bends = [(each.begin, each.end) for each in self._knowledge.elbows]
        bends += [(each.seen_at, each.shut_at) for each in self.seen]
        for way in self._never_shut:
            explained = any(a - BEND_M < way < b + BEND_M for a, b in bends)
            self.doubtful += not explained
        self._never_shut.clear()

    def _left_aside(self, found: SeenBifurcation) -> SeenBifurcation:
        """Its branch is too sharp for this chain: not tried, and told when the nose is past it."""
        self.left_out += found.branches if len(self._legs) > 1 else 0
        straight = replace(found.junction, into=False)
        return replace(
            found, taken="run", left=(), across=False, junction=straight, left_aside=True
        )

    def touched(self) -> None:
        """What opened at one side is an elbow, or the mouth of a branch into which the nose sinks:
        the joints tell."""
        if self._opened is not None and not self._knowledge.gives_way:
            self._never_shut.append(self._opened)
        self._opened = None

    @property
    def retreats(self) -> bool:
        """Whether the robot goes back now, to enter the branch of a bifurcation it has passed."""
        found = self._ahead
        if found is None:
            return False
        beyond = self._knowledge.way - found.junction.corner
        if beyond < -BEFORE_M:
            self.seen.append(found)
            self._ahead = None
        elif beyond > FAR_M:  # another task has led the robot on
            self._ahead = None
        return self._ahead is not None

    def _again(self, way: float, towards: float) -> bool:
        """Whether that is a bifurcation whose next leg is sought: then the way is known exactly.
        A nose that bends into the branch already sees the run open on its other side."""
        doubted = self._knowledge.doubted
        for each in self.seen:
            off = min(each.seen_at - way, each.shut_at - way, key=abs)
            same = cos(towards - each.junction.towards)
            same = (abs(same) if each.junction.crosses else same) > SAME_SIDE
            if each.again and not each.mapped and same and each.believable(off, doubted):
                each.again = False
                self._knowledge.way += off
                return True
        return False

    def next_leg(self) -> SeenBifurcation | None:
        """Going back: the bifurcation that the nose has left behind, set to its next leg; None:
        there is none, or all has been entered."""
        way = self._knowledge.way
        for place, each in enumerate(self.seen):
            if not each.done and way < each.junction.corner - BEFORE_M:
                each.take_next()
                self._come_upon(place)
                return each
        return None

    def come_again(self) -> None:
        """The robot has gone back, and comes ahead by the same legs."""
        way = self._knowledge.way
        self._opened = self._ahead = None
        ahead = (k for k, each in enumerate(self.seen) if way < each.junction.corner)
        if (place := next(ahead, None)) is not None:
            self._come_upon(place)

    def _come_upon(self, place: int) -> None:
        """This one once more; those behind it are not on the way any more."""
        self.seen[place].come_again()
        del self.seen[place + 1 :]
        self._opened = None

    def before(self, way: float) -> float:
        """From where the bifurcation that the robot is in can be tried again, m, or an opening be
        seen again of which nobody knows yet what it is; else its way."""
        if (inside := self.at(way)) is not None:
            return inside.junction.corner - BEFORE_M
        pending = self._opened is not None and 0.0 < way - self._opened < FAR_M
        return way if self._opened is None or not pending else self._opened - BEFORE_M

    def give_up(self) -> None:
        """The leg that the robot is in cannot be seen to its end."""
        self._weigh_openings()
        self.left_out += 1
        self._ahead = None

    def end(self) -> None:
        """The pipe ends here, in the open: an opening that was told until just now was its mouth.
        One that was shut before, or that the joints have felt, is a bifurcation, however short its
        leg is."""
        way = self._knowledge.way
        self._doubt_what_stays_open()
        self._opened = self._ahead = None
        for each in [e for e in self.seen if not e.mapped and way - e.shut_at <= PERHAPS_SHUT_M]:
            self._drop(each)
            self.doubtful += way - each.shut_at > SHUT_M

    def counts_touch(self) -> bool:
        """Whether a touch of the nose means anything: bent about in a bifurcation, it does not."""
        inside, way = self.at(self._knowledge.way), self._knowledge.way
        return inside is None or (inside.mapped and inside.junction.drags(way, self.backbone))

    def _looks_ahead(self, way: float) -> bool:
        """Whether what the nose sees is a new one: it is in none, or only its tail is drawn over
        the edges of one that it has passed straight on, and nothing rocks."""
        inside = self.at(way)
        if inside is None:
            return True
        straight = inside.taken == "run" and not (self._knowledge.rocking or self._bends.stands)
        return straight and self.counts_touch()

    def at(self, way: float) -> SeenBifurcation | None:
        """The one that the robot is in, if it is in one; of two the one that is nearer to its
        nose."""
        body = self.backbone
        for each in reversed(self.seen):
            if each.junction.reached(way) and not each.junction.over(way, body):
                return each
        return None

    @property
    def entering(self) -> bool:
        """Whether the joints are bent into a branch, and nobody knows yet how sharp it is."""
        inside = self.at(self._knowledge.way)
        return inside is not None and inside.taken == "branch" and not inside.mapped

    def deep_in(self, inside: SeenBifurcation) -> bool:
        """Whether the robot has begun to struggle with it: from there on its wheels slip."""
        return inside.mapped or self._knowledge.way - inside.junction.corner >= DEEP_M

    def rocks(self, inside: SeenBifurcation | None) -> bool:
        """Whether the joints rock the robot there now."""
        return self._bends.rocks(inside, feels=inside is not None and self._feels(inside))

    def orders(self, anew: bool = False) -> list[Order]:
        """What the joints have to be told now; ``anew``: they have forgotten."""
        knowledge = self._knowledge
        inside = self.at(knowledge.way)
        if inside is not None and not knowledge.turning:
            self._look(inside)
        feels = inside is not None and self._feels(inside)
        return self._bends.orders(inside, feels=feels, anew=anew)

    # -- which leg it is in ------------------------------------------------------------------------

    def wants(self) -> list[int]:
        """All joints, while their bends tell which leg the robot is in."""
        inside = self.at(self._knowledge.way)
        asks = inside is not None and self._knowledge.heading > 0 and not inside.mapped
        return self.joints if asks else []

    def feel(self, bent: JointBend | None) -> None:
        """Bends of all joints together; None: nobody has told."""
        inside = self.at(self._knowledge.way)
        if inside is None or bent is None or inside.feels_ns is None or inside.mapped:
            return
        if self._knowledge.now_ns - inside.feels_ns > FEEL_NS // 2:
            inside.turned.append(bent)

    def _feels(self, inside: SeenBifurcation) -> bool:
        """Whether the joints lie still and straight, to feel the wall."""
        ahead = self._knowledge.heading >= 0
        return ahead and inside.feels_ns is not None and not inside.mapped

    def _look(self, inside: SeenBifurcation) -> None:
        """Once, when the nose is well in a leg: lie still and feel, say which it is, and put it on
        the map."""
        knowledge = self._knowledge
        beyond = knowledge.way - inside.junction.corner
        if inside.mapped or knowledge.heading < 0 or beyond < self.backbone.inside:
            return
        if inside.feels_ns is None:
            inside.feels_ns = knowledge.now_ns
        elif knowledge.now_ns - inside.feels_ns > FEEL_NS:
            self._settle(inside)

    def settle(self) -> None:
        """The leg ends here, however short it is."""
        self._weigh_openings()
        if (inside := self.at(self._knowledge.way)) is not None and not inside.mapped:
            self._settle(inside)

    def _settle(self, inside: SeenBifurcation) -> None:
        inside.mapped = True
        angle = self._judge(inside)
        if (
            inside.taken == "run"
            and angle >= TURNED
            and inside.bends_alike
            and self._tries_run(inside)
        ):
            return
        if inside.taken == "run" and angle >= TURNED and (not inside.sure or inside.bends_alike):
            self._knowledge.perhaps_elbows.append(inside.as_elbow(self._knowledge.off))
            self._forget(inside, telling.turned(self._knowledge, inside.junction.middle))
            return
        final = inside.done or len(self.joints) < FEW
        if inside.taken == "run" and not inside.sure and final and self._doubts:
            self._forget(inside, telling.side(self._knowledge, inside.junction.middle))
            return
        if len(self._legs) == 1 and not inside.counted:
            self.left_out += inside.branches
        inside.counted = True
        knowledge, junction = self._knowledge, inside.junction
        met = telling.bifurcation(knowledge, junction)
        if inside.left_aside and not self._doubts:
            met = telling.too_sharp(knowledge, junction)
        elif self._doubts and not junction.crosses:
            met = telling.side(knowledge, junction.middle)
            self.doubtful += 1
        met = replace(met, age_s=to_seconds(knowledge.now_ns - inside.since_ns))
        knowledge.task.tell(met, f": taking the {inside.taken}")
        ways = [PipeBranch(), PipeBranch(junction.towards, junction.angle)]
        if junction.crosses:
            ways.append(PipeBranch(junction.across().towards, junction.angle))
        taken = int(inside.taken == "branch")
        if taken:
            bend = KnownElbow(
                junction.middle, junction.angle, junction.towards, CORNER_M, knowledge.off
            )
            knowledge.elbows.append(bend)
        past = max(knowledge.way - junction.middle, 0.0)
        kind = "cross" if junction.crosses else "tee"
        knowledge.pipes.junction(kind, ways, taken=taken, past_m=past)

    def _tries_run(self, inside: SeenBifurcation) -> bool:
        """Straight on its joints feel what they felt in the branch: the robot has slid into it, or
        it is an elbow.  So it comes once more, its nose bent farther to the other side."""
        inside.slid += 1
        if inside.slid >= TRIES - 1:
            return False
        inside.junction = inside.junction.slid_in()
        inside.left = ("run",)
        return True

    @property
    def _doubts(self) -> bool:
        """Whether what the nose sees is all there is to tell a bifurcation from a bend, and not
        enough: nobody measures the way, the nose goes to and fro, or too few joints feel it."""
        knowledge = self._knowledge
        return not knowledge.measured or knowledge.gives_way or len(self.joints) < FEW

    def _forget(self, inside: SeenBifurcation, why: Statement) -> None:
        """It went straight on, and its joints say that it has turned: that was no bifurcation, or
        it is in another leg than it thinks; or nobody can say."""
        self._drop(inside)
        self.doubtful += bool(inside.turned)  # without that it was counted before
        self._knowledge.task.tell(why)

    def _drop(self, inside: SeenBifurcation) -> None:
        self.seen.remove(inside)
        if inside.left_aside and len(self._legs) > 1:
            self.left_out -= inside.branches

    def _judge(self, inside: SeenBifurcation) -> float:
        """By the joints: in the branch, or straight on, whatever was wanted; returns how far they
        are bent together, rad."""
        if not inside.turned:
            self.doubtful += 1
            return 0.0
        (left, up), junction = inside.bend, inside.junction
        angle = hypot(left, up)
        if inside.taken == "branch" and angle >= TURNED:
            inside.junction = replace(junction, angle=min(max(angle, BLUNTEST), SHARPEST))
            inside.sure, inside.aside = True, inside.bend
            if junction.crosses:  # rays across from each other tell its plane within 45° only
                inside.junction = replace(inside.junction, towards=atan2(up, left) % (2 * pi))
        elif inside.taken == "branch":
            inside.tries += 1
            inside.taken = "run"
            inside.junction = junction.missed()
            if inside.tries < TRIES:
                inside.left = ("branch",)
            else:
                inside.left = ()
                self.left_out += not junction.crosses
                self.doubtful += junction.crosses  # one tee of 25 looks like a cross
        elif angle >= TURNED and inside.sure and not inside.bends_alike:
            self.doubtful += "branch" in self._legs
        return angle

    @property
    def joints(self) -> list[int]:
        """Addresses of the modules that bend both ways, head first."""
        return self._bends.joints

    @property
    def follows_elbows(self) -> bool:
        """Whether the joints are told how to stand in an elbow that is known."""
        return bool(self._bends.round_elbows(self.at(self._knowledge.way)))

    @property
    def backbone(self) -> Backbone:
        """Of the chain as it is known."""
        return self._bends.backbone
