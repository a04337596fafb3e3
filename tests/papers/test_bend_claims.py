"""A6 and A8: which runs count, and how they are compared."""

from __future__ import annotations

from math import inf, pi

import pytest

from annelid.papers import Bench, a06_minimal, a08_bifurcation
from annelid.papers.a06_minimal import ONE, TWO
from annelid.trial.load import load, resolve

U = a06_minimal.Bend("U", 33.0, second_deg=0.0)


def test_two_elbows_give_twice_the_time():
    cell = a06_minimal.Cell(U, {TWO: [89.0] * 20, ONE: [91.0] * 20})
    assert (cell.rate(TWO).value, cell.rate(ONE).value) == (1, 0)
    assert cell.rate(ONE, a06_minimal.LIMIT_S).value == 1
    assert cell.better() == TWO


def test_one_joint_may_be_the_better_one():
    cell = a06_minimal.Cell(U, {TWO: [50.0] * 13 + [inf] * 7, ONE: [20.0] * 20})
    assert cell.better() == ONE


def test_a_difference_that_may_be_chance_does_not_count():
    cell = a06_minimal.Cell(U, {TWO: [50.0] * 15 + [inf] * 5, ONE: [50.0] * 10 + [inf] * 10})
    assert cell.better() is None


def test_round_a_bend_means_that_the_tail_is_out_of_it():
    scenario = a06_minimal.case(TWO, U).repeat("u", 3).scenario()
    robot, _ = resolve(scenario)
    entry, *elbows, _ = scenario.model_dump()["world"]["parts"]
    assert [part["part"] for part in elbows] == ["elbow", "elbow"]
    end = (entry["length_mm"] + 33.0 * pi) / 1000
    assert scenario.success.progress_m == pytest.approx(end + robot.length)
    assert scenario.duration_s > 2 * a06_minimal.LIMIT_S


def test_the_module_in_place_of_the_support_weighs_and_measures_the_same():
    held, alone = (
        resolve(a08_bifurcation.cases()[name].repeat(name, 0).scenario())[0]
        for name in (a08_bifurcation.HELD, a08_bifurcation.ALONE)
    )
    assert (held.letters, alone.letters) == ("TRRHRRSV", "TRRHRRPV")
    assert alone.mass == pytest.approx(held.mass)
    assert alone.length == pytest.approx(held.length)


def test_a_robot_that_went_straight_on_has_not_passed():
    """On the level and with its goal before the bifurcation: it arrives, but not in the branch."""
    near = a08_bifurcation.case(0, **{"success.progress_m": 0.02, "duration_s": 6.0})
    took = Bench(workers=1).trials({"": near}, a08_bifurcation.judge)[""][0]
    assert took == inf
    assert load("support-bifurcation").success.progress_m == 0.6
