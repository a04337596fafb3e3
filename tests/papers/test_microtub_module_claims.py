"""What 000 claims of a module by itself: blocked servos and where it is."""

from __future__ import annotations

from annelid.papers import Bench, a02_blocked_servo, b06_self_diagnostic, b07_situation
from annelid.systems.microtub.behaviours import Situation


def test_a_blocked_servo_is_released_in_time_and_tells():
    outcome = a02_blocked_servo.experiment(Bench(workers=1))
    assert outcome.passed, outcome
    assert outcome.values["peak_without_comparator_ma"] > a02_blocked_servo.MOST_MA


def test_situations_are_told_apart():
    """Few bores and few draws; the row itself takes all of them."""
    for bore_mm, truth in (
        (36.0, Situation.NARROW_PIPE),
        (50.0, Situation.NARROW_PIPE),
        (80.0, Situation.WIDE_PIPE),
        (200.0, Situation.WIDE_PIPE),
        (None, Situation.OPEN_AIR),
    ):
        trial = b07_situation.Trial(bore_mm)
        assert trial.truth is truth
        assert b07_situation.right(trial, seed=3, draws=10) >= 0.9, trial


def test_dead_servos_and_cut_lines_are_told_on_the_bus():
    for fault in (
        b06_self_diagnostic.Fault(),
        b06_self_diagnostic.Fault(servo=2),
        b06_self_diagnostic.Fault(line=1, wire="forward"),
    ):
        told = b06_self_diagnostic.diagnosed(fault, seed=1)
        assert b06_self_diagnostic.right(fault, told), (fault, told)
