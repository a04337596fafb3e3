"""Goes through a bifurcation and back: bends the chain where the pipe bends (001 §6.6).

A helicoidal module grips with wheels all round.  In the mouth of a branch some of them hang in the
air, those behind the far edge have to climb it, and the module stops (measured: every run).  001
lets a support hold the robot meanwhile; a robot without one has its rotation modules:

**bending**  Where the robot goes into the branch, each joint takes the angle that the centre line
has at the joint's place.  That needs the way alone, so it is the same ahead and back.

**rocking**  The joints on both sides of the pusher make an arch, and the arch turns round the axis
of the pipe.  So the pusher is pressed to every side of the pipe in turn; whichever edge holds a
wheel, there is a moment in which that wheel is lifted and the others are pressed to the wall.
Straight on past a branch it is known which wheel hangs in the mouth and has to be lifted over its
edge: there the arch stays, and presses the pusher to the other side; it stays as well for wheels of
the tail, which hang in the same mouth later, where these hold the robot.
Where the robot gets on, the arch stays as it is.  One that stays and has not helped for some
seconds turns: the way may be wrong, and then something else holds the robot.
``docs/elbow-study.md`` has what was tried and how often it worked.

Ways are metres of the nose from where it began; directions are radians in the head's frame, 0 to
the left, π/2 upwards.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, cos, pi, radians, sin, tan
from typing import Final, NamedTuple

import numpy as np

from annelid.robot.module import Action, ModuleType

EARLY: Final = 0.020
"""The corner is put early by this on purpose, m: a nose that bends late meets the edge between the
two legs, and a pusher that does sticks there (with 10 mm in 4 of 4 robots, with 20 and 30 mm in
none of 2)."""
RAY_AHEAD: Final = 0.004
"""So far ahead of the nose a side ray meets the wall, m."""
TOLD_LATE: Final = 0.008
"""Way of the nose from an opening's beginning to the telling, m."""
SHARPEST, BLUNTEST = radians(90), radians(30)
MOUTHS: Final = (
    *((0.065, 30.0), (0.058, 37.0), (0.053, 45.0), (0.045, 52.0), (0.037, 60.0)),
    *((0.028, 75.0), (0.022, 90.0)),
)
"""How long a side ray finds no wall, m, by the angle of the branch, degrees, where the ray looks
into it: computed for rays 45° forward, in bores of 38.5 to 44 mm, which change it by 3 mm."""
BETWEEN: Final = radians(25)
"""A branch that is so far from every ray is seen by its edge alone: its length tells no angle."""
SHORT: Final = 0.028
"""A slight opening that is longer tells no angle, m: 30 to 50 mm in branches of 40 to 70°."""
ROOM: Final = radians(15)
"""By so much sharper than a mitred bend a branch may be: the run goes on behind its corner."""
SHELL: Final = 0.027
"""Diameter of a module, m."""
ROUND: Final = 0.050
"""Radius of the arc that stands for the corner of the centre line, m."""
BRANCH: Final = radians(45)
"""Between a branch and the run, until it is known: the usual fitting."""
BORE: Final = 0.040
"""Taken for the bore where nobody has measured it, m."""
MOUTH: Final = 0.025
"""Before the middle, the pusher's front begins to lose its grip, m."""
AWAY: Final = radians(10)
"""By so much the nose is bent away from a branch that it passes: it would sink into its mouth."""
FARTHER: Final = radians(12)
"""By so much more where it has sunk in: a branch that leads down draws the nose in."""
LEAN: Final = 0.020
"""So far ahead the nose is bent into a branch, m."""
TRAIL: Final = 0.040
"""On the way back joints are bent for where the robot will be so much later, m: what is drawn out
of a branch tail first has to bend before its wall does it.  Bent for where they are, the pusher
wedges in the mouth (seen in 2 of 2 robots; with this none of 2).
"""
PAST_EDGE: Final = 0.010
"""So far behind the edge between the two legs a nose is safe in its leg, m."""
AROUND: Final = 0.030
"""So far behind the corner a joint is round it, m."""
CLEAR: Final = 0.090
"""Behind the middle, what has passed has left the edges, m."""
ROCK: Final = radians(25)
LIFT, LIFT_SWING = radians(28), radians(15)
"""Of an arch that lifts a wheel out of a mouth."""
SOONER: Final = 0.012
"""So much sooner a branch that was missed is bent into the next time, m."""
BEFORE_EDGE: Final = 0.025
"""Before the edge between the legs, a pusher's front is to be lifted off it, m."""
GAIN_M, GAIN_S = 0.006, 1.0
"""A robot that comes so far in this time gets on."""
LONG_M, LONG_S = 0.015, 5.0
"""A robot that has not come so far in this time stands for long."""
ROCK_OMEGA: Final = 1.5
"""rad/s: slow enough for the robot to move on while the arch points one way."""


