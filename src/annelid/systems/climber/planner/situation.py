"""The planner's knowledge at one moment: measured, estimated and wanted values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from annelid.systems.climber.executive.pose import BodyPose, turned
from annelid.systems.climber.model import Climber
from annelid.systems.climber.planner.ground import Ground
from annelid.systems.climber.planner.orders import WalkingStyle
from annelid.systems.climber.planner.steps import LegStep

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

ATTACHED = 0.8
"""Share of a full vacuum from which a cup counts as attached (FACTS §4)."""


class Twist(NamedTuple):
    """How the body is meant to move, in the world, m/s and rad/s."""

    speed: Floats
    turn: Floats

    def later(self, pose: BodyPose, seconds: float) -> BodyPose:
        """Where this brings a pose."""
        return BodyPose(pose.at + self.speed * seconds, turned(self.turn * seconds) @ pose.turn)


STILL = Twist(np.zeros(3), np.zeros(3))


@dataclass
class Allocation:
    """Legs that are to be brought to the stance of a body at ``pose``."""

    pose: BodyPose
    legs: set[int]
    """Those that are left to do."""
    heavy: set[int] = field(default_factory=set)
    """Those of them that have a place to go to and cannot be lifted from where the body is."""
    stuck: str = ""
    """That this is so for all that are left, in words; empty: it is not so."""


@dataclass
class ClimberSituation:
    """The board's picture of the robot.  "World" is the planner's own: the surface is z = 0, its
    origin below where the body began, x ahead."""

    climber: Climber
    time_s: float
    q: Floats
    """Joints as reported, (n, joints)."""
    vacuum: Floats
    """0 to 1, (n,)."""
    distance: Floats
    gravity: Floats
    """In the body, m/s²."""
    pose: BodyPose
    """Of the body, as its attached feet tell."""
    wish: BodyPose
    """Where the body shall be now."""
    anchors: Floats
    """Where feet stand, in the world, (n, 3)."""
    standing: Bools
    """Feet that are attached and not on their way."""
    usable: Bools
    """Legs that can walk."""
    answering: Bools
    """Legs whose boards answer; some of them may not be usable."""
    open_vacuum: Floats
    """What each pressure sensor tells of its open cup, taken off ``vacuum`` from then on, (n,)."""
    ground: Ground
    """As feet have found it."""
    gait: WalkingStyle = WalkingStyle.FREE
    """Who moves legs and body."""
    twist: Twist = STILL
    step: LegStep | None = None
    """The one leg that is on its way."""
    blocked: str = ""
    """Why no leg can step although one must; empty: it is not so."""
    critical: str = ""
    """Why everything stands; stays until the operator releases it."""
    failures: dict[int, str] = field(default_factory=dict)
    """What is wrong with legs that are not usable."""
    lost: dict[int, Floats] = field(default_factory=dict)
    """Where the feet of legs that do not answer were when they were last heard of, in the world."""
    tucked: set[int] = field(default_factory=set)
    """Those of them that are folded away."""
    bad: list[Floats] = field(default_factory=list)
    """Places where a cup found no hold, in the world; feet are put elsewhere."""
    allocation: Allocation | None = None
    """None: nobody asks for it."""
    arrived: bool = False
    """Whether the way is done."""

    @property
    def feet(self) -> Floats:
        """Where they are, in the body."""
        return self.climber.legs.forward(self.q)

    @property
    def grips(self) -> Floats:
        """What each cup can be counted on for: its vacuum, if its foot stands."""
        return np.where(self.standing, self.vacuum, 0.0)

    def foot(self, leg: int) -> Floats:
        """Where a foot is, in the world: its anchor while it stands."""
        if self.standing[leg]:
            return np.array(self.anchors[leg])
        return self.pose.out(self.feet[leg])

    def gravity_at(self, pose: BodyPose) -> Floats:
        """In a body of that pose."""
        seen: Floats = pose.turn.T @ (self.pose.turn @ self.gravity)
        return seen

    def normal_at(self, pose: BodyPose) -> Floats:
        """Away from the surface, in a body of that pose: one for all feet, or (n, 3)."""
        normal: Floats = pose.turn.T[:, 2]
        if self.ground.curved:
            normal = self.ground.normals(self.anchors) @ pose.turn
        return normal

    def roll(self) -> None:
        """Lay the world along a surface that bends, so that it is level again below the body."""
        by = self.ground.levelling(self.wish.at, self.anchors[self.standing])
        self.ground.roll(by)
        self.pose, self.wish = by @ self.pose, by @ self.wish
        self.anchors = by.out(self.anchors)
        self.bad = [by.out(place) for place in self.bad]
        self.lost = {leg: by.out(place) for leg, place in self.lost.items()}

    def stance_joints(self, pose: BodyPose) -> Floats:
        """Joints that keep standing feet where they are while the body is at ``pose``; NaN where
        that is out of reach, and what was reported for the others."""
        climber = self.climber
        solved = climber.legs.inverse(pose.into(self.anchors))
        return np.where(self.standing[:, None], solved, self.q)
