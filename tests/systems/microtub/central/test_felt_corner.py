"""Joints that give way tell where the corner of a branch is, when wheels have miscounted."""

from __future__ import annotations

from math import radians

import pytest
from tests.systems.microtub.central.test_bifurcations import on_the_way
from tests.systems.microtub.central.test_elbows import SilentEar, asker

from annelid.kernel import seconds
from annelid.motion.bifurcation import Junction
from annelid.systems.microtub.central.felt_corner import FeltCorner
from annelid.systems.microtub.central.seen_bifurcation import SeenBifurcation
from annelid.systems.microtub.protocol import LLC1, Message

ANGLE_DEG = 50


class InABranch:
    """T R R H R R V P on its way back out of a branch."""

    def __init__(self, *, sure: bool = True) -> None:
        self.knowledge, self.bifurcations = on_the_way("both")
        junction = Junction(0.4, 0.0, into=True, angle=radians(ANGLE_DEG))
        seen = SeenBifurcation(junction, "branch", 0.4, 0.45, 0.02, mapped=True, sure=sure)
        self.bifurcations.seen.append(seen)
        self.knowledge.heading, self.knowledge.off = -1, 0.2
        self.joints = asker(SilentEar(), self.knowledge)
        self.felt: list[float] = []
        self.corner = FeltCorner(
            *(self.joints, self.knowledge, self.bifurcations),
            lambda kind, detail: self.felt.append(detail["miscounted_m"]),
        )
        self.middle = junction.middle

    def lies(self, *bends_deg: int, way: float, limp: bool = True, looks: int = 8) -> float:
        """The way after some looks with joints that are bent so far to the left."""
        self.knowledge.way, self.knowledge.limp = way, limp
        for _ in range(looks):
            self.knowledge.now_ns += seconds(0.2)
            for address, bend in zip(self.bifurcations.joints, bends_deg, strict=True):
                for command, angle in ((LLC1.SS1, bend), (LLC1.SS2, 0)):
                    self.joints.learn(Message(command, (angle,), sender=address, to=0))
            self.corner.look()
        return self.knowledge.way


@pytest.mark.parametrize("place", [0, 1, 2, 3])
@pytest.mark.parametrize("off", [-0.06, 0.05])
def test_the_corner_is_at_the_joint_that_is_bent(place: int, off: float):
    it = InABranch()
    true = it.middle + it.bifurcations.backbone.joints[place]
    bends = [ANGLE_DEG if k == place else 0 for k in range(4)]
    assert it.lies(*bends, way=true + off) == pytest.approx(true)
    assert it.felt == [pytest.approx(off)]
    assert it.knowledge.off == pytest.approx(0.02 + 0.03), "as well as the corner was known"


def test_between_two_joints_that_share_the_bend_it_is_halfway():
    it = InABranch()
    _, one, two, _ = it.bifurcations.backbone.joints
    true = it.middle + (one + two) / 2
    assert it.lies(0, 25, 25, 0, way=true + 0.07) == pytest.approx(true)


def test_only_limp_joints_that_have_settled_tell_it():
    it = InABranch()
    way = it.middle + it.bifurcations.backbone.joints[2] + 0.06
    assert it.corner.wants() == []
    assert it.lies(0, 0, ANGLE_DEG, 0, way=way, limp=False) == way
    assert it.lies(0, 0, ANGLE_DEG, 0, way=way, looks=4) == way, "too early"
    assert it.corner.wants() == it.bifurcations.joints


def test_what_does_not_lie_round_this_corner_moves_nothing():
    at = InABranch()
    way = at.middle + at.bifurcations.backbone.joints[2] + 0.06
    assert at.lies(0, 0, 0, 0, way=way) == way, "straight"
    assert at.lies(0, 0, 20, 0, way=way) == way, "another bend, of 20 degrees"
    assert at.lies(0, 0, ANGLE_DEG, 0, way=way + 0.2) == way + 0.2, "another one, farther on"
    doubtful = InABranch(sure=False)
    assert doubtful.lies(0, 0, ANGLE_DEG, 0, way=way) == way, "nobody has felt that branch"
