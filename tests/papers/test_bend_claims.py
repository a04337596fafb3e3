"""A6 and A8: which runs count, and how they are compared."""

from __future__ import annotations

from math import inf, pi, radians, sin
from typing import Any

import pytest

from annelid.papers import Bench, a06_minimal, a08_bifurcation, b09_elbow
from annelid.papers.a06_minimal import ONE, TWO
from annelid.papers.case import Case
from annelid.trial.load import load, resolve

U = a06_minimal.Bend("U", 33.0, second_deg=0.0)


def cell(two: int, one: int) -> a06_minimal.Cell:
    """So many of twenty robots pass in time."""
    return a06_minimal.Cell(
        U, {TWO: [50.0] * two + [inf] * (20 - two), ONE: [50.0] * one + [inf] * (20 - one)}
    )


def test_two_elbows_give_twice_the_time():
    late = a06_minimal.Cell(U, {TWO: [89.0] * 20, ONE: [91.0] * 20})
    assert (late.rate(TWO).value, late.rate(ONE).value) == (1, 0)
    assert late.rate(ONE, a06_minimal.LIMIT_S).value == 1
    assert late.kind == a06_minimal.AS_SAID


@pytest.mark.parametrize(
    ("two", "one", "kind"),
    [
        (20, 0, a06_minimal.AS_SAID),
        (0, 20, a06_minimal.REVERSED),
        (20, 20, a06_minimal.BOTH),
        (0, 1, a06_minimal.NEITHER),
        (12, 1, a06_minimal.UNSURE),
        (20, 10, a06_minimal.UNSURE),
    ],
)
def test_a_bend_is_sorted_by_who_passes_and_who_sticks(two, one, kind):
    assert cell(two, one).kind == kind


def test_more_often_is_not_yet_passing_against_sticking():
    """20 of 20 against 12: the intervals do not meet, but T R H does not stick."""
    often = cell(20, 12)
    assert often.rate(TWO).above(often.rate(ONE))
    assert not a06_minimal.separate([often])


def test_the_two_chains_must_nowhere_separate_the_other_way_round():
    assert a06_minimal.separate([cell(20, 0), cell(20, 20), cell(0, 0)])
    assert not a06_minimal.separate([cell(20, 0), cell(0, 20)])
    assert not a06_minimal.separate([cell(20, 20)])


def test_more_than_one_range_of_the_servos_is_tried():
    assert len({bend.range_deg for bend in a06_minimal.BENDS}) > 2


def test_round_a_bend_means_that_the_tail_is_out_of_it():
    scenario = a06_minimal.case(TWO, U).repeat("u", 3).scenario()
    robot, _ = resolve(scenario)
    entry, *elbows, _ = scenario.model_dump()["world"]["parts"]
    assert [part["part"] for part in elbows] == ["elbow", "elbow"]
    end = (entry["length_mm"] + 33.0 * pi) / 1000
    assert scenario.success.progress_m == pytest.approx(end + robot.length)
    assert scenario.duration_s > 2 * a06_minimal.LIMIT_S


def test_bends_are_drawn_within_the_range_of_the_chain():
    for chain, bore in b09_elbow.CELLS:
        tightest, steepest = b09_elbow.limits(chain, bore)
        drawn = [b09_elbow.bent(chain, bore, seed) for seed in range(40)]
        radii = [each["world.parts.1.radius_mm"] for each in drawn]
        planes = [each["world.parts.1.roll_deg"] for each in drawn]
        assert tightest <= min(radii) < max(radii) <= 120
        assert min(abs(roll) for roll in planes) < 20 < 160 < max(abs(roll) for roll in planes)
        assert any(30 < abs(roll) < 150 for roll in planes)
        for each in drawn:
            steep = b09_elbow.slope(each["world.parts.1.angle_deg"], each["world.parts.1.roll_deg"])
            assert steep <= sin(radians(steepest)) + 0.005


def test_a_chain_whose_drive_is_dead_has_not_passed():
    passes = b09_elbow.case("TRRH", 40)
    dead = {"faults": [{"fault": "stuck_servo", "servo": "H1.drive"}], "duration_s": 20}
    case = Case(passes.scenario, {**passes.fields, **dead}, varied=passes.varied)
    assert not Bench(workers=1).trials({"": case}, b09_elbow.judge)[""][0].passed


def test_the_control_has_the_same_robot_and_folds_its_support():
    gripping, folded = (
        a08_bifurcation.cases()[name].repeat(name, 0).scenario()
        for name in (a08_bifurcation.GRIPS, a08_bifurcation.FOLDED)
    )
    assert gripping.robot == folded.robot
    assert gripping.seed == folded.seed
    told = [each.control.model_dump()["options"]["orders"] for each in (gripping, folded)]
    assert [order["say"] for order in told[0][:3]] == ["EX", "CT", "EX"]
    assert not told[1]


def test_a_support_grips_only_if_it_is_told_to_and_reaches_the_wall():
    """In a straight pipe, with a joint that turns."""
    turning = [
        {"at_s": 3.0 + 0.4 * k, "say": f"MS1 {angle}", "to": "R1"}
        for k, angle in enumerate((20, -20, 20, -20))
    ]
    told = [{"at_s": 2.5, "say": "EX", "to": "S1"}, *turning]
    found = Bench(workers=1).trials(
        {
            "grips": a08_bifurcation.case(0, **ordered(told)),
            "folded": a08_bifurcation.case(0, **ordered(turning)),
            "too wide": a08_bifurcation.case(0, **ordered(told), **{"world.bore_mm": 60.0}),
        },
        a08_bifurcation.judge,
    )
    gripped = {name: went.gripped_s for name, (went,) in found.items()}
    assert gripped["grips"] > 0.5
    assert gripped["folded"] == 0
    assert gripped["too wide"] < 0.3, "but for the way to the end of its arms"


def ordered(told: list[dict[str, Any]]) -> dict[str, Any]:
    return {"duration_s": 5.0, "control.options.orders": told}


def bifurcation(grips: int, folded: int, *, gripped_s: float = 8.0, control_s: float = 0.0):
    def went(passed: int, held_s: float) -> list[a08_bifurcation.Went]:
        return [a08_bifurcation.Went(60.0 if k < passed else inf, held_s) for k in range(20)]

    return a08_bifurcation.outcome(
        {
            a08_bifurcation.GRIPS: went(grips, gripped_s),
            a08_bifurcation.FOLDED: went(folded, control_s),
            a08_bifurcation.LEVEL: went(20, 0.0),
        },
        90.0,
    )


def test_a_support_has_to_grip_and_the_control_s_must_not():
    assert bifurcation(18, 3).passed
    assert not bifurcation(5, 5).passed
    assert not bifurcation(18, 3, gripped_s=0.0).passed, "it was folded in the test, too"
    assert not bifurcation(18, 3, control_s=4.0).passed, "it gripped in the control, too"


def test_a_robot_that_went_straight_on_has_not_passed():
    """On the level and with its goal before the bifurcation: it arrives, but not in the branch."""
    near = a08_bifurcation.case(0, **{"success.progress_m": 0.02, "duration_s": 6.0})
    took = Bench(workers=1).trials({"": near}, a08_bifurcation.judge)[""][0]
    assert took.took_s == inf
    assert load("support-bifurcation").success.progress_m == 0.6
