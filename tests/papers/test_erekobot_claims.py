"""The rows of 004: small enough for every day, and that each of them could fail."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from annelid.papers import (
    Bench,
    Outcome,
    e01_packets,
    e02_profiles,
    e03_delay,
    e04_delivery,
    e05_noise,
    e06_drift,
    e07_topologies,
)
from annelid.papers.serial_chain import LENGTH_M
from annelid.systems.erekobot import messages


def quick() -> Bench:
    return Bench(workers=1, quick=True)


def shows(outcome: Outcome) -> Outcome:
    assert outcome.passed, outcome
    assert outcome.ours
    assert outcome.plots
    return outcome


def test_e1_packets_come_back_and_rubbish_is_survived() -> None:
    found = shows(e01_packets.experiment(quick())).values
    assert found["no_packet_lost_percent"] > 99
    assert len({batch.receiver for batch in e01_packets._batches(100, 0)}) == 3


def test_e1_counts_a_packet_that_rubbish_has_swallowed() -> None:
    """Four bytes whose checksum would be 10H, which is what the first sound packet begins with."""
    chance = np.random.default_rng(0)
    for before, lost in ((b"", 0), (b"\x10\x00", 0), (b"\x10\x00\x00\x00", 1)):
        assert e01_packets.lost(messages.nothing, before, chance) == lost


def test_e2_a_profile_crawls_and_its_servos_follow_the_wave() -> None:
    track = e02_profiles.crawl(e02_profiles.Drive(profile=4, seed=1))
    assert track.way[-1] > LENGTH_M
    assert track.error_deg < e02_profiles.one_state_deg(30)
    assert track.length_s < e02_profiles.SECONDS
    late = replace(track, meant=-track.meant)
    assert late.error_deg > e02_profiles.one_state_deg(30)


def test_e3_delays() -> None:
    found = shows(e03_delay.experiment(quick())).values
    assert found["slope_off_ms"] == pytest.approx(0, abs=0.01)
    assert found["store_worst_ms"] > e03_delay.WITHIN_MS, "storing would explain Table 3 as well"


def test_e4_delivery() -> None:
    found = shows(e04_delivery.experiment(quick())).values
    assert found["at_100_ms_percent"] < 80
    assert found["formula_off_percent"] < 10
    assert e04_delivery.BUSY_MS[1] == pytest.approx(185, abs=1)


def test_e5_noise() -> None:
    found = shows(e05_noise.experiment(quick())).values
    assert found["pause_neither_s"] > 5


def test_e6_drift() -> None:
    found = shows(e06_drift.experiment(quick())).values
    assert found["worst_asking_rate_ms"] < found["worst_cristian_asking_ms"] / 3
    assert found["worst_telling_rate_ms"] < found["worst_cristian_telling_ms"] / 3


def test_e7_the_bus_is_quick_for_all_places_alike() -> None:
    line, bus, ring = (
        e07_topologies.delays_ms(e07_topologies.Line(name, 1, commands=3))
        for name in e07_topologies.TOPOLOGIES
    )
    assert line == ring
    assert line[0] == pytest.approx(bus[0])
    assert bus == pytest.approx([bus[0]] * 10)
    assert e07_topologies.crawl_m(e07_topologies.Crawl("bus", 3, 1)) > LENGTH_M


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.parametrize("row", [e02_profiles, e07_topologies])
def test_every_profile_and_topology_for_another_seed(row: object) -> None:
    shows(row.experiment(Bench(seed=100)))  # type: ignore[attr-defined]
