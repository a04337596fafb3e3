"""How runs of whole MICROTUB robots are judged: what counts, and what does not."""

from __future__ import annotations

from dataclasses import replace
from math import inf, nan

import numpy as np
import pytest

from annelid.papers import (
    Bench,
    b11_failure,
    b12_balance,
    b13_fusion,
    b14_same_robot,
    b15_exploration,
    b16_break,
    b21_by_sight,
    b22_worm,
    b23_snake,
)
from annelid.papers.case import Case
from annelid.papers.curves import numbers
from annelid.papers.interval import Rate
from annelid.systems.microtub.mapping import MapError
from annelid.systems.microtub.mapping.graph import PlaceKind
from annelid.systems.microtub.mapping.truth import Matched


def test_a_rate_is_told_with_its_interval():
    rate = Rate.count([True] * 12 + [False] * 3)
    assert str(rate) == "12 of 15 (55-93 %)"
    assert numbers({"a rate, told": rate, "s": 3})["a_rate_told"] == 0.8
    assert rate.above(Rate.count([False] * 15))
    assert not rate.above(Rate.count([True] * 8 + [False] * 7))


@pytest.mark.parametrize(
    ("righted_s", "before_m", "ahead_m", "right"),
    [
        (4.0, 0.05, 0.2, True),
        (4.0, 0.2, 0.2, False),
        (4.0, 0.05, 0.1, False),
        (inf, 0.0, 0.2, False),
    ],
)
def test_a_chain_has_to_lie_upright_before_it_goes_on(righted_s, before_m, ahead_m, right):
    assert b12_balance.Went(righted_s, before_m, ahead_m, ()).right is right


def test_a_chain_on_its_back_turns_over_and_a_blind_one_does_not():
    cases = {
        blind: b12_balance.cases(["RRRRRR"])["RRRRRR", f"+180°{blind}"]
        for blind in ("", f", {b12_balance.BLIND}")
    }
    found = Bench(workers=1, seed=3).trials(cases, b12_balance.judge)
    assert [found[blind][0].right for blind in cases] == [True, False]


def test_the_robot_has_to_choose_the_figure_s_movement_and_get_somewhere():
    ahead, aside = ((0.0, 0.0), (0.3, 0.0)), ((0.0, 0.0), (0.0, -0.3))
    assert b14_same_robot.Went("pipe", ("inchworm",), ahead).right
    assert b14_same_robot.Went("open-air", ("rolling",), aside).right
    assert not b14_same_robot.Went("open-air", ("rolling",), ahead).right
    assert not b14_same_robot.Went("pipe", ("snake", "inchworm"), ahead).right


def test_one_run_of_twenty_that_fails_is_too_many_to_be_sure():
    assert b14_same_robot.enough([Rate.share(20, 20)])
    assert not b14_same_robot.enough([Rate.share(20, 20), Rate.share(19, 20)])


def test_every_take_over_has_to_show_and_none_without_its_cause():
    right = {name: [{name: "because"}] * 5 for name in b13_fusion.SITUATIONS}
    calm: dict[str, list[dict[str, str]]] = {name: [{}] * 3 for name in right}
    assert b13_fusion.Traces(right, calm).passed
    name = "obstacle over goal"
    assert not b13_fusion.Traces({**right, name: [{}, *right[name][1:]]}, calm).passed
    assert not b13_fusion.Traces(right, {**calm, name: [{name: "because"}, {}, {}]}).passed


def test_a_robot_that_slides_back_has_not_arrived():
    time = np.arange(0.0, 20.0, 0.5)
    on, back = np.minimum(0.02 * time, 0.3), np.where(time < 15, 0.02 * time, 0.1)
    assert b22_worm.went(on, time, 0.25).there
    assert back.max() >= 0.25
    assert not b22_worm.went(back, time, 0.25).there
    assert b22_worm.went(back, time, 0.25).speed_cm_s < 0.5


def test_a_bend_that_is_passed_with_jammed_joints_too_shows_nothing():
    rates = {"level": Rate.share(20, 20), "elbow": Rate.share(20, 20)}
    assert b22_worm.bars(rates, Rate.share(0, 10))
    assert not b22_worm.bars(rates, Rate.share(9, 10))
    assert not b22_worm.bars({**rates, "level": Rate.share(19, 20)}, Rate.share(0, 10))
    for scenario, joints in (("b22-worm", b22_worm.JOINTS), ("b23-snake", b23_snake.JOINTS)):
        case = b22_worm.elbow(scenario, jammed=joints).repeat("", 1)
        free = b22_worm.elbow(scenario).repeat("", 1)
        assert {fault.who for fault in case.scenario().faults} == set(joints)
        assert case.scenario().world == free.scenario().world


def failed(servo: str, arrived: int, of: int) -> list[b11_failure.Went]:
    return [b11_failure.Went(servo, k < arrived, True, 1.0) for k in range(of)]


def test_adaptation_has_to_be_better_over_failures_of_any_actuator():
    easy, hard = failed("R1.yaw", 20, 20), failed("E1.extend", 0, 10)
    better = b11_failure.Pairs(easy + failed("E1.extend", 10, 10), easy + hard)
    assert better.passed
    assert better.told() == "R1.yaw 20 and 20 of 20, E1.extend 10 and 0 of 10"
    assert not b11_failure.Pairs(easy + hard, easy + hard).passed, "no better than without"
    few = b11_failure.Pairs(easy + failed("E1.extend", 3, 3), easy + failed("E1.extend", 0, 3))
    assert not few.passed, "intervals that meet"


