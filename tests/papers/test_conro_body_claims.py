"""The rows of 002 on branched bodies: small enough for every day."""

from __future__ import annotations

from dataclasses import replace
from math import inf

from annelid.papers import Bench, c09_general, c10_walker
from annelid.papers.cycles import leader


def quick() -> Bench:
    return Bench(workers=1, quick=True)


def test_c9_whoever_has_the_highest_number_leads() -> None:
    outcome = c09_general.experiment(quick())
    assert outcome.passed, outcome
    assert outcome.values["cycles_slowest"] <= 5


def test_c9_a_robot_that_is_late_or_follows_another_is_not_good() -> None:
    good = c09_general.Choir(since=4.0, allowed=2.0, led=True, left=0.01)
    assert good.good
    assert not replace(good, since=inf).good
    assert not replace(good, led=False).good


def test_c9_another_seed_is_another_robot_with_the_same_leader() -> None:
    names = ["S1", "S2", "L1"]
    seeds = [c09_general.led_by(nth, chosen="L1", among=names)["seed"] for nth in (0, 1, 1_000_000)]
    assert len(set(seeds)) == 3
    assert {leader(seed, names) for seed in seeds} == {"L1"}


def test_c10_a_segment_added_in_run_time_walks_along() -> None:
    cases = {"": c10_walker.CASES["segment added"]}
    (walk,) = quick().trials(cases, c10_walker.judge)[""]
    assert walk.good
    assert walk.after > walk.before > c10_walker.WALKS
    assert not replace(walk, tilt_deg=50.0).good
    assert not replace(walk, resets=1).good
