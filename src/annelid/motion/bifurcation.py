"""Goes through a bifurcation and back: bends the chain where the pipe bends (001 §6.6).

A helicoidal module grips with wheels all round.  In the mouth of a branch some of them hang in the
air, those behind the far edge have to climb it, and the module stops (measured: every run).  001
lets a support hold the robot meanwhile; a robot without one has its rotation modules:

**bending**  Where the robot goes into the branch, each joint takes the angle that the centre line
has at the joint's place.  That needs the way alone, so it is the same ahead and back.

**rocking**  The joints on both sides of the pusher make an arch, and the arch turns round the axis
of the pipe.  So the pusher is pressed to every side of the pipe in turn; whichever edge holds a
wheel, there is a moment in which that wheel is lifted and the others are pressed to the wall.
``docs/elbow-study.md`` has what was tried and how often it worked.

Ways are metres of the nose from where it began; directions are radians in the head's frame, 0 to
the left, π/2 upwards.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import atan2, cos, radians, sin, tan
from typing import Final, NamedTuple

from annelid.robot.module import Action, ModuleType

TOLD_BEYOND: Final = 0.014
"""How far behind the corner the nose is when it tells of an opening, m.  A side ray loses the wall
12 mm before the middle of the junction (30° to 45°) and the nose watches for 15 mm; the corner is
put 10 mm early on purpose: a nose that bends late meets the edge between the two legs."""
ROUND: Final = 0.050
"""Radius of the arc that stands for the corner of the centre line, m."""
BRANCH: Final = radians(45)
"""Between a branch and the run: the usual fitting.  A robot of this size does not fit round 90°."""
MOUTH: Final = 0.065
"""Before the middle, the pusher's front begins to lose its grip, m."""
CLEAR: Final = 0.090
"""Behind the middle, the tail has left the edges, m.  Both are 40 mm more than the pipe asks for:
rocking makes the odometer run ahead."""
ROCK: Final = radians(25)
ROCK_OMEGA: Final = 1.5
"""rad/s: slow enough for the robot to move on while the arch points one way."""


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
    arch: tuple[int, ...]
    """Part of each joint in an arch over the pusher: 1 next to it, -1 one further, else 0."""

    @classmethod
    def of(cls, chain: Sequence[ModuleType]) -> Backbone:
        """Joints are modules that bend both ways, taken as bending in their middle."""
        behind, joints, pusher = 0.0, [], None
        for module in chain:
            if module.bends_both_ways():
                joints.append(behind + module.length / 2)
            elif pusher is None and Action.PUSH in module.actions():
                pusher = behind
            behind += module.length
        if pusher is None:
            return cls(tuple(joints), behind, 0.0, (0,) * len(joints))
        ahead = sum(joint < pusher for joint in joints)
        steps = [ahead - 1 - k if k < ahead else k - ahead for k in range(len(joints))]
        arch = tuple({0: 1, 1: -1}.get(step, 0) for step in steps)
        return cls(tuple(joints), behind, pusher, arch)

    def along(self, nose: float, corner: float, angle: float) -> tuple[float, ...]:
        """The bend of each joint, rad, of a chain on a line that turns by ``angle`` at ``corner``.

        Nose, joints and tail stand on the line; a joint's bend is the change of heading from the
        link behind it to the link before it.
        """
        begin = corner - ROUND * tan(angle / 2)
        places = (0.0, *self.joints, self.length)
        points = [_on_line(nose - place, begin, angle) for place in places]
        headings = [
            atan2(front[1] - back[1], front[0] - back[0]) for front, back in pairwise(points)
        ]
        return tuple(a - b for a, b in pairwise(headings))


def _on_line(way: float, begin: float, angle: float) -> tuple[float, float]:
    """Straight until ``begin``, then an arc of radius ``ROUND`` to the left, then straight."""
    beyond = way - begin
    if beyond <= 0:
        return way, 0.0
    turned = min(beyond / ROUND, angle)
    rest = beyond - ROUND * turned
    return (
        begin + ROUND * sin(turned) + rest * cos(turned),
        ROUND * (1 - cos(turned)) + rest * sin(turned),
    )


@dataclass(frozen=True)
class Junction:
    """One bifurcation on the robot's way: made on the way out, used again on the way back."""

    corner: float
    """Way of the nose when it is at the middle of the junction, m."""
    towards: float
    """Where the branch leaves, rad."""
    into: bool
    """Whether the robot goes into the branch, or straight on."""
    angle: float = BRANCH

    @classmethod
    def seen(cls, way: float, towards: float, *, into: bool, angle: float = BRANCH) -> Junction:
        """From the way of the nose at which a side ray lost the wall."""
        return cls(way - TOLD_BEYOND, towards, into, angle)

    def reached(self, way: float) -> bool:
        """Ahead: whether there is anything to do yet."""
        return way > self.corner - ROUND

    def over(self, way: float, body: Backbone) -> bool:
        """Whether the tail is through, or, on the way back, the nose."""
        return not -ROUND < way - self.corner < body.length + CLEAR

    def rocks(self, way: float, body: Backbone) -> bool:
        """Whether the pusher, or what it drags, is among the edges."""
        beyond = way - self.corner
        return body.pusher - MOUTH < beyond < body.length + CLEAR

    def bends(self, way: float, body: Backbone, time: float) -> tuple[Bend, ...]:
        """What every joint shall do now, head first; ``time`` in s only moves the rocking."""
        line = body.along(way, self.corner, self.angle) if self.into else (0.0,) * len(body.joints)
        rock = ROCK if self.rocks(way, body) else 0.0
        phase = ROCK_OMEGA * time
        left, up = cos(self.towards), sin(self.towards)
        return tuple(
            Bend(
                bend * left + part * rock * cos(phase),
                bend * up + part * rock * sin(phase),
            )
            for bend, part in zip(line, body.arch, strict=True)
        )
