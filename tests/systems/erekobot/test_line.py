"""What 004 measured on its line (Table 3, Fig. 13), and what went wrong on it (2.3)."""

from __future__ import annotations

import struct
from itertools import groupby
from typing import Any

import numpy as np
import pytest
from tests.electronics.circuits import Rig
from tests.systems.erekobot.chains import QUICK, network, pulses, saying

from annelid.systems.erekobot import messages
from annelid.systems.erekobot.packets import Configuration, Standard, encode

TABLE_3 = (11, 16, 21, 25, 31, 35, 39, 43)


def probed(modules: int, packets: int, interval_ms: float = 200, **spec: Any) -> list[float]:
    """Delays of the packets that came back, ms."""
    probe = {"packets": packets, "interval_ms": interval_ms}
    rig, _ = network(modules, profile=1, topology="ring", probe=probe, **spec)
    rig.run(packets * interval_ms / 1000 + 1)
    return [detail["delay_ns"] / 1e6 for _, _, kind, detail in rig.events if kind == "delay"]


def delay_ms(modules: int, **spec: Any) -> float:
    found = probed(modules, 5, **spec)
    assert len(found) == 5
    return float(np.mean(found))


@pytest.mark.parametrize(("modules", "measured"), list(enumerate(TABLE_3, 1)))
def test_delays_are_those_of_table_3(modules: int, measured: float) -> None:
    delay = delay_ms(modules)
    assert delay == pytest.approx(measured, abs=1.5)
    assert delay == pytest.approx(4.619 * modules + 6.714, abs=0.01)


def test_whole_packets_cannot_be_stored_as_fast_as_the_paper_measured() -> None:
    assert delay_ms(8, forwarding="store") > TABLE_3[-1] + 8


def test_a_packet_for_nobody_ends_at_the_end_of_a_line() -> None:
    rig, _ = network(3, profile=1, host=saying((0.1, Standard(254, 1))))
    rig.run(0.5)
    assert [pulses(rig, f"K{k}") for k in (1, 2, 3)] == [[], [], []]


def delivered(interval_s: float, **spec: Any) -> float:
    return len(probed(1, 100, 1000 * interval_s, **spec)) / 100


def test_a_module_that_is_busy_loses_packets_that_come_too_soon() -> None:
    busy: dict[str, Any] = {"busy_ms": (40, 190), "software_buffer": 0}
    shares = [delivered(interval, **busy) for interval in (0.05, 0.1, 0.15, 0.2)]
    assert shares == sorted(shares)
    assert shares[0] < 0.5
    assert shares[-1] == 1.0
    assert delivered(0.05) == 1.0


def steps(rig: Rig, modules: int) -> list[int]:
    return [len(pulses(rig, f"K{k}")) for k in range(1, modules + 1)]


def test_noise_stops_modules_without_pull_up_and_without_timeout() -> None:
    """004, 2.3.1: either of the two cures helps."""
    for pull_up, timeout_ms, moves in [
        (True, 0, True),
        (True, 20, True),
        (False, 20, True),
        (False, 0, False),
    ]:
        rig, _ = network(4, profile=2, pull_up=pull_up, timeout_ms=timeout_ms, stop_s=5.0, **QUICK)
        rig.run(6.0)
        if moves:
            assert steps(rig, 4) == pytest.approx([50] * 4, abs=1)
        else:
            assert max(steps(rig, 4)) < 25


def spread_ms(**spec: Any) -> float:
    """How far apart the modules are in the gait after 12 s, at worst."""
    rig, _ = network(5, profile=2, drift_ppm=30_000, **QUICK, **spec)
    rig.run(12.5)
    ahead: dict[str, int] = {}
    for t_ns, source, kind, detail in rig.events:
        if kind == "servo" and t_ns < 12e9:
            ahead[source] = detail["gait_ns"] - t_ns
    return (max(ahead.values()) - min(ahead.values())) / 1e6


def test_clocks_that_drift_are_held_together() -> None:
    apart = spread_ms()
    assert apart > 200
    cristian: dict[str, Any] = {"learns_rate": False}
    assert 20 < spread_ms(sync="tell", **cristian) < 65
    assert 10 < spread_ms(sync="ask", topology="ring", **cristian) < 65


def test_modules_that_know_their_rate_stay_together_between_two_times() -> None:
    assert spread_ms(sync="tell") < 3
    assert spread_ms(sync="tell", topology="bus") < 3
    assert spread_ms(sync="ask", topology="ring") < 8
    assert spread_ms(sync="ask", topology="ring", time_server=3) < 30


def test_without_drift_the_answers_are_right_to_the_milliseconds_of_the_wire() -> None:
    rig, _ = network(5, profile=2, sync="ask", topology="ring", **QUICK)
    rig.run(6.0)
    ahead = [abs(detail["ahead_ns"]) / 1e6 for detail in rig.details("time")][5:]
    assert len(ahead) > 10
    assert max(ahead) < 3


def test_a_question_that_nobody_answers_goes_round_once() -> None:
    rig, _ = network(3, profile=2, sync="ask", topology="ring", time_server=200, **QUICK)
    rig.run(3.3)
    wires = [d for d in rig.details("wire") if d["from"] == "host" and d["bytes"][2:4] == "c8"]
    asked = 3 * 3
    assert 1 <= len(wires) <= asked