class Rocking:
    """Turns the arch while the robot stands, and lets it be where it gets on."""

    def __init__(self) -> None:
        self.phase = 0.0
        self.stands = False
        """Whether the robot does not get on."""
        self.long = False
        """Whether it has not got on for long."""
        self._got_on = (0.0, 0.0)
        """When and where it last did, s and m."""
        self._ways: deque[tuple[float, float]] = deque()

    def step(self, time: float, way: float, sense: int) -> float:
        """The phase now, rad; ``time`` in s, ``way`` of the nose in m, ``sense`` is 1 or -1."""
        passed = time - self._ways[-1][0] if self._ways else 0.0
        self._ways.append((time, way))
        while time - self._ways[0][0] > GAIN_S:
            self._ways.popleft()
        gained = sense * (way - self._ways[0][1])
        self.stands = gained < GAIN_M * (time - self._ways[0][0]) / GAIN_S or passed > GAIN_S
        if passed > GAIN_S or abs(way - self._got_on[1]) > LONG_M:
            self._got_on = time, way
        self.long = time - self._got_on[0] > LONG_S
        if self.stands:
            self.phase += ROCK_OMEGA * min(passed, GAIN_S)
        return self.phase


def mouth_angle(length: float, towards: float) -> float:
    """Of a branch, rad, from the length of the opening that the nose saw; the usual one, where the
    branch lies between two rays."""
    beside = abs((towards + pi / 4) % (pi / 2) - pi / 4)
    if beside > BETWEEN:
        return BRANCH
    lengths, angles = zip(*reversed(MOUTHS), strict=True)
    return radians(float(np.interp(length, np.array(lengths), np.array(angles))))


class Bend(NamedTuple):
    """Of one rotation module, rad: to the left and upwards, the front against the back."""

    yaw: float
    pitch: float


