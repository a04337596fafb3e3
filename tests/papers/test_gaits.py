"""Claims on movement: small versions of the experiments, and the whole ones where marked slow."""

from __future__ import annotations

import pytest

from annelid.modules import shelf
from annelid.papers import (
    CLAIMS,
    Bench,
    Case,
    a04_inchworm,
    a05_odometry,
    a07_inchworm_units,
    a09_mixed,
    a10_gaits,
    a11_environments,
)
from annelid.papers.interval import Interval


@pytest.mark.parametrize("slope", a04_inchworm.REAL)
def test_the_inchworm_walks_as_fast_as_the_real_one_and_its_supports_hold(slope):
    case = a04_inchworm.case(slope, nominal="the design is what was fitted")
    speed, slip = Bench(workers=1).trials({slope: case}, a04_inchworm.judge)[slope][0]
    assert speed == pytest.approx(a04_inchworm.REAL[slope], abs=0.1)
    assert slip < a04_inchworm.SLIP_MAX


def test_a_stiffer_extension_would_climb_better_than_the_real_one():
    stiff = {"": a04_inchworm.case(90, proportional_mm=5.0)}
    assert Bench(workers=1).trials(stiff, a04_inchworm.judge)[""][0][0] > 1.5


@pytest.mark.slow
def test_the_extension_s_defaults_are_what_the_fit_finds():
    fitted = a04_inchworm.fit(Bench(workers=1))
    module = shelf()["E"].parse({}, where="E").model_dump()
    for field, value in fitted.items():
        assert module[field] == pytest.approx(value, rel=0.03)


def test_the_traveller_is_right_behind_a_helix_and_runs_ahead_behind_an_inchworm():
    cases = {name: Case(f"a05-{name}", {"duration_s": 5.0}) for name in ("helicoidal", "inchworm")}
    found = Bench(workers=1).trials(cases, a05_odometry.judge)
    (helix,), (worm,) = found["helicoidal"], found["inchworm"]
    assert abs(helix.drift) < a05_odometry.EXACT
    assert worm.drift > a05_odometry.DRIFT_MIN
    assert worm.left_by(1 / (1 + worm.drift)) == pytest.approx(0)


def test_two_inchworms_in_step_block_each_other_and_half_a_period_apart_do_not():
    shifts = (0.0, a07_inchworm_units.PERIOD / 2)
    cases = {shift: a07_inchworm_units.two_units(shift) for shift in shifts}
    found = Bench(workers=1).trials(cases, a07_inchworm_units.speed)
    in_step, apart = (found[shift][0] for shift in shifts)
    assert abs(in_step) < 0.1
    assert apart > 2


def test_four_supports_hold_where_two_slide():
    cases = {letters: a07_inchworm_units.on_slope(letters, 27) for letters in ("SES", "SSESS")}
    found = Bench(workers=1).trials(cases, a07_inchworm_units.holds)
    assert found == {"SES": [False], "SSESS": [True]}


def test_a_fallen_chain_is_not_sold_as_a_turn_but_rolling_may_go_over():
    fallen = a10_gaits.Moved(0, 0, 2, 3, 2.0, 0, 0, ())
    assert a10_gaits.toppled("turn", fallen)
    assert not a10_gaits.toppled("roll", fallen)


def test_a_circle_is_not_rotating_in_place_although_it_ends_where_it_began():
    """Half way round the centre was a body length off."""
    circle = a10_gaits.Moved(0, 0, 3, 6.3, 0.1, 0, 1.0, ())
    assert a10_gaits.OWN["rotate"](circle) == 0


def test_eight_joints_rotate_in_place_with_their_own_phase():
    case = a10_gaits.cases()["rotate"]
    (moved,) = Bench(workers=1).trials({"": case}, a10_gaits.judge)[""]
    assert not a10_gaits.toppled("rotate", moved)
    assert a10_gaits.OWN["rotate"](moved) > 1


def test_a_robot_laid_beside_the_axis_of_a_thin_tube_does_not_stick_in_its_wall():
    """The relaxed wheels of this one reach beyond the middle of the wall."""
    case = Case("a11-stl", {"duration_s": 3.0, "seed": 1_000_001})
    (seen,) = Bench(workers=1).trials({"": case}, a11_environments.judge)[""]
    assert seen.distance > 0.03
    assert not seen.escaped


def test_shuffling_is_not_rolling():
    shuffled = a10_gaits.Moved(0, 2, 2, 0, 0.3, 0.1, 2, ())
    assert a10_gaits.OWN["roll"](shuffled) == 0


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(
    "claim",
    [a04_inchworm, a07_inchworm_units, a09_mixed],
    ids=lambda claim: claim.__name__.rpartition(".")[2],
)
def test_the_whole_experiment_passes(claim):
    with Bench(quick=True) as bench:
        outcome = claim.experiment(bench)
    assert outcome.passed, outcome.note
    assert outcome.plots


def speeds(mixed: float, single: float, half: float = 0.05) -> dict[tuple[str, int], Interval]:
    found = {(name, k): around(single, half) for name in a09_mixed.SINGLE for k in a09_mixed.SLOPES}
    return found | {(a09_mixed.MIXED, k): around(mixed, half) for k in a09_mixed.SLOPES}


def around(value: float, half: float) -> Interval:
    return Interval(value, value - half, value + half)


def test_all_three_have_to_be_faster_than_every_single_drive_beyond_chance():
    assert a09_mixed.faster(speeds(3.2, 2.6))
    assert not a09_mixed.faster(speeds(3.2, 2.6, half=0.4))
    one_slope = speeds(3.2, 2.6) | {("helicoidal", 10): around(3.2, 0.05)}
    assert not a09_mixed.faster(one_slope)


def test_what_was_fitted_and_what_the_wave_gives_is_measured_beside_it():
    """Without the wave nothing waves; with an inchworm's phases nothing else changes."""
    cases = a09_mixed.cases()
    gaits = {
        name: cases[name, 0].repeat("", 0).scenario().model_dump(mode="json")["control"]["gaits"]
        for name in (a09_mixed.MIXED, a09_mixed.NO_WAVE, a09_mixed.UNFITTED)
    }
    assert gaits[a09_mixed.NO_WAVE] == gaits[a09_mixed.MIXED][:-1]
    assert gaits[a09_mixed.UNFITTED][1] != gaits[a09_mixed.MIXED][1]
    assert gaits[a09_mixed.UNFITTED][2:] == gaits[a09_mixed.MIXED][2:]


@pytest.mark.parametrize("row", ["A9", "A10", "B18"])
def test_what_was_chosen_by_the_judged_number_is_called_fitted(row):
    (claim,) = (claim for claim in CLAIMS if claim.id == row)
    assert claim.kind == "fitted"
