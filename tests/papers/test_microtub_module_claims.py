"""What 000 claims of a module by itself: blocked servos, heat, alarms and where it is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annelid.papers import (
    Bench,
    a02_blocked_servo,
    a04_inchworm,
    b05_overheating,
    b06_self_diagnostic,
    b07_situation,
)
from annelid.papers.case import Case, Judge
from annelid.papers.interval import Rate


def judged(case: Case, judge: Judge[Any], seed: int = 1) -> Any:
    return Bench(workers=1, seed=seed).trials({"": case}, judge)[""][0]


def test_a_blocked_servo_is_released_in_time_and_tells():
    outcome = a02_blocked_servo.experiment(Bench(workers=1, quick=True))
    assert outcome.passed, outcome
    assert outcome.values["released_in_time_without_comparator_rate"] < 0.5
    assert outcome.values["peak_filtered_ma_least"] < outcome.values["peak_filtered_ma_worst"], (
        "every run has the same servo"
    )


def servo(peak_ma: float, *, told_ms: float = 100.0, rest_ma: float = 0.0):
    return a02_blocked_servo.Seen([0.0] * 16, [peak_ma] * 8 + [rest_ma] * 8, 135.0, told_ms)


def test_one_blocked_servo_that_is_not_released_in_time_makes_the_row_short():
    good, late = servo(101.0), servo(150.0)
    assert a02_blocked_servo.outcome([good] * 6, [late] * 6).passed
    for bad in (servo(121.0), servo(101.0, told_ms=np.inf), servo(101.0, rest_ma=90.0)):
        outcome = a02_blocked_servo.outcome([good] * 9 + [bad], [late] * 10)
        assert not outcome.passed
        assert outcome.ours.startswith("9 of 10")
    assert not a02_blocked_servo.outcome([good] * 6, [late] * 3 + [good] * 3).passed, (
        "half of the controls are in time as well"
    )


@pytest.mark.parametrize("bore_mm", [36, 50, 80, 200])
def test_pipes_are_told_apart(bore_mm):
    """Few bores and few draws; the row itself takes all of them."""
    case = Case(b07_situation.SCENARIO, {"world.bore_mm": bore_mm}, varied=b07_situation.rolled)
    assert judged(case, b07_situation.judge)


def test_open_ground_is_told_from_pipes():
    case = Case(b07_situation.SCENARIO, {"world.kind": "open-air"}, varied=b07_situation.rolled)
    assert judged(case, b07_situation.judge)


def test_one_situation_that_is_not_known_makes_the_row_short():
    narrow, wide, ground = b07_situation.KINDS
    kinds = {narrow: Rate.share(36, 36), wide: Rate.share(63, 66), ground: Rate.share(40, 40)}
    bores = {54: Rate.share(6, 6), 56: Rate.share(3, 6), 58: Rate.share(6, 6)}
    looks = b07_situation.Looks(kinds, bores)
    assert looks.passed
    assert str(looks).startswith("139 of 142")
    assert str(looks).endswith("the worst bore is 56 mm: 3 of 6 (19-81 %)")
    blind = b07_situation.Looks(kinds | {wide: Rate.share(57, 66)}, bores)
    assert not blind.passed, "95 % in the mean of the three are not enough"


def test_dead_servos_and_cut_lines_are_told_on_the_bus():
    lines = b06_self_diagnostic.lines()
    for case in (
        b06_self_diagnostic.servos()["R3"],
        lines["R2-R3 forward"],
        Case(b06_self_diagnostic.SCENARIO, {"faults": []}),
    ):
        assert judged(case, b06_self_diagnostic.judge).right, case


def test_a_servo_that_is_only_slow_to_be_told_does_not_count():
    """The alarm of a sound module, or none, is not the one that is wanted."""
    hidden = {"faults.0.servo": "R2.pitch", "control.options.orders": []}
    assert not judged(Case(b06_self_diagnostic.SCENARIO, hidden), b06_self_diagnostic.judge).right


def curve(peak: float, resumed_s: float = 67.0) -> b05_overheating.HeatCurve:
    time = (0.0, 2.0, 23.0, 28.0, 40.0, 67.0, 75.0)
    heat = (25.0, 25.0, 27.0, 26.0, peak, 45.0, 48.0)
    return b05_overheating.HeatCurve(time, heat, 40.0, resumed_s, 0.5)


def test_a_servo_has_to_be_stopped_in_time_and_to_go_on():
    assert curve(50.2).right
    assert not curve(52.0).right
    assert not curve(50.2, resumed_s=np.inf).right


def test_a_bad_prediction_is_not_hidden_by_two_fitted_slopes():
    assert a04_inchworm.near({0: 0.02, 30: 0.1, 90: 0.02})
    assert not a04_inchworm.near({0: 0.0, 30: 0.6, 90: 0.0}), "a mean of 0.2"
    assert not a04_inchworm.near({0: 0.7, 30: 0.0, 90: 0.1})
