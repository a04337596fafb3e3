"""Claims that are quick enough to be checked every time."""

from __future__ import annotations

import numpy as np

from annelid.modules.servos import MICROTUB
from annelid.papers import Bench, a01_servo_step, a12_orientation


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


def test_pitch_and_roll_follow_from_a_noisy_accelerometer_whose_zero_is_right():
    """The drawn zeros are the row's matter: with them it is honestly short."""
    found = a12_orientation.experiment(Bench(workers=1, quick=True)).values
    assert found["pitch_worst_without_offset_deg"] <= a12_orientation.ERROR_MAX
    assert found["roll_worst_without_offset_deg"] <= a12_orientation.ERROR_MAX
    assert found["pitch_worst_deg"] > found["pitch_worst_without_offset_deg"]
    assert found["pitch_worst_without_offset_deg"] > 0.05, "there is no noise"