@dataclass(frozen=True)
class Backbone:
    """Where the joints of a chain are, behind its nose, m."""

    joints: tuple[float, ...]
    length: float
    pusher: float
    """The front of the first module that pushes."""
    pushed: float
    """Its back."""
    arch: tuple[int, ...]
    """Part of each joint in an arch over the pusher: 1 next to it, -1 one further, else 0."""
    wheels: tuple[float, ...] = ()
    """Directions of the pusher's wheels, rad."""
    tail_drives: bool = False
    """Whether a pusher is behind all joints: on the way back it goes first."""
    helped: bool = False
    """Whether another one pushes from far enough behind: while one is in a mouth, the other grips,
    and the robot rocks only where it stands."""

    @classmethod
    def of(cls, chain: Sequence[ModuleType]) -> Backbone:
        """Joints are modules that bend both ways, taken as bending in their middle."""
        behind, joints = 0.0, []
        pushers: list[tuple[float, ModuleType]] = []
        for module in chain:
            if module.bends_both_ways():
                joints.append(behind + module.length / 2)
            elif Action.PUSH in module.actions():
                pushers.append((behind, module))
            behind += module.length
        if not pushers:
            return cls(tuple(joints), behind, 0.0, 0.0, (0,) * len(joints))
        pusher, first = pushers[0]
        ahead = sum(joint < pusher for joint in joints)
        steps = [ahead - 1 - k if k < ahead else k - ahead for k in range(len(joints))]
        arch = tuple({0: 1, 1: -1}.get(step, 0) for step in steps)
        back, helped = pusher + first.length, pushers[-1][0] - pusher > MOUTH + CLEAR
        tail = bool(joints) and pushers[-1][0] > joints[-1]
        return cls(tuple(joints), behind, pusher, back, arch, _wheels(first), tail, helped)

    @property
    def inside(self) -> float:
        """Way of the nose beyond a corner from which the joints' bends add up to its angle: two
        joints, or the nose, are round it, and others are before it, m."""
        return AROUND if len(self.joints) < 3 else self.joints[1] + AROUND

    @property
    def sharpest(self) -> float:
        """Angle of the sharpest branch that its longest rigid piece gets into in the usual bore."""
        longest = max(b - a for a, b in pairwise((0.0, *self.joints, self.length)))
        for degree in range(90, 30, -1):
            half = radians(degree) / 2
            if 2 * (BORE - SHELL * cos(half)) / sin(half) >= longest:
                return min(radians(degree) + ROOM, SHARPEST)
        return BLUNTEST

    def rocking(self, phase: float, amount: float = 1.0) -> tuple[Bend, ...]:
        """The arch over the pusher, turned round the axis by ``phase``, rad."""
        return self.arched(amount * ROCK, phase)

    def arched(self, bend: float, towards: float) -> tuple[Bend, ...]:
        """Joints next to the pusher bent by so much to this side, the others against it, rad."""
        left, up = bend * cos(towards), bend * sin(towards)
        return tuple(Bend(part * left, part * up) for part in self.arch)

    def wheel_in(self, mouth: float) -> float | None:
        """Direction of the pusher's wheel that is nearest to that of a mouth, rad; None: it has
        no wheels that are known."""
        return max(self.wheels, key=lambda wheel: cos(wheel - mouth), default=None)

    def along(
        self, nose: float, corner: float, angle: float, radius: float = ROUND
    ) -> tuple[float, ...]:
        """The bend of each joint, rad, of a chain on a line that turns by ``angle`` at ``corner``,
        on an arc of ``radius``.

        Nose, joints and tail stand on the line; a joint's bend is the change of heading from the
        link behind it to the link before it.
        """
        begin = corner - radius * tan(angle / 2)
        places = (0.0, *self.joints, self.length)
        points = [_on_line(nose - place, begin, angle, radius) for place in places]
        headings = [
            atan2(front[1] - back[1], front[0] - back[0]) for front, back in pairwise(points)
        ]
        return tuple(a - b for a, b in pairwise(headings))


def _wheels(pusher: ModuleType) -> tuple[float, ...]:
    """Where its sprung wheels are round its axis: 0 is left, π/2 up."""
    carried = [p for p in pusher.body().parts if p.joint is not None and p.joint.stiffness > 0]
    return tuple(sorted({round(atan2(part.at[2], part.at[1]), 3) for part in carried}))


def _on_line(way: float, begin: float, angle: float, radius: float) -> tuple[float, float]:
    """Straight until ``begin``, then an arc to the left, then straight."""
    beyond = way - begin
    if beyond <= 0:
        return way, 0.0
    turned = min(beyond / radius, angle)
    rest = beyond - radius * turned
    return (
        begin + radius * sin(turned) + rest * cos(turned),
        radius * (1 - cos(turned)) + rest * sin(turned),
    )


