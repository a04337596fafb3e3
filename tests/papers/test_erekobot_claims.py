"""The rows of 004: small enough for every day, and that each of them could fail."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from annelid.errors import AnnelidError
from annelid.papers import (
    Bench,
    Case,
    Outcome,
    e01_packets,
    e02_profiles,
    e03_delay,
    e04_delivery,
    e05_noise,
    e06_drift,
    e07_topologies,
)
from annelid.systems.erekobot import messages


def quick() -> Bench:
    return Bench(workers=1, quick=True)


def shows(outcome: Outcome) -> Outcome:
    assert outcome.passed, outcome
    assert outcome.ours
    assert outcome.plots
    return outcome


def test_e1_packets_come_back_and_rubbish_is_survived() -> None:
    outcome = shows(e01_packets.experiment(quick()))
    assert outcome.values["no_packet_lost_percent"] > 99
    assert [series.label for series in outcome.plots[0].series] == [*e01_packets.RECEIVERS]


def test_e1_counts_a_packet_that_rubbish_has_swallowed() -> None:
    """Four bytes whose checksum would be 10H, which is what the first sound packet begins with."""
    chance = np.random.default_rng(0)
    for before, lost in ((b"", 0), (b"\x10\x00", 0), (b"\x10\x00\x00\x00", 1)):
        assert e01_packets.lost(messages.nothing, before, chance) == lost


def test_e2_a_profile_crawls_and_its_servos_follow_the_wave() -> None:
    (crawl,) = quick().trials({"": e02_profiles.case(4)}, e02_profiles.judge)[""]
    assert crawl.way[-1] > e02_profiles.LENGTH_M
    assert crawl.error_deg < crawl.late_deg
    assert crawl.time[-1] == pytest.approx(e02_profiles.SECONDS, abs=0.05)


def test_e2_servos_that_stand_still_are_far_from_the_wave() -> None:
    still = Case("e02-crawl", {"control.options.stop_s": 0.1, "control.options.profile": 3})
    (crawl,) = quick().trials({"": still}, e02_profiles.judge)[""]
    assert crawl.error_deg > crawl.late_deg
    assert crawl.way[-1] < e02_profiles.LENGTH_M


def test_e3_delays() -> None:
    found = shows(e03_delay.experiment(quick())).values
    assert found["slope_off_ms"] == pytest.approx(0, abs=0.01)
    assert found["store_worst_ms"] > e03_delay.WITHIN_MS, "storing would explain Table 3 as well"


def test_a_probe_needs_a_way_back() -> None:
    line = Case("e03-ring", {"control.options.topology": "line"})
    with pytest.raises(AnnelidError, match="probe needs a way back"):
        line.repeat("", 0).scenario()


def test_e4_delivery() -> None:
    found = shows(e04_delivery.experiment(quick())).values
    assert found["at_100_ms_percent"] < 80
    assert found["formula_off_percent"] < 10


def test_e4_is_reliable_from_the_interval_above_the_last_loss() -> None:
    shares = {40: 1.0, 100: 0.9, 160: 0.995, 200: 1.0}
    assert e04_delivery.reliable_from(list(shares), shares) == 160
    assert np.isnan(e04_delivery.reliable_from([40, 100], {40: 1.0, 100: 0.5}))


@pytest.mark.slow
def test_e5_noise() -> None:
    found = shows(e05_noise.experiment(quick())).values
    assert found["pause_neither_s"] > 5


@pytest.mark.slow
def test_e6_drift() -> None:
    found = shows(e06_drift.experiment(quick())).values
    assert found["worst_asking_rate_ms"] < found["worst_asking_ms"] / 3
    assert found["worst_telling_rate_ms"] < found["worst_telling_ms"] / 3


def test_e7_the_bus_is_quick_for_all_places_alike() -> None:
    cases = {name: e07_topologies.delay_case(name) for name in e07_topologies.TOPOLOGIES}
    found = quick().trials(cases, e07_topologies.delays_ms)
    line, bus, ring = (found[name][0] for name in e07_topologies.TOPOLOGIES)
    assert line == pytest.approx(ring, abs=0.01)
    assert line[0] == pytest.approx(bus[0], abs=0.01)
    assert bus == pytest.approx([bus[0]] * 10, abs=0.01)
    assert all(b - a > 4 for a, b in pairwise(line))


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("row", [e02_profiles, e07_topologies])
def test_every_profile_and_topology_for_another_seed(row: object) -> None:
    shows(row.experiment(Bench(seed=100)))  # type: ignore[attr-defined]
