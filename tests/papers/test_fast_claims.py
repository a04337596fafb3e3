"""Claims that are quick enough to be checked every time."""

from __future__ import annotations

import numpy as np

from annelid.modules.servos import MICROTUB
from annelid.papers import Bench, Case, a01_servo_step, a03_helicoidal, a12_orientation
from annelid.papers.interval import Rate
from annelid.robot.as_built import SensorAsBuilt
from annelid.robot.drawing import draw
from annelid.trial.load import resolve


def test_the_servo_follows_its_equations_and_has_a_dead_band():
    outcome = a01_servo_step.experiment(Bench(workers=1))
    assert outcome.passed, outcome
    assert [figure.y_label for figure in outcome.plots] == ["angle, °", "current, mA"]


def test_a_wrong_servo_constant_would_show():
    weak = MICROTUB.model_copy(update={"motor_constant": 0.15})
    wrong = a01_servo_step.simulated(weak, 0.1)
    right = a01_servo_step.integrated(MICROTUB, 0.1)
    step = a01_servo_step.TO - a01_servo_step.FROM
    error = np.sqrt(np.mean((wrong.angle - right.angle) ** 2)) / step
    assert error > a01_servo_step.ANGLE_MAX


def test_pitch_and_roll_follow_from_a_noisy_accelerometer_once_it_is_calibrated():
    """Its zeros as drawn are too far off; without them only noise is left."""
    outcome = a12_orientation.experiment(Bench(workers=1, quick=True))
    assert outcome.passed, outcome
    found = outcome.values
    assert found["pitch_worst_raw_deg"] > a12_orientation.ERROR_MAX
    assert found["pitch_worst_without_offset_deg"] > 0.05, "there is no noise"
    assert found["within_rate_raw"] < 0.8
    assert found["modules_with_other_zeros"] == 0


def test_it_is_the_calibration_that_has_to_make_answers_right():
    all_right, few, most = (Rate.share(good, 40) for good in (40, 12, 37))
    assert a12_orientation.cured(all_right, few)
    assert not a12_orientation.cured(all_right, all_right), "the control does not fail"
    assert not a12_orientation.cured(all_right, most), "it hardly fails"


def test_an_elbow_s_rate_is_judged_by_its_lower_bound():
    """Were all of them to pass, as many robots as the row has could show it, and 30 could not."""
    enough, few = a03_helicoidal.ELBOWS, 30
    assert Rate.share(enough, enough).low >= a03_helicoidal.ELBOW_RATE_MIN
    assert Rate.share(few, few).low < a03_helicoidal.ELBOW_RATE_MIN


def test_a_module_is_the_same_one_on_the_bench_and_where_it_is_judged():
    """Zeros are drawn by seed and name, and R1 has the same name in both scenarios."""
    bench = a12_orientation.calibration(5)
    cases = [*bench.values(), *(a12_orientation.case(pose, 5) for pose in POSES)]
    drawn = {sensor_as_built(case).offset for case in cases}
    assert len(drawn) == 1
    assert drawn != {sensor_as_built(a12_orientation.case(POSES[0], 6)).offset}


def test_no_pose_is_read_with_the_noise_of_another():
    """The same seed has the same noise at the same time: so no two are read at the same time."""
    bench = list(a12_orientation.calibration(5).values())
    ends = [case.repeat("", 0).scenario().duration_s for case in bench]
    ends.append(a12_orientation.case(POSES[0], 5).repeat("", 0).scenario().duration_s)
    assert np.diff(sorted(ends)).min() >= a12_orientation.READ_S - 1e-9


def test_no_pose_is_both_calibrated_with_and_judged():
    assert not [pose for pose in a12_orientation.BENCH_POSES if pose in POSES]
    assert {lies["slope"] for _, lies in POSES} & {0, 90, -90} == set()


POSES = a12_orientation.judged_poses()


def sensor_as_built(case: Case) -> SensorAsBuilt:
    scenario = case.repeat("", 3).scenario()
    robot, _ = resolve(scenario)
    return draw(scenario.tolerances, robot, scenario.seed).sensor("R1.accelerometer")
