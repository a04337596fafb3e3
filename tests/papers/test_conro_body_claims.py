"""The rows of 002 on branched bodies: small enough for every day."""

from __future__ import annotations

from annelid.papers import Bench, c09_general, c10_walker


def quick() -> Bench:
    return Bench(workers=1, quick=True)


def test_c9_whoever_has_the_highest_number_leads() -> None:
    outcome = c09_general.experiment(quick())
    assert outcome.passed, outcome
    assert outcome.values["cycles_slowest"] <= 5


def test_c9_a_robot_that_nobody_leads_is_not_in_step() -> None:
    assert c09_general.Choir((0.3, 0.01, 0.3), led=True).cycles == float("inf")


def test_c10_a_segment_added_in_run_time_walks_along() -> None:
    walk = c10_walker.walk(c10_walker.Run("segment added", seed=1))
    assert walk.good
    assert walk.after > walk.before > c10_walker.WALKS
    assert not walk.resets
