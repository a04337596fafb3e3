"""Bifurcations on the way: seen, bent through, mapped, and forgotten where they were none."""

from __future__ import annotations

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.central.bifurcations import Bifurcations, Choice
from annelid.systems.microtub.central.knowledge import Knowledge, TouchReport
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.mapping import PlaceKind
from annelid.systems.microtub.protocol import LLC1, TouchSide, WorkingMode

R = "00003300000003000"


def on_the_way(enter: Choice = "run") -> tuple[Knowledge, Bifurcations]:
    knowledge = Knowledge(mode=WorkingMode.PIPE, heading=1)
    strings = {"c": "00000000301000000", "r": R, "h": "00310000000000000"}
    knowledge.know(
        FoundModule(place, each, strings.get(each, "0" * 17))
        for place, each in enumerate("crrhrrvp", 1)
    )
    return knowledge, Bifurcations(knowledge, enter=enter)


def go(knowledge: Knowledge, to: float) -> None:
    if (to > knowledge.way) is not knowledge.pipes.forwards:
        knowledge.pipes.reversed()
    knowledge.heading = 1 if to > knowledge.way else -1
    knowledge.pipes.advance(abs(to - knowledge.way))
    knowledge.way = to
    knowledge.now_ns += seconds(1)


def opening(knowledge: Knowledge, direction_deg: int | None = 0) -> TouchReport:
    return TouchReport(1, TouchSide.OPENING, direction_deg, knowledge.now_ns)


def test_one_opening_is_one_bifurcation_with_orders_for_its_joints():
    knowledge, all_of_them = on_the_way("branch")
    go(knowledge, 0.4)
    assert all_of_them.orders() == []
    seen = all_of_them.opening(opening(knowledge))
    assert seen is not None
    assert seen.taken == "branch"
    assert all_of_them.opening(opening(knowledge)) is None
    go(knowledge, 0.48)
    orders = all_of_them.orders()
    assert {order.command for order in orders} == {LLC1.MS1, LLC1.MS2}
    assert {order.to for order in orders} == {2, 3, 5, 6}
    assert any(order.values[0] != 0 for order in orders)
    assert all_of_them.orders() == []  # nothing has changed
    assert len(all_of_them.orders(anew=True)) == len(orders)  # unless they have forgotten
    go(knowledge, 1.2)
    assert {order.values[0] for order in all_of_them.orders()} == {0}
    assert all_of_them.orders() == []


def test_it_goes_on_the_map_where_its_middle_is():
    knowledge, all_of_them = on_the_way()
    go(knowledge, 0.4)
    seen = all_of_them.opening(opening(knowledge))
    assert seen is not None
    for way in (0.42, 0.45, 0.5):
        go(knowledge, way)
        all_of_them.orders()
    (place,) = (p for p in knowledge.pipes.graph.places.values() if p.kind is PlaceKind.JUNCTION)
    stretch, at = knowledge.pipes.graph.spot(place)
    mapped = knowledge.pipes.graph.along(stretch, at)
    assert mapped == pytest.approx(seen.junction.corner, abs=0.005)
    assert knowledge.pipes.where.along == pytest.approx(0.5, abs=1e-6)
    assert any("a bifurcation" in each.words for each in knowledge.task.news)


def test_the_mouth_of_a_pipe_is_none():
    knowledge, all_of_them = on_the_way()
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    go(knowledge, 0.44)
    all_of_them.end()
    assert all_of_them.seen == []


def test_touches_and_openings_of_a_bent_nose_mean_nothing():
    knowledge, all_of_them = on_the_way()
    go(knowledge, 0.4)
    assert all_of_them.counts_touch()
    all_of_them.opening(opening(knowledge))
    go(knowledge, 0.55)
    assert not all_of_them.counts_touch()
    assert all_of_them.opening(opening(knowledge, 90)) is None
    assert all_of_them.opening(opening(knowledge, None)) is None


def test_both_legs_are_entered_one_after_the_other_and_end_at_one_place_of_the_map():
    knowledge, all_of_them = on_the_way("both")
    go(knowledge, 0.4)
    seen = all_of_them.opening(opening(knowledge))
    assert seen is not None
    first = seen.taken
    for way in (0.5, 0.7):
        go(knowledge, way)
        all_of_them.orders()
    knowledge.pipes.dead_end()
    go(knowledge, 0.33)
    assert all_of_them.next_leg() is None  # the nose is not out of it
    go(knowledge, 0.25)
    assert all_of_them.next_leg() is seen
    assert (first, seen.taken) == ("branch", "run")
    assert all_of_them.next_leg() is None
    go(knowledge, 0.37)  # it miscounts by 30 mm, and the nose tells of the opening once more
    assert all_of_them.opening(opening(knowledge)) is None
    assert knowledge.way == pytest.approx(0.4)
    for way in (0.5, 0.9):
        go(knowledge, way)
        all_of_them.orders()
    knowledge.pipes.dead_end()
    kinds = [place.kind for place in knowledge.pipes.graph.places.values()]
    assert kinds == [PlaceKind.START, PlaceKind.JUNCTION, PlaceKind.END, PlaceKind.END]
    assert all_of_them.left_out == 0


def test_a_leg_that_is_not_wanted_is_counted():
    knowledge, all_of_them = on_the_way("run")
    go(knowledge, 0.4)
    all_of_them.opening(opening(knowledge))
    go(knowledge, 0.5)
    all_of_them.orders()
    go(knowledge, 0.2)
    assert all_of_them.next_leg() is None
    assert all_of_them.left_out == 1
