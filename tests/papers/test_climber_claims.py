"""The climber's claims that are quick to measure; the walks are in ``annelid reproduce``."""

from __future__ import annotations

import numpy as np
import pytest

from annelid.papers import d01_leg_positions as d1
from annelid.papers import d02_pattern as d2
from annelid.papers import d05_weak_cups as d5
from annelid.papers import d06_three_legs as d6
from annelid.papers import d08_times as d8
from annelid.papers.bench import Bench
from annelid.papers.climb_run import hexapod
from annelid.systems.climber.model import read_robot


def test_d1_ten_generations_already_walk_farther_with_less_force() -> None:
    with Bench(quick=True, workers=1) as bench:
        found = d1.experiment(bench)
    assert found.values["further_percent"] > 20
    assert found.values["force_percent"] < 0
    assert found.values["evaluation_ms"] < 10


@pytest.mark.parametrize(
    ("pattern", "period"),
    [([6, 5, 1] * 3, 3), ([1, 2, 1, 3, 2, 3, 1], None), ([4, 4, 4], 1), ([1, 2, 3], None)],
)
def test_d2_a_period_is_one_that_was_seen_twice(pattern: list[int], period: int | None) -> None:
    assert d2.period(pattern) == period


def test_d5_the_limit_of_weak_cups_lies_near_the_papers() -> None:
    stepping = d5.Stepping(read_robot(hexapod(leg={"suction_n": d5.SUCTION_N})))
    limit = min(stepping.limit_deg(heading) for heading in d5.HEADINGS)
    assert limit == pytest.approx(60, abs=5)
    stronger = d5.Stepping(read_robot(hexapod(leg={"suction_n": 30})))
    assert stronger.limit_deg(0.0) > limit + 20


def test_d6_tripods_can_hold_and_three_on_one_side_cannot() -> None:
    climber = read_robot(hexapod())
    for slope in d6.SLOPES:
        for legs in d6.TRIPODS:
            assert d6.use_without(climber, legs, slope) < 1.0
        assert d6.use_without(climber, (1, 2, 3), slope) > 1.0


def test_d8_ramps_are_measured_by_their_middle_part() -> None:
    times = np.linspace(0, 10, 1001)
    curve = np.clip((times - 2) / 0.5, 0, 1) - np.clip((times - 6) / 1.5, 0, 1)
    assert d8.ramps(times, curve, rising=True) == pytest.approx([0.5], abs=0.03)
    assert d8.ramps(times, curve, rising=False) == pytest.approx([1.5], abs=0.03)
