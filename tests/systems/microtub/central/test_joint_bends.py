"""Joints are told what is new to them, and let be in an elbow."""

from __future__ import annotations

from math import cos, degrees, hypot, pi, radians, sin

import pytest
from tests.systems.microtub.central.test_bifurcations import come_upon, go, on_the_way

from annelid.systems.microtub.central.joint_bends import JointBends
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow


def test_only_whole_degrees_that_have_changed_are_told():
    knowledge, bifurcations = on_the_way("branch")
    found = come_upon(knowledge, bifurcations)
    bends = JointBends(knowledge)
    go(knowledge, found.junction.corner - 0.02)
    first = bends.orders(found, feels=False)
    assert {order.to for order in first} == set(bends.joints)
    assert not bends.orders(found, feels=False)
    assert len(bends.orders(found, feels=False, anew=True)) == len(first)


def test_feeling_joints_lie_straight_and_do_not_rock():
    knowledge, bifurcations = on_the_way("branch")
    found = come_upon(knowledge, bifurcations)
    bends = JointBends(knowledge)
    go(knowledge, found.junction.corner + 0.05)
    assert {order.values for order in bends.orders(found, feels=True)} == {(0,)}
    assert not bends.rocks(found, feels=True)


def test_in_an_elbow_the_modules_turn_by_themselves():
    knowledge, bifurcations = on_the_way("branch")
    found = come_upon(knowledge, bifurcations)
    knowledge.turning = True
    assert not JointBends(knowledge).orders(found, feels=False)


SURVEY = "crrhrvrh"
"""A drive at the tail."""


def homewards(
    way: float, *, towards: float = 0.0, angle_deg: float = 70.0, wire_ids: str = SURVEY
) -> Knowledge:
    """On the way back, with an elbow whose middle is 500 mm from home."""
    knowledge, _ = on_the_way(wire_ids=wire_ids)
    knowledge.heading, knowledge.way = -1, way
    arc = 0.06 * radians(angle_deg)
    knowledge.elbows.append(KnownElbow(0.5, radians(angle_deg), towards, arc, 0.03))
    return knowledge


@pytest.mark.parametrize("towards", [0.0, pi / 2, 2.5])
def test_on_the_way_back_the_joints_stand_as_the_elbow_that_they_lie_in(towards: float):
    bends = JointBends(homewards(0.62, towards=towards)).round_elbows(None)
    left, up = sum(each.yaw for each in bends), sum(each.pitch for each in bends)
    assert degrees(hypot(left, up)) == pytest.approx(70, abs=8)
    assert (left * cos(towards) + up * sin(towards)) / hypot(left, up) == pytest.approx(1.0)


def test_the_tail_bends_before_it_is_in_the_elbow_and_the_nose_is_straight_behind_it():
    bodies = JointBends(homewards(0.5)).backbone
    tail_before = JointBends(homewards(0.5 + bodies.length + 0.02)).round_elbows(None)
    assert degrees(abs(tail_before[-1].yaw)) > 3
    assert tail_before[0].yaw == pytest.approx(0.0, abs=1e-6)
    nose_in_it = JointBends(homewards(0.5)).round_elbows(None)
    assert nose_in_it[-1].yaw == pytest.approx(0.0, abs=1e-6)


@pytest.mark.parametrize("why", ["ahead", "far", "limp", "waving", "passive tail"])
def test_elsewhere_nobody_tells_the_joints_how_to_stand(why: str):
    """A tail that no drive pulls finds its way along the wall."""
    wire_ids = "crrhrrvp" if why == "passive tail" else SURVEY
    knowledge = homewards(1.2 if why == "far" else 0.62, wire_ids=wire_ids)
    knowledge.heading = 1 if why == "ahead" else -1
    knowledge.limp = why == "limp"
    knowledge.gait = "MO1" if why == "waving" else "MHE"
    assert JointBends(knowledge).round_elbows(None) == ()


def test_the_bend_into_the_branch_that_the_robot_is_in_is_not_bent_twice():
    knowledge, bifurcations = on_the_way("branch", SURVEY)
    found = come_upon(knowledge, bifurcations)
    go(knowledge, found.junction.middle + 0.1)
    knowledge.heading = -1
    junction = found.junction
    knowledge.elbows.append(
        KnownElbow(junction.middle, junction.angle, junction.towards, 0.05, 0.03)
    )
    assert JointBends(knowledge).round_elbows(found) == ()
    assert JointBends(knowledge).round_elbows(None)


def test_behind_an_elbow_the_joints_are_told_to_be_straight_once():
    knowledge = homewards(0.62)
    bends = JointBends(knowledge)
    assert any(order.values != (0,) for order in bends.orders(None, feels=False))
    knowledge.way = 0.3
    assert {order.values for order in bends.orders(None, feels=False)} == {(0,)}
    assert not bends.orders(None, feels=False)
