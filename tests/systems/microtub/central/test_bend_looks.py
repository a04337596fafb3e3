"""What pictures of a bend have to show before the operator is told of a break."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from annelid.systems.microtub.central import bend_looks
from annelid.systems.microtub.central.behaviours.tools import BringTool
from annelid.systems.microtub.central.bend_fit import HoleSight, PlacedHole
from annelid.systems.microtub.central.bend_looks import BendLooks
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.known import KnownElbow
from annelid.systems.microtub.central.task import Task, Want
from annelid.systems.microtub.mapping import PipeBranch, PlaceKind

ELBOW = KnownElbow(middle=0.25, angle=1.5, towards=0.0, arc=0.05, off=0.03, place=1)


def seen_from(way: float, *, still: bool = True) -> HoleSight:
    nothing = np.zeros((0, 3))
    return HoleSight(way, still, 0.0, 0.04, np.zeros(0), nothing, nothing)


@pytest.fixture
def knowledge() -> Knowledge:
    """Of a robot that explores a pipe with an elbow, and comes from home."""
    made = Knowledge(task=Task(Want.EXPLORE), heading=1)
    made.pipes.advance(0.2)
    made.way = 0.2
    return made


def passes(
    knowledge: Knowledge,
    looks: list[tuple[float, float]],
    *,
    by: float = 0.45,
    elbow: KnownElbow = ELBOW,
) -> list[str]:
    """Look from ways at a hole that seems to be at other ways, then come round the elbow; what the
    operator is told."""
    places = dict(looks)
    behaviour = BendLooks()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            bend_looks, "place", lambda sight, _: PlacedHole(places[sight.way], 1.0, sight)
        )
        for way in places:
            knowledge.hole = seen_from(way)
            behaviour.see(knowledge)
        knowledge.hole = None
        knowledge.pipes.advance(by - knowledge.way)
        knowledge.way = by
        knowledge.elbows.append(elbow)
        behaviour.see(knowledge)
        behaviour.see(knowledge)
    return [each.words for each in knowledge.task.news]


def test_two_places_that_say_the_same_make_a_break_told_once(knowledge: Knowledge):
    told = passes(knowledge, [(0.16, 0.262), (0.19, 0.258)])
    assert len(told) == 1
    assert "in a bend" in told[0]
    assert [each.at for each in knowledge.breaks] == pytest.approx([0.26])
    kinds = [each.kind for each in knowledge.pipes.graph.places.values()]
    assert kinds.count(PlaceKind.BREAK) == 1


@pytest.mark.parametrize(
    "looks",
    [
        [(0.16, 0.26)],
        [(0.16, 0.26), (0.161, 0.26)],
        [(0.16, 0.26), (0.19, 0.29)],
        [(0.5, 0.26), (0.6, 0.26)],
    ],
    ids=["once", "from one place", "it moves with the robot", "not from this bend"],
)
def test_less_is_not_told(knowledge: Knowledge, looks: list[tuple[float, float]]):
    assert not passes(knowledge, looks)


def test_bends_into_branches_are_left_out_and_those_that_nobody_is_sure_of_are_not(
    knowledge: Knowledge,
):
    looks, unmapped = [(0.16, 0.262), (0.19, 0.258)], replace(ELBOW, place=None)
    assert not passes(knowledge, looks, elbow=unmapped)
    knowledge.perhaps_elbows.append(unmapped)
    knowledge.way = 0.2
    assert len(passes(knowledge, looks, elbow=unmapped)) == 1


def test_what_the_nose_has_not_passed_may_be_an_open_end(knowledge: Knowledge):
    assert not passes(knowledge, [(0.16, 0.262), (0.19, 0.258)], by=0.30)


def test_beside_a_bifurcation_it_may_be_its_mouth(knowledge: Knowledge):
    knowledge.pipes.advance(0.05)
    knowledge.pipes.junction("tee", [PipeBranch(), PipeBranch(0.0, 1.5)], 0)
    knowledge.way = 0.25
    assert not passes(knowledge, [(0.16, 0.262), (0.19, 0.258)])


def test_a_robot_on_its_way_home_does_not_look(knowledge: Knowledge):
    knowledge.task.homewards = True
    assert not passes(knowledge, [(0.16, 0.262), (0.19, 0.258)])


def test_it_stands_to_look_from_several_places_and_not_for_ever(knowledge: Knowledge):
    behaviour, stood = BendLooks(), []
    for way in np.arange(0.1, 0.2, 0.005).tolist():
        knowledge.way, knowledge.hole = way, seen_from(way)
        if behaviour.closer(knowledge):
            stood.append(way)
    assert len(stood) == bend_looks.MOST
    assert min(np.diff(stood)) >= bend_looks.APART_M


def test_a_tool_is_not_sent_to_a_break_in_a_bend(knowledge: Knowledge):
    passes(knowledge, [(0.16, 0.262), (0.19, 0.258)])
    knowledge.task = Task(Want.REPAIR)
    assert not list(BringTool().propose(knowledge))
    assert knowledge.task.ended is not None
    assert "in a bend" in knowledge.task.ended.words
