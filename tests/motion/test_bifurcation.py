"""Bends through a bifurcation: the line, the arch over the pusher, and when each of them is due."""

from __future__ import annotations

from math import atan2, cos, degrees, hypot, pi, radians

import pytest

from annelid.modules import shelf
from annelid.motion.bifurcation import (
    BRANCH,
    LIFT,
    LONG_S,
    ROCK,
    ROCK_OMEGA,
    Backbone,
    Junction,
    Rocking,
)


def backbone(letters: str) -> Backbone:
    kinds = shelf()
    return Backbone.of([kinds[letter].parse({}, where=letter) for letter in letters])


BODY = backbone("TRRHRRVP")


def test_a_backbone_knows_its_joints_and_its_pusher():
    assert BODY.joints == pytest.approx((0.045, 0.079, 0.145, 0.179))
    assert (BODY.length, BODY.pusher) == pytest.approx((0.256, 0.096))
    assert BODY.arch == (-1, 1, 1, -1)
    assert backbone("TRRH").arch == (-1, 1)
    assert backbone("HRRR").arch == (1, -1, 0)
    assert backbone("RRR").arch == (0, 0, 0)


@pytest.mark.parametrize("nose", [0.0, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.4])
def test_the_bends_on_a_line_add_up_to_what_the_line_turns_between_the_ends(nose):
    bends = BODY.along(nose, 0.0, BRANCH)
    assert all(-1e-9 <= bend <= BRANCH for bend in bends)
    assert sum(bends) <= BRANCH + 1e-9
    if 0.09 < nose < 0.15:
        assert sum(bends) == pytest.approx(BRANCH, abs=1e-6)


def test_a_chain_before_and_behind_the_corner_is_straight():
    assert BODY.along(-0.1, 0.0, BRANCH) == pytest.approx((0.0,) * 4)
    assert BODY.along(0.4, 0.0, BRANCH) == pytest.approx((0.0,) * 4)


def test_straight_on_through_a_cross_the_nose_leans_to_neither_side():
    """Past one branch it leans away from it; here that would be into the other."""
    for crosses in (True, False):
        junction = Junction(0.0, 0.0, into=False, crosses=crosses)
        leans = junction.bends(0.0, BODY, 0.0, amount=0.0)[0].yaw < 0
        assert leans is not crosses


def test_the_branch_across_leaves_to_the_other_side_of_the_same_place():
    one = Junction(0.4, radians(30), into=False, angle=radians(50), sooner=0.012, crosses=True)
    other = one.across()
    assert other.towards == pytest.approx(radians(210))
    assert (other.into, other.sooner, other.middle) == (True, 0.0, one.middle)
    assert other.across().towards == pytest.approx(one.towards)


@pytest.mark.parametrize("letters", ["TH", "TSES", "TR"])
@pytest.mark.parametrize("into", [True, False])
def test_every_chain_has_a_bend_for_each_of_its_joints(letters, into):
    """Without joints there is none; a nose that leans needs one to lean with."""
    body = backbone(letters)
    junction = Junction(0.0, 0.0, into=into)
    for nose in (-0.05, 0.0, 0.02, 0.1):
        for ahead in (True, False):
            assert len(junction.bends(nose, body, 0.0, ahead=ahead)) == len(body.joints)


def test_into_a_branch_the_joints_bend_towards_it():
    up = Junction(1.0, pi / 2, into=True)
    bends = up.bends(1.025, BODY, 0.0)
    assert bends[0].pitch > radians(10)
    assert bends[0].yaw == pytest.approx(0.0, abs=1e-9)


def test_straight_on_only_the_nose_leans_off_the_mouth_until_the_pusher_is_in_it():
    on = Junction(1.0, 0.0, into=False)
    nose, *others = on.bends(1.02, BODY, 0.3)
    assert nose.yaw < 0.0, "the branch is to the left"
    assert all(bend == (0.0, 0.0) for bend in others)
    assert on.bends(1.065, BODY, 0.3)[0] == (0.0, 0.0), "past the edge"
    arched = on.bends(1.1, BODY, 0.0)
    assert [round(hypot(*bend), 3) for bend in arched] == [round(LIFT, 3)] * 4


def test_into_a_branch_the_arch_goes_round():
    branch = Junction(1.0, 0.0, into=True)
    phases = (0.0, 1.5, 3.0, 4.5, 6.0)
    seen = [branch.bends(1.12, BODY, phase)[1] for phase in phases]
    assert max(bend.pitch for bend in seen) > 0.7 * ROCK
    assert min(bend.pitch for bend in seen) < -0.7 * ROCK
    back = [branch.bends(1.16, BODY, phase, ahead=False)[1] for phase in phases]
    assert min(bend.pitch for bend in back) < -0.7 * ROCK


def test_ahead_into_a_branch_the_pusher_is_lifted_off_the_edge_between_the_legs():
    up = Junction(1.0, pi / 2, into=True)
    still = up.bends(1.16, BODY, 0.0, amount=0.0)
    for phase in (0.0, 1.5, 3.0, 4.5):
        rocked = up.bends(1.16, BODY, phase)
        assert rocked[1].pitch < still[1].pitch, "bent down, so that the pusher goes up"


