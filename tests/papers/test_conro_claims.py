"""The rows of 002 on chains and loops: small enough for every day."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
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
from annelid.papers.cycles import in_step_from


def quick() -> Bench:
    return Bench(workers=1, quick=True)


@pytest.mark.slow
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


@pytest.mark.slow
def test_c5_halves_go_on_and_are_one_again_in_another_order() -> None:
    outcome = c05_cut_and_rejoined.experiment(quick())
    assert outcome.passed, outcome
    found = outcome.values
    assert found["half_speed_least"] > 0.7
    assert found["half_speed_with_a_table"] < 0.1, "the control must stand"
    assert found["in_step_again_cycles_slowest"] > 0.1


@pytest.mark.slow
def test_c6_lost_signals_cost_their_periods_and_not_the_speed() -> None:
    outcome = c06_lost_signals.experiment(quick())
    assert outcome.passed, outcome
    assert outcome.values["periods_for_two_lost"] == pytest.approx(2, abs=0.02)
    assert outcome.values["kept_without_signals_most"] < 0.5, "the control must fail"


def test_c6_cure_and_control_differ_in_the_part_of_lost_signals_alone() -> None:
    cure, control = (c06_lost_signals.crawls(loss, 120) for loss in (0.75, 1.0))
    one, other = (case.repeat("", 7).scenario() for case in (cure, control))
    assert one != other
    lossy, silent = one.faults[0].model_dump(), other.faults[0].model_dump()
    assert (lossy.pop("loss"), silent.pop("loss")) == (0.75, 1.0)
    assert lossy == silent
    assert one.model_copy(update={"faults": other.faults}) == other


def test_c6_shows_nothing_where_a_chain_without_signals_keeps_its_speed() -> None:
    kept, apart = [0.98, 0.96, 0.99, 0.97], [0.2, 0.05, 0.3, 0.1]
    holds = c06_lost_signals.holds
    assert holds(kept, apart)
    assert not holds(kept, kept), "the control must fall apart"
    assert not holds([*kept[1:], 0.89], apart), "every robot has to keep its speed"
    assert not holds(kept, [0.0, 0.0, 0.0, 0.9]), "too few robots to say that it falls apart"
    assert not holds(apart, kept)
    assert holds(kept[:1], apart[:1])
    assert not holds(kept[:1], kept[:1])


@pytest.mark.slow
def test_c7_roles_cost_the_same_at_any_size_and_hormones_that_are_answered_do_not() -> None:
    outcome = c07_scaling.experiment(quick())
    assert outcome.passed, outcome
    found = outcome.values
    longer = found["hormone-both-ways_16_cycle_s"] - found["hormone-both-ways_4_cycle_s"]
    assert longer == pytest.approx(12 * 180 * 3.125e-3, rel=0.15)
    assert found["hormone-both-ways_16_messages"] > 300


def test_c8_a_leader_that_is_exchanged_is_followed_by_one() -> None:
    cases = {"exchanged": c08_leader.CASES["exchanged"]}
    (life,) = quick().trials(cases, c08_leader.judge)["exchanged"]
    assert life.leaders[0] == 8
    assert life.leaders[c08_leader.LOST - 1] == life.leaders[-1] == 1
    assert life.good


@pytest.mark.slow
def test_c8_a_track_starts_under_loss_and_goes_on_without_its_leader() -> None:
    outcome = c08_leader.experiment(quick())
    assert outcome.passed, outcome
    assert outcome.values["off_without_signals_least"] > 0.1, "the control must fall apart"


def test_a_track_that_agrees_late_or_rolls_slowly_is_not_good() -> None:
    rolls = c08_leader.Life(40.0, 30.0, 40.0, (1,) * c08_leader.END, 0.01)
    assert rolls.good
    assert not replace(rolls, after=37.0).good
    assert not replace(rolls, off=0.2).good
    late = (1,) * 15 + (2, 1, 1, 1, 1)
    assert replace(rolls, leaders=late).agreed == 7
    assert not replace(rolls, leaders=(2,) * c08_leader.END).good
    begun = c08_leader.Start(1.0, 0.1, 1.0, sized=True)
    assert begun.good
    assert not replace(begun, share=0.02).good
    assert not replace(begun, sized=False).good


def test_in_step_is_from_the_last_miss_on_and_never_where_somebody_is_silent() -> None:
    when = np.arange(6.0)
    early = (when, np.array([0.5, 0.3, 0.0, 0.0, 0.01, 0.0]))
    late = (when, np.array([0.0, 0.0, 0.0, 0.2, 0.0, 0.0]))
    assert in_step_from([early], begin=0, end=6, slack=0.02) == 2
    assert in_step_from([early, late], begin=0, end=6, slack=0.02) == 4
    assert in_step_from([early, late], begin=0, end=4, slack=0.02) == np.inf
    assert in_step_from([early, (when[:0], when[:0])], begin=0, end=6, slack=0.02) == np.inf