@dataclass(frozen=True)
class Junction:
    """One bifurcation on the robot's way: made on the way out, used again on the way back."""

    corner: float
    """Way of the nose when it begins to act as at the middle of the junction, m."""
    towards: float
    """Where the branch leaves, rad."""
    into: bool
    """Whether the robot goes into the branch, or straight on."""
    angle: float = BRANCH
    sooner: float = 0.0
    """So much sooner than usual the joints bend into the branch, m."""
    crosses: bool = False
    """Whether another branch leaves to the side across."""
    away: float = AWAY
    """By so much the nose is bent away from the branch on its way straight on, rad."""

    @classmethod
    def seen(
        cls,
        begin: float,
        end: float,
        towards: float,
        *,
        into: bool,
        bore: float = BORE,
        crosses: bool = False,
        slight: bool = False,
    ) -> Junction:
        """From the ways of the nose at which it told that a side ray had lost the wall and had
        found it again; ``slight``: no ray saw far into it.

        The mouth of a branch that leaves by θ reaches from ``R·tan(θ/2)`` before the middle of the
        junction to ``R·cot(θ/2)`` behind it: its length gives θ, and its beginning the middle.
        """
        angle = BRANCH if slight and end - begin > SHORT else mouth_angle(end - begin, towards)
        middle = begin - TOLD_LATE + RAY_AHEAD + bore / 2 * tan(angle / 2)
        return cls(middle - EARLY, towards, into, angle, crosses=crosses)

    @property
    def middle(self) -> float:
        """Way of the nose when it is at the middle of the junction, m."""
        return self.corner + EARLY

    def missed(self) -> Junction:
        """Straight on now; the next time the joints bend sooner: a nose that bends late meets the
        edge between the legs, one that bends early slides along the wall into the branch."""
        return replace(self, into=False, sooner=self.sooner + SOONER)

    def slid_in(self) -> Junction:
        """It went into the branch where it was to go straight on: the next time the nose is bent
        farther away from it."""
        return replace(self, into=False, away=self.away + FARTHER)

    def across(self) -> Junction:
        """Into the branch on the other side of a cross."""
        return replace(self, towards=(self.towards + pi) % (2 * pi), into=True, sooner=0.0)

    def reached(self, way: float) -> bool:
        """Ahead: whether there is anything to do yet."""
        return way > self.corner - ROUND

    def over(self, way: float, body: Backbone) -> bool:
        """Whether the tail is through, or, on the way back, the nose."""
        return not -ROUND < way - self.corner < body.length + CLEAR

    def drags(self, way: float, body: Backbone) -> bool:
        """Whether the pusher is through, and draws the tail over the edges."""
        return body.pushed + CLEAR <= way - self.corner < body.length + CLEAR

    def rocks(self, way: float, body: Backbone) -> bool:
        """Whether the pusher is among the edges.  A nose that is not past the edge between the
        legs yet must not be swung about."""
        begin = max(body.pusher - MOUTH, self._edge if self.into else 0.0)
        return begin < way - self.corner < body.pushed + CLEAR

    @property
    def _edge(self) -> float:
        """Beyond the middle, a nose has passed the edge between the legs, m."""
        return BORE / 2 / tan(self.angle / 2) + PAST_EDGE

    def _at_edge(self, way: float, body: Backbone) -> bool:
        """Whether the pusher's wheels are at the edge between the legs."""
        beyond = way - self.corner - self._edge
        return body.pusher - BEFORE_EDGE < beyond < body.pushed + BEFORE_EDGE

    def _line(self, way: float, body: Backbone) -> tuple[float, ...]:
        """Bends of the joints along the way; until the nose is past the edge the first one is
        ahead of it, so that the nose leans on the wall that leads into the branch."""
        if not body.joints:
            return ()
        if not self.into:
            before_edge = -ROUND < way - self.corner < self._edge and not self.crosses
            return (-self.away if before_edge else 0.0, *(0.0,) * (len(body.joints) - 1))
        line = body.along(way, self.corner, self.angle)
        if way - self.corner < self._edge:
            return (body.along(way + LEAN, self.corner, self.angle)[0], *line[1:])
        return line

    def bends(
        self,
        way: float,
        body: Backbone,
        phase: float,
        amount: float | None = None,
        *,
        ahead: bool = True,
        long: bool = False,
    ) -> tuple[Bend, ...]:
        """What every joint shall do now, head first; ``phase``, rad, ``amount``, 0 to 1, and
        ``long``, whether the robot has stood for long, only change the rocking.  None: all of it
        where the pusher is among the edges."""
        sooner = self.sooner if self.into else 0.0
        line = self._line(way + (sooner if ahead else -TRAIL), body)
        if amount is None:
            amount = float(self.rocks(way, body))
        rocking = self._rocking(way, body, phase, amount, ahead=ahead, long=long)
        left, up = cos(self.towards), sin(self.towards)
        return tuple(
            Bend(bend * left + rock.yaw, bend * up + rock.pitch)
            for bend, rock in zip(line, rocking, strict=True)
        )

    def _rocking(
        self, way: float, body: Backbone, phase: float, amount: float, *, ahead: bool, long: bool
    ) -> tuple[Bend, ...]:
        """What is added to the line."""
        lifted = None
        if not self.into and (self.rocks(way, body) or (ahead and self.drags(way, body))):
            lifted = body.wheel_in(self.towards)
        elif self.into and ahead and self._at_edge(way, body):
            lifted = body.wheel_in(self.towards + pi)
        if lifted is None or long:  # for long: whichever wheel is held, it is another one
            return body.rocking(phase, amount)
        return body.arched(amount * LIFT, lifted + LIFT_SWING * sin(phase))
