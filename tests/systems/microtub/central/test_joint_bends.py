"""Joints are told what is new to them, and let be in an elbow."""

from __future__ import annotations

from tests.systems.microtub.central.test_bifurcations import come_upon, go, on_the_way

from annelid.systems.microtub.central.joint_bends import JointBends


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