def test_a_nose_before_the_edge_between_the_legs_is_not_swung_about():
    blunt, sharp = (Junction(1.0, 0.0, into=True, angle=radians(deg)) for deg in (32, 60))
    assert blunt.bends(1.075, BODY, 1.5)[0].pitch == 0.0
    assert sharp.bends(1.075, BODY, 1.5)[0].pitch != 0.0


def test_the_arch_turns_while_the_robot_stands_and_stays_where_it_gets_on():
    rocking = Rocking()
    stands = [rocking.step(0.2 * k, 0.5, 1) for k in range(20)]
    assert stands[-1] - stands[0] == pytest.approx(ROCK_OMEGA * 3.8)
    gets_on = [rocking.step(4.0 + 0.2 * k, 0.5 + 0.004 * k, 1) for k in range(20)]
    assert gets_on[-1] == gets_on[6]
    slides = [rocking.step(8.0 + 0.2 * k, 0.576 - 0.004 * k, 1) for k in range(20)]
    assert slides[-1] > slides[0] + ROCK_OMEGA


@pytest.mark.parametrize(("mouth_deg", "wheel_deg"), [(0, -30), (180, 210), (90, 90), (100, 90)])
def test_past_a_branch_the_wheel_in_its_mouth_is_lifted(mouth_deg, wheel_deg):
    """Joints next to the pusher bend to the wheel's side, so the pusher goes to the other one."""
    on = Junction(1.0, radians(mouth_deg), into=False)
    for bend in (on.bends(1.1, BODY, t)[1] for t in (0.0, 1.0, 2.0, 3.0, 4.0)):
        assert cos(atan2(bend.pitch, bend.yaw) - radians(wheel_deg)) > 0.95


@pytest.mark.parametrize(("length_mm", "angle_deg"), [(65, 30), (53, 45), (37, 60), (22, 90)])
def test_the_length_of_a_mouth_tells_its_angle(length_mm: float, angle_deg: float):
    seen = Junction.seen(1.0, 1.0 + length_mm / 1000, 0.0, into=True)
    assert degrees(seen.angle) == pytest.approx(angle_deg, abs=1)
    assert 0.98 < seen.corner < 1.02
    between = Junction.seen(1.0, 1.0 + length_mm / 1000, pi / 4, into=True)
    assert between.angle == BRANCH  # of one that lies between two rays nothing is known


def test_short_pieces_get_into_sharper_branches():
    assert degrees(BODY.sharpest) == pytest.approx(61, abs=3)
    assert backbone("TRRHRR").sharpest > BODY.sharpest
    assert backbone("RRR").sharpest == pytest.approx(pi / 2)


def test_it_is_over_when_the_tail_is_through_or_the_nose_is_back():
    on = Junction.seen(1.0, 1.05, 0.0, into=True)
    assert not on.over(1.0, BODY)
    assert on.reached(1.0)
    assert on.over(1.5, BODY)
    assert on.over(0.9, BODY)
    assert all(bend == pytest.approx((0.0, 0.0)) for bend in on.bends(1.5, BODY, 1.0))


def test_an_arch_that_stays_turns_when_it_has_not_helped_for_long():
    """Else a tail that hangs at an edge is pressed to it for good."""
    branch = Junction(1.0, 0.0, into=True)
    phases = [0.5 * k for k in range(13)]
    stays = [branch.bends(1.18, BODY, phase)[1].yaw for phase in phases]
    turns = [branch.bends(1.18, BODY, phase, long=True)[1].yaw for phase in phases]
    assert max(stays) - min(stays) < 0.7 * ROCK
    assert max(turns) - min(turns) > 1.7 * ROCK
    on = Junction(1.0, 0.0, into=False)
    back = [on.bends(1.15, BODY, phase, ahead=False, long=True)[1].yaw for phase in phases]
    assert max(back) - min(back) > 1.7 * ROCK


@pytest.mark.parametrize(("speed", "long"), [(0.0, True), (0.001, True), (0.01, False)])
def test_a_robot_that_creeps_stands_for_long(speed, long):
    rocking = Rocking()
    for tick in range(int(5 * (LONG_S + 2))):
        rocking.step(0.2 * tick, 1.0 + speed * 0.2 * tick, 1)
    assert rocking.long is long


def test_past_a_branch_the_arch_stays_until_the_tail_is_over_the_edge():
    """Its wheels hang in the same mouth; an arch that turns presses them into it."""
    on = Junction(1.0, 0.0, into=False)
    nose = 1.0 + BODY.pushed + 0.1
    assert on.drags(nose, BODY)
    for phase in (0.0, 1.5, 3.0, 4.5):
        bends = on.bends(nose, BODY, phase, 1.0)
        assert bends[2].yaw > 0.5 * LIFT, "the branch is to the left"
        assert bends[3].yaw < -0.5 * LIFT, "and the tail is bent away from it"
