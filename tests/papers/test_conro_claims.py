"""The rows of 002: small enough for every day."""

from __future__ import annotations

import pytest

from annelid.papers import (
    Bench,
    c01_gaits,
    c04_minimal,
    c05_cut_and_rejoined,
    c06_lost_signals,
    c07_scaling,
    c08_leader,
)


def quick() -> Bench:
    return Bench(workers=1, quick=True)


def test_c1_to_c3_all_three_go_as_fast_as_the_paper_s_at_one_cycle() -> None:
    outcome = c01_gaits.experiment(quick())
    assert outcome.passed, outcome
    found = outcome.values
    for role, printed in c01_gaits.PRINTED.items():
        assert found[f"limited_{role}_km_h"] == pytest.approx(printed, rel=0.1)
    assert found["strong_caterpillar_km_h"] == pytest.approx(0.13, rel=0.1)
    assert found["strong_sidewinder_km_h"] == pytest.approx(0.24, rel=0.1)
    assert found["strong_rolling-track_cm_per_cycle"] == pytest.approx(40, rel=0.1)


def test_c4_no_program_is_longer_than_the_paper_s() -> None:
    outcome = c04_minimal.experiment(quick())
    assert outcome.passed, outcome
    for listing in c04_minimal.LISTINGS:
        main, before = c04_minimal.counted(listing)
        assert 8 < main <= listing.main
        assert 5 < before <= listing.before


def test_c5_halves_go_on_and_are_one_again_in_another_order() -> None:
    life = c05_cut_and_rejoined.crawl(1)
    assert life.halves_in_step
    assert min(life.front, life.rear) > 0.7 * life.whole
    assert 0.1 < life.in_step < c05_cut_and_rejoined.AGAIN
    assert life.again > c05_cut_and_rejoined.KEPT * life.whole


def test_c6_lost_signals_cost_their_periods_and_not_the_speed() -> None:
    assert c06_lost_signals.late(1) == pytest.approx(1, abs=0.02)
    ways = [c06_lost_signals.crawl(c06_lost_signals.Run(loss, seed=1)) for loss in (0.0, 0.75)]
    assert ways[1] >= c06_lost_signals.KEPT * ways[0]


def test_c7_roles_cost_the_same_at_any_size_and_hormones_that_are_answered_do_not() -> None:
    found = {
        (method, size): c07_scaling.measure(c07_scaling.Run(method, size), seed=0)
        for method in ("roles", "hormone-both-ways")
        for size in (4, 16)
    }
    for size in (4, 16):
        roles = found["roles", size]
        assert roles.start_s == pytest.approx(roles.height_s, rel=c07_scaling.NEAR)
        assert (roles.cycle_s, roles.messages) == pytest.approx((3.96, 1.0), rel=1e-3)
    few, many = (found["hormone-both-ways", size] for size in (4, 16))
    assert many.cycle_s - few.cycle_s == pytest.approx(12 * 180 * 3.125e-3, rel=0.15)
    assert many.messages > 300


def test_c8_a_leader_that_is_exchanged_is_followed_by_one() -> None:
    life = c08_leader.roll(1)
    assert life.leaders[0] == 8
    assert life.leaders[c08_leader.LOST - 1] == life.leaders[-1] == 1
    assert life.leaders[c08_leader.LOST + 1] > 1
    assert life.agreed <= c08_leader.AGREED