def test_a_line_that_is_cut_and_mended_goes_on() -> None:
    rig, made = network(3, profile=1, **QUICK)
    rig.run(1.0)
    made.line.disturb(cut=[("K1", "K2")])
    rig.run(2.0)
    cut = steps(rig, 3)
    made.line.mend()
    rig.run(3.0)
    mended = steps(rig, 3)
    assert cut[0] > cut[1] + 5
    assert all(after > before + 8 for before, after in zip(cut, mended, strict=True))


@pytest.mark.parametrize("length", [1, 2, 3, 4])
def test_a_packet_cut_short_costs_nothing_but_itself(length: int) -> None:
    """With and without a silence behind it, at the module that hears and at those it passes by."""
    cut, packet = encode(Standard(3, 227))[:length], Standard(3, 199)
    for later_s in (0.0, 0.3):
        host = saying((0.1, cut), (0.1 + later_s, packet), (0.8, Standard(3, 213)))
        rig, _ = network(3, profile=1, host=host)
        rig.run(1.2)
        assert pulses(rig, "K3") == [199, 213]


@pytest.mark.parametrize("period", [0, 33])
def test_a_configuration_with_an_impossible_period_changes_nothing(period: int) -> None:
    body = struct.pack(">BBBHBHH", 0x10, 1, 1, 0, 1, period, 0)
    evil = body + bytes([sum(body) & 0xFF])
    host = saying(
        (0.1, encode(messages.configuration_follows(1)) + evil),
        (0.3, encode(messages.configuration_follows(1)) + encode(Configuration(1, 1, 0, 1, 8, 2))),
        (0.5, messages.start()),
    )
    rig, _ = network(2, profile=3, host=host, **QUICK)
    rig.run(1.5)
    shown = pulses(rig, "K1")
    assert not rig.details("crash")
    assert shown[:2] == shown[8:10]


def test_rubbish_moves_no_module_of_the_first_profile_beyond_its_reach() -> None:
    noise = np.random.default_rng(1).integers(0, 256, 5000, dtype=np.uint8).tobytes()
    rig, _ = network(3, profile=1, host=saying((0.1, noise), (6.0, Standard(3, 199))))
    rig.run(6.5)
    assert not rig.details("crash")
    assert pulses(rig, "K3")[-1] == 199


@pytest.mark.parametrize("profile", [2, 3, 4])
def test_rubbish_on_the_line_is_survived(profile: int) -> None:
    noise = np.random.default_rng(profile).integers(0, 256, 600, dtype=np.uint8).tobytes()
    host = saying(
        (0.1, noise), (1.0, b"\x10" * 50), (1.5, messages.start()), (3.0, messages.stop())
    )
    rig, _ = network(3, profile=profile, host=host, **QUICK)
    rig.run(4.0)
    assert not rig.details("crash")
    starts = [source for _, source, kind, _ in rig.events if kind == "start"]
    assert starts[-3:] == ["K1", "K2", "K3"]
    last = {k: max(t for t, s, kind, _ in rig.events if kind == "stop" and s == k) for k in starts}
    assert all(t > 3e9 for t in last.values())


def test_a_garbled_packet_is_passed_on_by_cut_through_and_heard_by_nobody() -> None:
    spoilt = encode(Standard(3, 227))[:4] + b"\x00"
    rig, _ = network(3, profile=1, host=saying((0.1, spoilt), (0.2, Standard(3, 199))))
    rig.run(0.5)
    assert pulses(rig, "K3") == [199]


def first_pulses(modules: int, *, bit_error: float = 0.0, **spec: Any) -> list[list[int]]:
    rig, made = network(modules, period=16, interval_ms=600, **spec)
    made.line.disturb(bit_error=bit_error)
    rig.run(4.5)
    # A start that is said again makes a module show its first state again.
    changes = [[pwm for pwm, _ in groupby(pulses(rig, f"K{k + 1}"))] for k in range(modules)]
    return [each[:3] for each in changes]


def same(one: list[list[int]], other: list[list[int]]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("profile", [1, 2, 3])
def test_half_duplex_modules_need_gaps_and_whole_packets(profile: int) -> None:
    """004, Table 2: they never hear and send at once, so that packets in a row are lost, and
    cut-through cannot work at all; in conflict with Table 3, which it alone explains."""
    told = first_pulses(4, profile=profile)
    half: dict[str, Any] = {"profile": profile, "duplex": "half"}
    assert same(told, first_pulses(4, forwarding="store", gap_ms=60, **half)) == 4
    assert same(told, first_pulses(4, forwarding="store", **half)) < 4
    assert same(told, first_pulses(4, gap_ms=60, **half)) < 4


def test_saying_it_again_helps_against_noise() -> None:
    """Nothing is acknowledged, and what is said once may be spoilt."""
    told = first_pulses(6, profile=2)
    once, often = (
        sum(
            same(told, first_pulses(6, profile=2, bit_error=1e-3, repeats=repeats, seed=seed))
            for seed in range(4)
        )
        for repeats in (1, 4)
    )
    assert once < often == 24
