"""A dead end is felt by the nose alone: nobody has to measure the way."""

from __future__ import annotations

import pytest
from tests.systems.microtub.central.test_mind import Head

from annelid.systems.microtub.central.knowledge import TouchReport
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
