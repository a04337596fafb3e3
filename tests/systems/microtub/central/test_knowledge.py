"""What modules tell changes what the robot is taken for."""

from __future__ import annotations

import pytest

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.cartography import way_to_point
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.movements import Movement
from annelid.systems.microtub.central.pace import Pace
from annelid.systems.microtub.central.reckoning import Reckoning
from annelid.systems.microtub.central.surroundings import Surroundings
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.mapping import PipeMap
from annelid.systems.microtub.protocol import ModuleInfo

SOUND, BROKEN = "03000000000000000", "0" * 17


def known(*members: FoundModule) -> Knowledge:
    knowledge = Knowledge()
    knowledge.know(members)
    return knowledge


def test_a_module_that_recovers_once_is_believed_and_not_twice():
    knowledge = known(FoundModule(5, "s", SOUND))
    assert knowledge.change(5, BROKEN)
    assert knowledge.change(5, SOUND)
    assert knowledge.change(5, BROKEN)
    assert not knowledge.change(5, SOUND)
    assert knowledge.parts[0].mdl == BROKEN
    assert not knowledge.change(9, SOUND)  # nobody of that address


def test_a_dead_module_stays_in_the_chain_without_skills():
    knowledge = known(FoundModule(5, "s", SOUND), FoundModule(6, "s", SOUND))
    before = knowledge.length
    knowledge.bury(5)
    assert knowledge.ids == "ss"
    assert knowledge.length == before
    assert [part.address for part in knowledge.able("Sup")] == [6]


def test_the_nose_out_of_the_pipe_is_not_the_robot_out_of_it():
    knowledge = known(FoundModule(1, "c", BROKEN), FoundModule(2, "h", BROKEN))
    surroundings = Surroundings(knowledge)
    knowledge.seen = {1: Situation.NARROW_PIPE}
    assert surroundings.update()
    assert knowledge.mode.name == "PIPE"
    knowledge.seen = {1: Situation.OPEN_AIR}
    assert not surroundings.update()
    knowledge.way += knowledge.length / 2
    assert not surroundings.update()
    knowledge.way += knowledge.length
    assert surroundings.update()
    assert knowledge.mode.name == "OPEN_AIR"


def test_the_way_is_the_travellers_count_through_its_filter():
    knowledge = known(FoundModule(7, "v", BROKEN))
    reckoning = Reckoning(knowledge)
    push = Movement("push", (), 1, Pace(0.03), way="push")
    for count in (100, 200, 300):
        knowledge.now_ns += seconds(1)
        knowledge.told[7, ModuleInfo.DISTANCE] = (count, count)
        reckoning.update(push)
    assert knowledge.way == pytest.approx(0.2, rel=0.05)


def test_without_a_traveller_the_way_is_a_guess():
    knowledge = known(FoundModule(7, "h", BROKEN))
    reckoning = Reckoning(knowledge)
    for _ in range(11):
        reckoning.update(Movement("push", (), 1, Pace(0.03), way="push"))
        knowledge.now_ns += seconds(1)
    assert knowledge.way == pytest.approx(0.3)


def test_walking_without_getting_anywhere_fails_that_way():
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.heading = 1
    reckoning = Reckoning(knowledge)
    for _ in range(8):
        knowledge.now_ns += seconds(1)
        knowledge.told[7, ModuleInfo.DISTANCE] = (100, 100)
        reckoning.update(Movement("push", (), 1, Pace(0.03), way="push"))
    assert knowledge.failed == {"push"}


@pytest.mark.parametrize(("way", "home"), [(0.05, True), (0.2, False)])
def test_wheels_that_stand_still_near_home_have_left_the_tube(way: float, home: bool):
    """After a second: a robot that pushes on for longer backs out and falls."""
    knowledge = known(FoundModule(7, "v", BROKEN))
    knowledge.heading, knowledge.way = -1, way
    reckoning = Reckoning(knowledge)
    for _ in range(8):
        knowledge.now_ns += seconds(0.2)
        knowledge.told[7, ModuleInfo.DISTANCE] = (100, 100)
        reckoning.update(Movement("push back", (), -1, Pace(-0.03), way="push"))
    assert (knowledge.way == 0.0) is home
    assert not knowledge.failed


def test_points_in_the_pipe_are_ways_and_others_are_none():
    pipes = PipeMap()
    pipes.advance(0.3)
    assert way_to_point(pipes, (0.2, 0.0, 0.0)) == pytest.approx(0.2, abs=0.01)
    assert way_to_point(pipes, (1.5, 0.0, 0.0)) == pytest.approx(1.5, abs=0.01)
    assert way_to_point(pipes, (0.2, 0.2, 0.0)) is None


def test_height_follows_the_pitch_of_the_way():
    """One metre up a slope of 30° is half a metre higher; none of it is, level."""
    knowledge = known(FoundModule(7, "h", BROKEN))
    reckoning = Reckoning(knowledge)
    push = Movement("push", (), 1, Pace(0.1), way="push")
    reckoning.update(push)
    heights = []
    for pitch_deg in (0, 30, -30):
        knowledge.told[7, ModuleInfo.ORIENTATION] = (0, pitch_deg)
        for _ in range(10):
            knowledge.now_ns += seconds(1)
            reckoning.update(push)
        heights.append(knowledge.height)
    assert heights == pytest.approx([0.0, 0.5, 0.0], abs=1e-9)
