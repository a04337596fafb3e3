"""A dead end is felt by the nose alone: nobody has to measure the way."""

from __future__ import annotations

import pytest
from tests.systems.microtub.central.test_mind import Head

from annelid.kernel import seconds
from annelid.systems.microtub.behaviours import Situation
from annelid.systems.microtub.central import telling
from annelid.systems.microtub.central.known import TouchReport
from annelid.systems.microtub.protocol import TouchSide, WorkingMode


def pressing(side: TouchSide, every: int, *, times: int = 4) -> Head:
    """A robot without a traveller whose nose tells something at every so many thoughts, while the
    guessed way grows."""
    head = Head("TRRHRRP", WorkingMode.PIPE)
    head.think()
    for _ in range(times):
        head.knowledge.felt = TouchReport(1, side, None, head.knowledge.now_ns)
        for _ in range(every):
            head.knowledge.way += 0.006
            head.think()
    return head


def test_a_robot_that_stands_at_a_cap_goes_home_with_the_way_of_the_first_touch():
    head = pressing(TouchSide.CLOSED, 10, times=1)
    assert not head.knowledge.task.homewards, "one more look"
    head = pressing(TouchSide.CLOSED, 10)
    assert head.knowledge.task.homewards
    assert head.knowledge.heading == -1
    assert head.knowledge.way < 0.006 * 35, "it pressed for 40 thoughts and got nowhere in them"


@pytest.mark.parametrize(("side", "every"), [(TouchSide.NOSE, 10), (TouchSide.CLOSED, 20)])
def test_touches_that_leave_a_way_and_single_ones_are_no_dead_end(side: TouchSide, every: int):
    assert not pressing(side, every).knowledge.task.homewards


def test_a_jam_at_a_cap_is_forgotten_with_the_leg():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.think()
    head.knowledge.dead_end, head.knowledge.blocked = True, telling.stands(head.knowledge)
    head.think()
    assert head.knowledge.task.homewards
    assert head.knowledge.blocked is None, "or the next leg would be given up before it is entered"


def test_a_pipe_that_ends_while_the_robot_turns_is_not_left():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, 0, head.knowledge.now_ns)
    movement = head.think(2)
    assert movement is not None
    assert (movement.name, movement.heading) == ("turn in pipe", 1)
    head.knowledge.way = 0.5
    head.knowledge.seen[1] = Situation.OPEN_AIR
    movement = head.think(2)
    assert movement is not None
    assert movement.heading == -1


def test_who_guesses_its_way_gives_a_bend_up_that_does_not_end():
    head = Head("TRRHRRP", WorkingMode.PIPE)
    head.knowledge.way = 0.4
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, 0, head.knowledge.now_ns)
    head.think(2)
    for _ in range(50):
        head.knowledge.way += 0.03
        movement = head.think()
        if head.knowledge.task.homewards:
            break
    assert movement is not None
    assert movement.heading == -1
    assert head.knowledge.way == pytest.approx(0.4), "as far as it knows it has stood since"
    assert head.knowledge.now_ns < seconds(12)


def test_a_branch_that_the_nose_passes_while_the_tail_still_turns_is_seen():
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, 0, head.knowledge.now_ns)
    head.think(2)
    for way, turning in ((0.05, True), (0.10, True), (0.30, True), (0.35, False)):
        head.knowledge.way = way
        head.knowledge.felt = TouchReport(1, TouchSide.OPENING, 180, head.knowledge.now_ns)
        head.think()
        assert head.knowledge.turning is turning, "in the bend a side is open, too"


@pytest.mark.parametrize(("step_m", "ends"), [(0.0, True), (0.003, False)])
def test_a_cap_that_is_met_while_the_tail_still_turns_ends_the_pipe(step_m: float, ends: bool):
    """A nose that gets on looks at the wall of the bend."""
    head = Head("TRRHRRVP", WorkingMode.PIPE)
    head.knowledge.felt = TouchReport(1, TouchSide.NOSE, 0, head.knowledge.now_ns)
    head.think(2)
    for _ in range(12):
        head.knowledge.felt = TouchReport(1, TouchSide.CLOSED, None, head.knowledge.now_ns)
        for _ in range(10):
            head.knowledge.way += step_m
            head.think()
    assert head.knowledge.task.homewards is ends
    assert head.knowledge.turning is not ends
