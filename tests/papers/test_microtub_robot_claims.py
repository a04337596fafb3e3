"""How runs of whole MICROTUB robots are judged: what counts, and what does not."""

from __future__ import annotations

from math import inf, nan

import pytest

from annelid.papers import (
    Bench,
    b12_balance,
    b14_same_robot,
    b15_exploration,
    b16_break,
    b21_by_sight,
)
from annelid.papers.case import Case
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate


def test_a_rate_is_told_with_its_interval():
    rate = Rate.count([True] * 12 + [False] * 3)
    assert str(rate) == "12 of 15 (55-93 %)"
    assert numbers({"a rate, told": rate, "s": 3})["a_rate_told"] == 0.8
    assert rate.above(Rate.count([False] * 15))
    assert not rate.above(Rate.count([True] * 8 + [False] * 7))


@pytest.mark.parametrize(
    ("first", "roll_deg", "ahead_m", "right"),
    [
        ("roll over", 10.0, 0.2, True),
        ("roll over", 170.0, 0.2, True),
        ("roll over", 90.0, 0.2, False),
        ("roll over", nan, 0.2, False),
        ("roll over", 10.0, 0.1, False),
        ("snake", 10.0, 0.2, False),
    ],
)
def test_a_chain_has_to_right_itself_before_it_goes_on(first, roll_deg, ahead_m, right):
    assert b12_balance.Went(first, 4.0, roll_deg, ahead_m, ()).right is right


def test_the_robot_has_to_choose_the_figure_s_movement_and_get_somewhere():
    ahead, aside = ((0.0, 0.0), (0.3, 0.0)), ((0.0, 0.0), (0.0, -0.3))
    assert b14_same_robot.Went("pipe", ("inchworm",), ahead).right
    assert b14_same_robot.Went("open-air", ("rolling",), aside).right
    assert not b14_same_robot.Went("open-air", ("rolling",), ahead).right
    assert not b14_same_robot.Went("pipe", ("snake", "inchworm"), ahead).right


def test_a_break_has_to_be_told_once_and_where_it_is():
    def found(*told_m: float) -> b16_break.Found:
        return b16_break.Found(0.3, told_m)

    assert found(0.315).right
    assert not found(0.33).right
    assert not found().right
    assert not found(0.3, 0.31).right


def test_a_repair_has_to_close_the_break_with_the_tool_at_it():
    def repaired(tool_mm: float, tool_deg: float, *, closed: bool = True) -> bool:
        found = b16_break.Found(0.3, (0.3,), tool_mm=tool_mm, tool_deg=tool_deg, closed=closed)
        return found.repaired

    assert repaired(-8, 15)
    assert not repaired(12, 0)
    assert not repaired(0, 25)
    assert not repaired(0, 0, closed=False)


def test_a_robot_without_a_tool_refuses_to_repair():
    case = Case(b16_break.SCENARIO, b16_break.REFUSED)
    (found,) = Bench(workers=1).trials({"": case}, b16_break.judge)[""]
    assert found.refusals == 2
    assert found.told_m == ()


def test_the_head_has_to_stay_by_the_stripe_to_its_end():
    line = ((0.0, 0.0), (0.9, 0.0))
    assert b21_by_sight.Followed(line, line, 0.05, True).right
    assert not b21_by_sight.Followed(line, line, 0.15, True).right
    assert not b21_by_sight.Followed(line, line, 0.05, False).right


def test_who_says_home_somewhere_else_is_not_home():
    def trip(off_m: float) -> b15_exploration.Trip:
        return b15_exploration.Trip(True, True, off_m, 160.0, 0.02, 0.05, 4)

    assert trip(0.02).home
    assert not trip(0.2).home
    assert not trip(inf).home


def test_every_seed_has_its_own_pipe_and_break():
    for varied in (b15_exploration.varied, b16_break.broken, b21_by_sight.bent):
        assert varied(1) == varied(1) != varied(2)
