"""What modules tell changes what the robot is taken for."""

from __future__ import annotations

import pytest

from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central.cartography import way_to_point
from annelid.systems.microtub.central.knowledge import Knowledge
from annelid.systems.microtub.central.surroundings import Surroundings
from annelid.systems.microtub.discovery import FoundModule
from annelid.systems.microtub.mapping import PipeMap

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
    assert not knowledge.came_in
    knowledge.seen = {1: Situation.NARROW_PIPE}
    surroundings.update()
    knowledge.way += 2 * knowledge.length
    assert surroundings.update()
    assert knowledge.came_in


@pytest.mark.parametrize(
    ("lies", "wide"), [("", True), ("turning", False), ("crooked", False), ("back", False)]
)
def test_a_nose_that_leans_in_a_bend_makes_no_pipe_wide(lies: str, wide: bool):
    """The way is guessed, and runs on while the robot struggles; on the way back it leans, too."""
    knowledge = known(FoundModule(1, "c", BROKEN), FoundModule(2, "h", BROKEN))
    surroundings = Surroundings(knowledge)
    knowledge.seen = {1: Situation.NARROW_PIPE}
    surroundings.update()
    knowledge.seen = {1: Situation.WIDE_PIPE}
    knowledge.heading = -1 if lies == "back" else 1
    for _ in range(10):
        if lies in ("turning", "crooked"):
            setattr(knowledge, lies, True)
        knowledge.way += knowledge.length / 5
        surroundings.update()
    assert knowledge.wide is wide
    assert knowledge.mode.name == "PIPE"
    knowledge.seen = {1: Situation.NARROW_PIPE}
    surroundings.update()
    assert not knowledge.wide, "one look is enough"


def test_points_in_the_pipe_are_ways_and_others_are_none():
    pipes = PipeMap()
    pipes.advance(0.3)
    assert way_to_point(pipes, (0.2, 0.0, 0.0)) == pytest.approx(0.2, abs=0.01)
    assert way_to_point(pipes, (1.5, 0.0, 0.0)) == pytest.approx(1.5, abs=0.01)
    assert way_to_point(pipes, (0.2, 0.2, 0.0)) is None