def test_every_servo_and_drive_may_fail_and_the_control_is_the_same_robot():
    faults = [b11_failure.broken(seed)["faults"][0] for seed in range(100)]
    assert {fault["servo"] for fault in faults} == set(b11_failure.actuators())
    assert "H1.drive" in b11_failure.actuators()
    assert {fault["fault"] for fault in faults} == {"weak_servo", "stuck_servo"}
    pair = [b11_failure.case(adapt=adapt).repeat("", 5).fields for adapt in (True, False)]
    assert {**pair[0], "control.options.adapt": False} == pair[1]


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


def test_a_hole_has_to_be_made_where_it_was_ordered():
    def drilled(tool_mm: float, tool_deg: float, *, holes: int = 1) -> bool:
        return b16_break.Found(nan, (), tool_mm=tool_mm, tool_deg=tool_deg, holes=holes).drilled

    assert drilled(-8, 15)
    assert not drilled(12, 0)
    assert not drilled(0, 25)
    assert not drilled(0, 0, holes=2)
    assert not drilled(nan, nan, holes=0)


@pytest.fixture
def breaks() -> b16_break.Verdict:
    """All is well."""
    found, quiet = b16_break.Found(0.3, (0.3,)), b16_break.Found(nan, (), through=True)
    repaired = b16_break.Found(0.3, (0.3,), tool_mm=1.0, tool_deg=1.0, closed=True)
    drilled = b16_break.Found(nan, (), tool_mm=1.0, tool_deg=1.0, holes=1)
    refused = b16_break.Found(nan, (), refusals=2)
    seen, whole = {"bend": [found] * 20}, {"tee": [quiet] * 4}
    return b16_break.Verdict(seen, whole, [repaired] * 10, [drilled] * 10, [refused])


def test_breaks_pass_when_every_bar_holds(breaks: b16_break.Verdict):
    assert breaks.passed
    missed, stuck = b16_break.Found(0.3, ()), b16_break.Found(nan, ())
    alarm = b16_break.Found(nan, (0.2,), through=True)
    (found, *_), (refused,) = breaks.seen["bend"], breaks.refused
    assert not replace(breaks, seen={"bend": [found] * 19 + [missed]}).passed
    assert not replace(breaks, seen={"bend": [found] * 12}).passed, "too few to be sure"
    assert not replace(breaks, whole={"tee": [alarm]}).passed
    assert not replace(breaks, whole={"tee": [stuck]}).passed, "it never got to the tee"
    assert not replace(breaks, repaired=[*breaks.repaired, missed]).passed
    assert not replace(breaks, drilled=[*breaks.drilled, stuck]).passed
    assert not replace(breaks, refused=[replace(refused, refusals=1)]).passed


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


def test_a_landmark_is_reached_when_it_is_told_and_within_60_mm():
    assert b21_by_sight.Reached(0.04, 30.0, 0.05).right
    assert not b21_by_sight.Reached(0.04, 30.0, 0.07).right
    assert not b21_by_sight.Reached(0.04).right
    assert b21_by_sight.Reached(0.04).near


def test_who_has_no_camera_does_not_come_to_the_landmark():
    blind = b21_by_sight.POSTS["blind"]
    case = Case(blind.scenario, {**blind.fields, "duration_s": 20}, varied=blind.varied)
    (found,) = Bench(workers=1).trials({"": case}, b21_by_sight.reach)[""]
    assert not found.right
    assert not found.near


def test_who_says_home_somewhere_else_is_not_home():
    def trip(off_m: float) -> b15_exploration.Trip:
        return b15_exploration.Trip(True, True, off_m, 160.0, 0.02, 0.05, 4)

    assert trip(0.02).home
    assert not trip(0.2).home
    assert not trip(inf).home


def mapped(*lengths_m: float | None, ghosts: int = 0) -> MapError:
    """A map of ways that are a metre each."""
    places = tuple(
        Matched(PlaceKind.TURN, f"part{k}", 1.0, 1.0, 0.0, 0.0, 1.0, length)
        for k, length in enumerate(lengths_m)
    )
    return MapError(places, (), tuple(range(ghosts)))


def test_a_map_with_a_ghost_or_without_a_place_has_failed():
    assert b15_exploration.lengths(mapped(1.0, 1.02, 1.0, 0.99, 1.0))[0] == pytest.approx(0.02)
    assert b15_exploration.lengths(mapped(1.0, 1.0, 1.0, 1.0))[0] == inf
    assert b15_exploration.lengths(mapped(*[1.0] * 5, ghosts=1))[0] == inf
    assert not b15_exploration.Trip(True, True, 0.0, 160.0, inf, nan, 5, ghosts=1).whole


def test_a_length_of_zero_on_the_map_is_wrong_by_all_of_it():
    assert b15_exploration.lengths(mapped(1.0, 0.0, 1.0, 1.0, 1.0))[0] == 1.0


def test_every_seed_has_its_own_pipe_and_break():
    pipes = b15_exploration.varied, b16_break.broken, b16_break.ordered
    for varied in (*pipes, b21_by_sight.bent, b21_by_sight.somewhere):
        assert varied(1) == varied(1) != varied(2)
