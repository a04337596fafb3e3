"""On the way back the joint ahead of a drive bends as the one behind it does."""

from __future__ import annotations

import pytest
from tests.systems.microtub.central.test_bifurcations import on_the_way
from tests.systems.microtub.central.test_elbows import SilentEar, asker

from annelid.motion.bifurcation import Junction
from annelid.systems.microtub.central.drive_help import DriveHelp
from annelid.systems.microtub.central.seen_bifurcation import SeenBifurcation
from annelid.systems.microtub.protocol import LLC1, Message

AHEAD, BEHIND = 3, 5
"""Addresses of the joints next to the drive of T R R H R R V P."""


class Chain:
    def __init__(self) -> None:
        self.knowledge, self.bifurcations = on_the_way()
        self.knowledge.heading = -1
        self.joints = asker(SilentEar(), self.knowledge)
        self.help = DriveHelp(self.joints, self.knowledge, self.bifurcations)

    def told(self, ahead_deg: int, behind_deg: int) -> dict[tuple[str, int], int]:
        """Orders, when the two joints are bent so far to the left."""
        for address, bend in ((AHEAD, ahead_deg), (BEHIND, behind_deg)):
            for command, angle in ((LLC1.SS1, bend), (LLC1.SS2, 0)):
                self.joints.learn(Message(command, (angle,), sender=address, to=0))
        return {(each.command.name, each.to): int(each.values[0]) for each in self.help.orders()}


@pytest.mark.parametrize("side", [1, -1])
def test_the_joint_ahead_strives_as_the_one_behind_is_bent_and_then_follows_the_wall(side: int):
    chain = Chain()
    assert chain.told(0, 8 * side) == {}, "a straight pipe"
    assert chain.told(-4 * side, 50 * side) == {("MS1", AHEAD): 6 * side, ("MS2", AHEAD): 0}
    assert chain.told(40 * side, 10 * side) == {("MS1", AHEAD): 40 * side}
    assert chain.told(3 * side, 0) == {("MS1", AHEAD): 0}
    assert chain.told(2 * side, 0) == {}, "nothing has changed"


@pytest.mark.parametrize("side", [1, -1])
def test_a_joint_that_is_bent_to_its_stop_is_told_no_more_than_an_order_can_say(side: int):
    assert Chain().told(-88 * side, -50 * side)["MS1", AHEAD] == -90 * side


def test_ahead_and_where_others_bend_the_joints_nobody_helps():
    chain = Chain()
    chain.knowledge.heading = 1
    assert chain.told(0, 50) == {}
    chain.knowledge.heading, chain.knowledge.shaking = -1, True
    assert chain.told(0, 50) == {}


def test_limp_in_a_branch_the_drive_is_helped_as_in_an_elbow():
    chain = Chain()
    chain.bifurcations.seen.append(
        SeenBifurcation(Junction(0.4, 0.0, into=True), "branch", 0.4, 0.45, mapped=True)
    )
    chain.knowledge.way = 0.45
    assert chain.told(0, 50) == {}, "the bifurcation bends its joints itself"
    chain.knowledge.limp = True
    assert chain.told(0, 50) == {("MS1", AHEAD): 10, ("MS2", AHEAD): 0}
